import X from 'lucide-react/icons/x'
import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { type JobParams, orderUrl } from '#client/staff/kit/routing/staff-urls.ts'
import { getStaffOrder } from '#contract/studio/order-details.ts'
import { ButtonLink, IconButton } from '#ui/button/button.tsx'
import styles from '../job-orders.module.css'
import { OrderActions } from '../order/order-actions.tsx'
import { OrderDetails } from '../order/order-details.tsx'
import { OrderLineList } from '../order/order-line-list.tsx'
import { OrderStatus } from '../order-status.tsx'

type OrderPanelProps = { job: JobParams; orderNumber: string; onClose: () => void }

/** Side panel of an order: details, actions, lines, and a link to its page. */
export const OrderPanel = ({ job, orderNumber, onClose }: OrderPanelProps) => {
  const { studioId, jobId } = job
  const query = useStaffQuery(getStaffOrder, { params: { studioId, jobId, orderNumber } })
  return (
    <aside className={styles.sidePanel} aria-label="Open order">
      <div className={styles.sidePanelHead}>
        <h2 className="tabular">{orderNumber}</h2>
        <IconButton icon={X} label="Close" onClick={onClose} />
      </div>
      <QueryBoundary query={query}>
        {(order) => (
          <>
            <OrderStatus order={order} />
            <OrderDetails order={order} />
            <div className={styles.buttons}>
              <ButtonLink size="sm" href={orderUrl(job, orderNumber)}>
                Open the whole page
              </ButtonLink>
              <OrderActions job={job} order={order} size="sm" />
            </div>
            <OrderLineList order={order} />
          </>
        )}
      </QueryBoundary>
    </aside>
  )
}
