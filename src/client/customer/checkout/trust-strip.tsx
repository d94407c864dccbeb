import Lock from 'lucide-react/icons/lock'
import type { Cart } from '#domain/cart/cart.ts'
import { isDigital } from '#domain/catalogue/catalogue.ts'
import { hasPrints } from '#domain/pricing/shipping.ts'
import { Icon } from '#ui/icon.tsx'
import type { JobContextValue } from '../shared/job/job-context.tsx'
import styles from './checkout.module.css'
import { CheckoutContact } from './checkout-contact.tsx'

/** Card brands, each with the first digits of its numbers. */
const cardBrands = [
  { name: 'Visa', digits: /^4/ },
  { name: 'Mastercard', digits: /^(5[1-5]|2(22[1-9]|2[3-9]|[3-6]|7[01]|720))/ },
  { name: 'Amex', digits: /^3[47]/ },
  { name: 'Discover', digits: /^(6011|64[4-9]|65)/ },
]

const hasFiles = ({ cartPackages }: Cart): boolean =>
  cartPackages.some((line) => line.cartPackageItems.some((item) => isDigital(item.productCode)))

/**
 * Until when customers can change or cancel this order; null if nothing is printed. Both end when the order goes to the
 * lab, whatever the order method. An order with a downloaded file can't be cancelled.
 */
const changesPromise = (cart: Cart): string | null =>
  hasPrints(cart)
    ? `Free changes until it goes to print · full refund before${hasFiles(cart) ? ', unless you download a file' : ''}`
    : null

type TrustStripProps = {
  job: JobContextValue
  cart: Cart
  /** False if there is nothing to pay. */
  takesCard: boolean
  /** As typed into this page's own card form. */
  cardNumber?: string | undefined
}

/** Reassures before payment: the studio that is paid, the cards, free changes and refunds, and how to reach the studio. */
export const TrustStrip = ({ job: { studio, job }, cart, takesCard, cardNumber = '' }: TrustStripProps) => {
  const promise = changesPromise(cart)
  const isPaidHere = takesCard && job.acceptsCards
  if (!isPaidHere && !promise && !job.checkoutContact) return null
  return (
    <section className={styles.trust} aria-label="About your payment">
      {isPaidHere && (
        <>
          <p className={styles.secure}>
            <Icon of={Lock} />
            <span>Paid securely to {studio.name}</span>
          </p>
          <ul className={styles.brands} aria-label="Cards">
            {cardBrands.map(({ name, digits }) => (
              <li key={name} aria-current={digits.test(cardNumber) || undefined}>
                {name}
              </li>
            ))}
          </ul>
        </>
      )}
      {promise && <p>{promise}</p>}
      {job.checkoutContact && <CheckoutContact contact={job.checkoutContact} />}
    </section>
  )
}
