import { useJobContext } from '#client/customer/shared/job/job-context.tsx'
import { formatDate } from '#domain/shared/dates.ts'
import styles from './select-package.module.css'

/** Explains a prepaid order to a customer who sees no images yet. */
export const PrepayHint = () => {
  const { eventDate } = useJobContext().job
  return (
    <p className={styles.hint}>
      {eventDate && `Picture day: ${formatDate(eventDate)}. `}
      You choose the packages now; the pictures go into them once they are taken.
    </p>
  )
}
