import { showDate } from '../../../domain/dates.ts'
import { useEvent } from '../event.tsx'
import styles from './select.module.css'

/** What a prepaid order is, to somebody who sees no pictures yet. */
export const BeforePictureDay = () => {
  const { eventDate } = useEvent().job
  return (
    <p className={styles.hint}>
      {eventDate && `Picture day: ${showDate(eventDate)}. `}
      You choose the packages now; the pictures go into them once they are taken.
    </p>
  )
}
