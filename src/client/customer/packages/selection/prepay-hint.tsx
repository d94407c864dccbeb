import { useEvent } from '#client/customer/shared/job/job-context.tsx'
import { showDate } from '#domain/shared/dates.ts'
import styles from './select-package.module.css'

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
