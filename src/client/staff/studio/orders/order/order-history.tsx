import { useStudio } from '#client/staff/kit/routing/staff-context.ts'
import type { StaffOrder } from '#contract/studio/order-details.ts'
import { orderStateNames } from '#domain/orders/order-states.ts'
import styles from '../job-orders.module.css'
import { formatMoment } from '../order-format.ts'

/** State changes of an order, with time and user. */
export const OrderHistory = ({ order: { moves } }: { order: StaffOrder }) => {
  const { timeZone } = useStudio()
  return (
    <ol className={styles.trail}>
      {moves.map(({ to, at, by, reason }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the history is append-only
        <li key={index}>
          <span>{orderStateNames[to]}</span>
          <small className={styles.soft}>{[formatMoment(at, timeZone), by, reason].filter(Boolean).join(' · ')}</small>
        </li>
      ))}
    </ol>
  )
}
