import { getStaffOrder, type StaffOrder } from '../../../contract/studio/order-page.ts'
import { Answered } from '../../staff/answered.tsx'
import { Panel } from '../../staff/panel.tsx'
import { StaffScreen } from '../../staff/staff-screen.tsx'
import type { JobPlace } from '../../staff/staff-urls.ts'
import { useAnswer } from '../../staff/use-answer.ts'
import { OrderActions } from './order-actions.tsx'
import { OrderFacts } from './order-facts.tsx'
import { OrderLines } from './order-lines.tsx'
import { OrderMoney } from './order-money.tsx'
import { OrderMoves } from './order-moves.tsx'
import { ordersUrl } from './order-urls.ts'
import styles from './orders.module.css'

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
