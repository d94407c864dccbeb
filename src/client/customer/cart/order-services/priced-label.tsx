import type { OrderService } from '#domain/cart/order-service-types.ts'
import { toCents } from '#domain/pricing/money.ts'
import { Price } from '#ui/price.tsx'
import styles from './order-services.module.css'

/** A service's name, with its price at the end of the line. */
export const PricedLabel = ({ service }: { service: OrderService }) => (
  <span className={styles.label}>
    {service.name} <Price cents={toCents(service.price)} className={styles.price} />
  </span>
)
