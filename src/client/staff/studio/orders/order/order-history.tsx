import { useStudio } from '#client/staff/kit/routing/staff-context.ts'
import { formatMoment } from '#client/staff/kit/screen/format.ts'
import type { StaffOrder } from '#contract/studio/order-details.ts'
import { orderStateNames } from '#domain/orders/order-states.ts'
import styles from '../job-orders.module.css'

/** State changes of an order, with their time, user and reason. */
export const OrderHistory = ({ order: { moves } }: { order: StaffOrder }) => {
  const { timeZone } = useStudio()
  return (
    <ol className={styles.history}>
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
