import CalendarClock from 'lucide-react/icons/calendar-clock'
import { Icon } from '../../ui/icon.tsx'
import { useEvent } from '../event.tsx'
import { orderByWords } from './order-by.ts'
import styles from './select.module.css'

/** Until when to order, where the event has such a day. */
export const OrderByLine = () => {
  const { job, preferences } = useEvent()
  const words = orderByWords(job.orderBy, preferences.orderByCountdown, new Date())
  if (!words) return null
  return (
    <p className={styles.orderBy}>
      <Icon of={CalendarClock} />
      <span>
        {words.passed ? 'Orders were due by ' : 'Order by '}
        <strong>{words.day}</strong>
        {words.left && <> · {words.left}</>}
      </span>
    </p>
  )
}
