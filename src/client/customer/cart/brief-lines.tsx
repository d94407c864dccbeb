import type { JobServices } from '#domain/cart/order-service-types.ts'
import type { CartView } from '#local/store/cart-view.ts'
import { Price } from '#ui/price.tsx'
import { lineName } from '../shared/cart/line-texts.ts'
import { firstNameOf, orderedServices, serviceId } from '../shared/order-services/ordered-services.ts'
import styles from './cart.module.css'

type BriefLinesProps = { view: CartView; offeredServices: JobServices | undefined }

/** Lists the contents of a cart: name, quantity, subject and price of each package and service. */
export const BriefLines = ({ view, offeredServices }: BriefLinesProps) => (
  <ul className={styles.brief}>
    {view.lines.map(({ line, totalCents }) => (
      <li key={line.lineId}>
        <span className={styles.briefName}>
          {lineName(line)}
          {line.quantity > 1 && ` × ${line.quantity}`}
          <span className={styles.briefSubject}>for {line.snapshot.subject.firstName}</span>
        </span>
        <Price cents={totalCents} />
      </li>
    ))}
    {orderedServices(view.cart, offeredServices).map((service) => (
      <li key={serviceId(service)}>
        <span className={styles.briefName}>
          {service.name}
          <span className={styles.briefSubject}>for {firstNameOf(view.cart, service)}</span>
        </span>
        <Price cents={service.cents} />
      </li>
    ))}
  </ul>
)
