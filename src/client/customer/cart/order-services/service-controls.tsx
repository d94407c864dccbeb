import { useState } from 'react'
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

/**
 * The value of a control: the customer's last choice until its write ends, then the stored value, which is up to date
 * by then.
 */
export const useOptimisticValue = <Value,>(stored: Value) => {
  const [pending, setPending] = useState<{ value: Value } | null>(null)
  const setOptimistically = async (value: Value, write: Promise<boolean>) => {
    const latest = { value }
    setPending(latest)
    await write.finally(() => setPending((current) => (current === latest ? null : current)))
  }
  return { value: pending ? pending.value : stored, setOptimistically }
}
