import { useJobContext } from '#client/customer/shared/job/job-context.tsx'
import { formatDate } from '#domain/shared/dates.ts'
import styles from '../discovery.module.css'

/** Organization, job, date and studio, so that customers notice a wrong school. */
export const SubjectSearchHeading = ({ title }: { title: string }) => {
  const { studio, job } = useJobContext()
  return (
    <div className={styles.heading}>
      <h1>{title}</h1>
      <p className={styles.jobInfo}>
        <strong>{job.organizationName}</strong>
        <span>
          {job.name}
          {job.eventDate && <>, {formatDate(job.eventDate)}</>}
        </span>
        <span>{studio.name}</span>
      </p>
    </div>
  )
}
