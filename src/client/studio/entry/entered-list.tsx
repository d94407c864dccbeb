import { Link } from 'wouter'
import { type EnteredOrder, listEntered } from '../../../contract/studio/entry.ts'
import { formatMoney } from '../../../domain/money.ts'
import { pageIn } from '../../../domain/paging.ts'
import { Answered } from '../../staff/answered.tsx'
import { useStudio } from '../../staff/staff-context.ts'
import { type JobPlace, staffUrls } from '../../staff/staff-urls.ts'
import { useAnswer } from '../../staff/use-answer.ts'
import styles from './entry.module.css'

const paidBy = { card: 'Card', cash: 'Cash', check: 'Check', none: 'Nothing to pay' } as const

const when = (at: string, timeZone: string): string =>
  new Date(at).toLocaleString('en-US', { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit', timeZone })

const Row = ({ order, place }: { order: EnteredOrder; place: JobPlace }) => {
  const { timeZone } = useStudio()
  return (
    <li>
      <Link href={staffUrls.job(place, `entry/${order.orderNumber}`)} className={styles.entered}>
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

/** The last orders that were keyed in at this job. */
export const EnteredList = ({ place }: { place: JobPlace }) => {
  const { studioId, jobId } = place
  const reading = useAnswer(listEntered, { params: { studioId, jobId }, query: { currentPage: 1, pageSize: 10 } })
  return (
    <section className={styles.last} aria-labelledby="entered">
      <h2 id="entered">Keyed in last</h2>
      <Answered reading={reading}>
        {(data) => {
          const { resultItems } = pageIn<EnteredOrder>(data)
          if (resultItems.length === 0) return <p className={styles.empty}>Orders stand here as they are keyed in.</p>
          return (
            <ul>
              {resultItems.map((order) => (
                <Row key={order.orderNumber} order={order} place={place} />
              ))}
            </ul>
          )
        }}
      </Answered>
    </section>
  )
}
