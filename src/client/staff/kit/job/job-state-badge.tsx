import { type JobState, jobStateNames } from '#domain/studio/job-states.ts'
import { classNames } from '#ui/class-names.ts'
import styles from './job-state-badge.module.css'

/** A job's state as a badge. */
export const JobStateBadge = ({ state }: { state: JobState }) => (
  <span className={classNames(styles.badge, styles[state])}>{jobStateNames[state]}</span>
)
