import { useStudio } from '#client/staff/kit/routing/staff-context.ts'
import type { StaffOrder } from '#contract/studio/order-details.ts'
import { orderStateNames } from '#domain/orders/order-states.ts'
import styles from '../job-orders.module.css'
import { formatMoment } from '../order-format.ts'

/** Where an order has been, when, and by whom. */
export const OrderHistory = ({ order: { moves } }: { order: StaffOrder }) => {
  const { timeZone } = useStudio()
  return (
    <ol className={styles.trail}>
      {moves.map(({ to, at, by, reason }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: what has happened keeps its place
        <li key={place}>
          <span>{orderStateNames[to]}</span>
          <small className={styles.soft}>{[formatMoment(at, timeZone), by, reason].filter(Boolean).join(' · ')}</small>
        </li>
      ))}
    </ol>
  )
}
