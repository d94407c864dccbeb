import CalendarClock from 'lucide-react/icons/calendar-clock'
import { useJobContext } from '#client/customer/shared/job/job-context.tsx'
import { Icon } from '#ui/icon.tsx'
import { orderDeadline } from './order-deadline.ts'
import styles from './select-package.module.css'

/** The order deadline, if the job has one. */
export const OrderDeadlineNotice = () => {
  const { job, preferences } = useJobContext()
  const deadline = orderDeadline(job.orderBy, preferences.orderByCountdown, new Date())
  if (!deadline) return null
  return (
    <p className={styles.orderBy}>
      <Icon of={CalendarClock} />
      <span>
        {deadline.passed ? 'Orders were due by ' : 'Order by '}
        <strong>{deadline.day}</strong>
        {deadline.left && <> · {deadline.left}</>}
      </span>
    </p>
  )
}
