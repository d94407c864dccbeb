import { Link } from 'wouter'
import { lineName, lineTexts } from '#client/customer/shared/cart/line-texts.ts'
import { contentsLabel } from '#client/customer/shared/catalogue/item-labels.ts'
import type { JobContextValue } from '#client/customer/shared/job/job-context.tsx'
import {
  firstNameOf,
  type OrderedService,
  personalizationLabel,
  serviceId,
} from '#client/customer/shared/order-services/ordered-services.ts'
import { useOrderedServices } from '#client/customer/shared/order-services/use-offered-services.ts'
import type { CartView, LineView } from '#local/store/cart-view.ts'
import { urls } from '#platform/urls.ts'
import { Price } from '#ui/price.tsx'
import { PackageName } from '#ui/print/package-name.tsx'
import { PackagePrints } from '#ui/print/package-prints.tsx'
import { printedItems } from '#ui/print/print-content.ts'
import styles from '../checkout.module.css'

/** The packages as they will be printed, and the services. */
export const ReviewLines = ({ job, cart }: { job: JobContextValue; cart: CartView }) => {
  const services = useOrderedServices(job, cart.cart)
  return (
    <section aria-labelledby="review-lines" className={styles.section}>
      <div className={styles.detail}>
        <h2 id="review-lines">Your packages</h2>
        <Link href={urls.cart(job)} className={styles.change}>
          Change
        </Link>
      </div>
      <ul className={styles.lines}>
        {cart.lines.map((view) => (
          <ReviewLine key={view.line.lineId} view={view} />
        ))}
        {services.map((service) => (
          <ReviewService key={serviceId(service)} service={service} firstName={firstNameOf(cart.cart, service)} />
        ))}
      </ul>
    </section>
  )
}

const ReviewService = ({ service, firstName }: { service: OrderedService; firstName: string }) => {
  const { name, cents, personalization } = service
  return (
    <li className={styles.reviewLine}>
      <span className={styles.name}>{name}</span>
      <Price cents={cents} />
      <span className={styles.texts}>
        For {firstName}
        {personalization && ` · ${personalizationLabel(personalization)}`}
      </span>
    </li>
  )
}

const ReviewLine = ({ view: { line, totalCents } }: { view: LineView }) => {
  const { package: orderedPackage, subject } = line.snapshot
  const name = lineName(line)
  const texts = [...new Set(lineTexts(line).map(({ value }) => value))].join(', ')
  return (
    <li className={styles.reviewLine}>
      <div className={styles.prints}>
        <PackagePrints
          items={printedItems(line)}
          label={`${name} for ${subject.firstName}: ${contentsLabel(orderedPackage.items)}`}
        />
      </div>
      <span className={styles.name}>
        <PackageName>{line.quantity > 1 ? `${line.quantity} × ${name}` : name}</PackageName>
      </span>
      <Price cents={totalCents} />
      <span className={styles.texts}>
        {contentsLabel(orderedPackage.items)} for {subject.firstName}
        {texts !== '' && ` · prints “${texts}”`}
      </span>
    </li>
  )
}
