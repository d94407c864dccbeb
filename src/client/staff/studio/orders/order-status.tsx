import { type BadgeTone, StateBadge } from '#client/staff/kit/screen/state-badge.tsx'
import type { StaffOrder } from '#contract/studio/order-details.ts'
import { type OrderState, orderStateNames } from '#domain/orders/order-states.ts'
import { formatMoney } from '#domain/pricing/money.ts'
import styles from './job-orders.module.css'
import { refundedCents } from './order/order-ledger.tsx'

type OrderStateBadgeProps = {
  state: OrderState
  /** Whether something keeps the order from going on. */
  isBlocked: boolean
}

const toneOf = ({ state, isBlocked }: OrderStateBadgeProps): BadgeTone =>
  isBlocked ? 'attention' : state === 'shipped' ? 'success' : 'quiet'

/** The state of an order, the same in lists and on its page. */
export const OrderStateBadge = (props: OrderStateBadgeProps) => (
  <StateBadge tone={toneOf(props)}>{orderStateNames[props.state]}</StateBadge>
)

/** The state of an order, its total, and what was refunded. */
export const OrderStatus = ({ order }: { order: StaffOrder }) => {
  const { state, why, packets, totals } = order
  const refunded = refundedCents(order)
  const isBlocked = why !== null || packets.some((packet) => packet.state === 'failed')
  return (
    <p className={styles.status}>
      <OrderStateBadge {...{ state, isBlocked }} />
      <strong>{formatMoney(totals.totalCents)}</strong>
      {refunded > 0 && <span>{formatMoney(refunded)} refunded</span>}
    </p>
  )
}
