import X from 'lucide-react/icons/x'
import { getStaffOrder } from '../../../contract/studio/order-page.ts'
import { Answered } from '../../staff/answered.tsx'
import type { JobPlace } from '../../staff/staff-urls.ts'
import { useAnswer } from '../../staff/use-answer.ts'
import { ButtonLink, IconButton } from '../../ui/button.tsx'
import { OrderActions } from './order-actions.tsx'
import { OrderFacts } from './order-facts.tsx'
import { OrderLines } from './order-lines.tsx'
import { orderUrl } from './order-urls.ts'
import styles from './orders.module.css'

type OrderBesideProps = { job: JobPlace; orderNumber: string; onClose: () => void }

/** An order beside the list: what it is, what may be done with it, and the way to all the rest. */
export const OrderBeside = ({ job, orderNumber, onClose }: OrderBesideProps) => {
  const { studioId, jobId } = job
  const reading = useAnswer(getStaffOrder, { params: { studioId, jobId, orderNumber } })
  return (
    <aside className={styles.beside} aria-label="Open order">
      <div className={styles.besideHead}>
        <h2 className="tabular">{orderNumber}</h2>
        <IconButton icon={X} label="Close" onClick={onClose} />
      </div>
      <Answered reading={reading}>
        {(order) => (
          <>
            <OrderFacts order={order} />
            <div className={styles.buttons}>
              <ButtonLink size="sm" href={orderUrl(job, orderNumber)}>
                Open the whole page
              </ButtonLink>
              <OrderActions job={job} order={order} size="sm" />
            </div>
            <OrderLines order={order} />
          </>
        )}
      </Answered>
    </aside>
  )
}
