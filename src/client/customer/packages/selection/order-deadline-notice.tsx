import CalendarClock from 'lucide-react/icons/calendar-clock'
import { useJobContext } from '#client/customer/shared/job/job-context.tsx'
import { formatDate } from '#domain/shared/dates.ts'
import { Icon } from '#ui/icon.tsx'
import styles from './select-package.module.css'

const dayMs = 86_400_000

export type OrderDeadline = { day: string; left: string | null; passed: boolean }

/** The last day to order, with the days left if the studio wants a countdown. `today` is in local time. */
export const orderDeadline = (orderBy: string | null, showsCountdown: boolean, today: Date): OrderDeadline | null => {
  if (orderBy === null) return null
  const thisDay = Date.UTC(today.getFullYear(), today.getMonth(), today.getDate())
  const days = (Date.parse(orderBy) - thisDay) / dayMs
  return { day: formatDate(orderBy), left: showsCountdown && days >= 0 ? daysLeftLabel(days) : null, passed: days < 0 }
}

const daysLeftLabel = (days: number): string => {
  if (days === 0) return 'today is the last day'
  return days === 1 ? 'one day left' : `${days} days left`
}

/** The order deadline and what else parents must know about its dates, if there is any. `today` is in local time. */
export const OrderDeadlineNotice = ({ today = new Date() }: { today?: Date }) => {
  const { job, preferences } = useJobContext()
  const deadline = orderDeadline(job.orderBy, preferences.orderByCountdown, today)
  if (!deadline && job.orderNotes.length === 0) return null
  return (
    <p className={styles.orderBy}>
      <Icon of={CalendarClock} />
      <span>
        {deadline && (
          <>
            {deadline.passed ? 'Orders were due by ' : 'Order by '}
            <strong>{deadline.day}</strong>
            {deadline.left && <> · {deadline.left}</>}
          </>
        )}
        {job.orderNotes.map((note, index) => (
          <span key={note}>
            {(deadline || index > 0) && '. '}
            {note}
          </span>
        ))}
      </span>
    </p>
  )
}
