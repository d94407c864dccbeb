import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { type JobParams, ordersUrl } from '#client/staff/kit/routing/staff-urls.ts'
import { Panel } from '#client/staff/kit/screen/panel.tsx'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { getStaffOrder, type StaffOrder } from '#contract/studio/order-details.ts'
import styles from '../job-orders.module.css'
import { OrderStatus } from '../order-status.tsx'
import { OrderActions } from './order-actions.tsx'
import { OrderDetails } from './order-details.tsx'
import { OrderEmails } from './order-emails.tsx'
import { OrderErrors } from './order-errors.tsx'
import { OrderHistory } from './order-history.tsx'
import { OrderLedger } from './order-ledger.tsx'
import { OrderLineList } from './order-line-list.tsx'

const OrderSections = ({ job, order }: { job: JobParams; order: StaffOrder }) => (
  <div className={styles.orderPage}>
    <div className={styles.section}>
      <Panel title="What was ordered">
        <OrderLineList order={order} />
      </Panel>
      <Panel title="Money">
        <OrderLedger job={job} order={order} />
      </Panel>
    </div>
    <div className={styles.section}>
      <Panel title="Who and where">
        <OrderDetails order={order} />
      </Panel>
      <Panel title="Timeline">
        <OrderHistory order={order} />
      </Panel>
      <Panel title="Emails">
        <OrderEmails order={order} />
      </Panel>
    </div>
  </div>
)

/** An order with all details and actions. */
export const OrderScreen = ({ orderNumber, ...job }: JobParams & { orderNumber: string }) => {
  const { studioId, jobId } = job
  const query = useStaffQuery(getStaffOrder, { params: { studioId, jobId, orderNumber } })
  return (
    <StaffScreen
      title={orderNumber}
      trail={[{ label: 'Orders', href: ordersUrl(job, 'prepay') }]}
      lead={query.data && <OrderStatus order={query.data} />}
      actions={query.data && <OrderActions job={job} order={query.data} size="md" />}
    >
      <QueryBoundary query={query}>
        {(order) => (
          <>
            <OrderErrors order={order} />
            <OrderSections job={job} order={order} />
          </>
        )}
      </QueryBoundary>
    </StaffScreen>
  )
}
