import { Link } from 'wouter'
import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { useStudio } from '#client/staff/kit/routing/staff-context.ts'
import { type JobParams, staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { type EnteredOrder, listEnteredOrders } from '#contract/studio/order-entry.ts'
import { formatMoney } from '#domain/pricing/money.ts'
import { toPage } from '#domain/shared/paging.ts'
import styles from './order-entry.module.css'

const paidBy = { card: 'Card', cash: 'Cash', check: 'Check', none: 'Nothing to pay' } as const

const when = (at: string, timeZone: string): string =>
  new Date(at).toLocaleString('en-US', { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit', timeZone })

const Row = ({ order, job }: { order: EnteredOrder; job: JobParams }) => {
  const { timeZone } = useStudio()
  return (
    <li>
      <Link href={staffUrls.job(job, `entry/${order.orderNumber}`)} className={styles.entered}>
        <span className={styles.lineName}>
          <strong>{order.customerName}</strong>
          <small>
            {order.orderNumber} · {when(order.placedAt, timeZone)}
            {order.enteredBy && ` · ${order.enteredBy}`}
          </small>
        </span>
        <span className={styles.paid}>
          <span className="tabular">{formatMoney(order.totalCents)}</span>
          <small>{order.state === 'cancelled' ? 'Cancelled' : paidBy[order.payMethod]}</small>
        </span>
      </Link>
    </li>
  )
}

/** The orders entered last in this job. */
export const EnteredOrders = ({ job }: { job: JobParams }) => {
  const { studioId, jobId } = job
  const query = useStaffQuery(listEnteredOrders, {
    params: { studioId, jobId },
    query: { currentPage: 1, pageSize: 10 },
  })
  return (
    <section className={styles.last} aria-labelledby="entered">
      <h2 id="entered">Entered last</h2>
      <QueryBoundary query={query}>
        {(data) => {
          const { resultItems } = toPage<EnteredOrder>(data)
          if (resultItems.length === 0) return <p className={styles.empty}>Orders appear here as you enter them.</p>
          return (
            <ul>
              {resultItems.map((order) => (
                <Row key={order.orderNumber} order={order} job={job} />
              ))}
            </ul>
          )
        }}
      </QueryBoundary>
    </section>
  )
}
