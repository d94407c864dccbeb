import { Link } from 'wouter'
import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { useStudio } from '#client/staff/kit/routing/staff-context.ts'
import { type JobParams, staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { formatMoment } from '#client/staff/kit/screen/format.ts'
import { type EnteredOrder, listEnteredOrders } from '#contract/studio/order-entry.ts'
import { formatMoney } from '#domain/pricing/money.ts'
import { toPage } from '#domain/shared/paging.ts'
import styles from './order-entry.module.css'

const payMethodLabels = { card: 'Card', cash: 'Cash', check: 'Check', none: 'Nothing to pay' } as const

const OrderRow = ({ order, job }: { order: EnteredOrder; job: JobParams }) => {
  const { timeZone } = useStudio()
  return (
    <li>
      <Link href={staffUrls.job(job, `entry/${order.orderNumber}`)} className={styles.enteredOrder}>
        <span className={styles.lineName}>
          <strong>{order.customerName}</strong>
          <small>
            {order.orderNumber} · {formatMoment(order.placedAt, timeZone)}
            {order.enteredBy && ` · ${order.enteredBy}`}
          </small>
        </span>
        <span className={styles.paid}>
          <span className="tabular">{formatMoney(order.totalCents)}</span>
          <small>{order.state === 'cancelled' ? 'Cancelled' : payMethodLabels[order.payMethod]}</small>
        </span>
      </Link>
    </li>
  )
}

/** The ten orders of this job that were entered last. */
export const EnteredOrders = ({ job }: { job: JobParams }) => {
  const { studioId, jobId } = job
  const query = useStaffQuery(listEnteredOrders, {
    params: { studioId, jobId },
    query: { currentPage: 1, pageSize: 10 },
  })
  return (
    <section className={styles.enteredOrders} aria-labelledby="entered">
      <h2 id="entered">Recent</h2>
      <QueryBoundary query={query}>
        {(data) => {
          const { resultItems } = toPage<EnteredOrder>(data)
          if (resultItems.length === 0) return <p className={styles.empty}>Orders appear here as you enter them.</p>
          return (
            <ul>
              {resultItems.map((order) => (
                <OrderRow key={order.orderNumber} order={order} job={job} />
              ))}
            </ul>
          )
        }}
      </QueryBoundary>
    </section>
  )
}
