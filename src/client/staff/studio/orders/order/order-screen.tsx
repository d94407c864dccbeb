import { Answered } from '#client/staff/kit/query/query-boundary.tsx'
import { useAnswer } from '#client/staff/kit/query/use-staff-query.ts'
import type { JobPlace } from '#client/staff/kit/routing/staff-urls.ts'
import { Panel } from '#client/staff/kit/screen/panel.tsx'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { getStaffOrder, type StaffOrder } from '#contract/studio/order-details.ts'
import styles from '../job-orders.module.css'
import { ordersUrl } from '../order-urls.ts'
import { OrderActions } from './order-actions.tsx'
import { OrderFacts } from './order-details.tsx'
import { OrderMoves } from './order-history.tsx'
import { OrderMoney } from './order-ledger.tsx'
import { OrderLines } from './order-line-list.tsx'

const Parts = ({ order }: { order: StaffOrder }) => (
  <div className={styles.page}>
    <Panel title="What was ordered">
      <OrderLines order={order} />
    </Panel>
    <div className={styles.part}>
      <Panel title="Who and where">
        <OrderFacts order={order} />
      </Panel>
      <Panel title="Money">
        <OrderMoney order={order} />
      </Panel>
      <Panel title="Its way so far">
        <OrderMoves order={order} />
      </Panel>
    </div>
  </div>
)

/** An order with all that staff know of it, and what may be done with it. */
export const OrderScreen = ({ orderNumber, ...job }: JobPlace & { orderNumber: string }) => {
  const { studioId, jobId } = job
  const reading = useAnswer(getStaffOrder, { params: { studioId, jobId, orderNumber } })
  return (
    <StaffScreen
      title={orderNumber}
      trail={[{ label: 'Orders', href: ordersUrl(job, 'prepay') }]}
      actions={reading.data && <OrderActions job={job} order={reading.data} size="md" />}
    >
      <Answered reading={reading}>{(order) => <Parts order={order} />}</Answered>
    </StaffScreen>
  )
}
