import { useStudio } from '#client/staff/kit/routing/staff-context.ts'
import { formatMoment } from '#client/staff/kit/screen/format.ts'
import type { StaffOrder } from '#contract/studio/order-details.ts'
import { orderStateNames } from '#domain/orders/order-states.ts'
import { formatMoney } from '#domain/pricing/money.ts'
import styles from '../job-orders.module.css'

type HistoryEntry = { label: string; at: string; by: string | null; reason: string | null }

/** The state changes of an order and its refunds, by time. */
const historyOf = ({ moves, ledger }: StaffOrder): HistoryEntry[] =>
  [
    ...moves.map(({ to, ...entry }) => ({ ...entry, label: orderStateNames[to] })),
    ...ledger
      .filter(({ kind, state }) => kind === 'refund' && state !== 'failed')
      .map(({ amountCents, ...entry }) => ({ ...entry, label: `Refund of ${formatMoney(amountCents)}` })),
  ].sort((first, second) => first.at.localeCompare(second.at))

/** State changes and refunds of an order, with their time, user and reason. */
export const OrderHistory = ({ order }: { order: StaffOrder }) => {
  const { timeZone } = useStudio()
  return (
    <ol className={styles.history}>
      {historyOf(order).map(({ label, at, by, reason }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the history is append-only
        <li key={index}>
          <span>{label}</span>
          <small className={styles.soft}>{[formatMoment(at, timeZone), by, reason].filter(Boolean).join(' · ')}</small>
        </li>
      ))}
    </ol>
  )
}
