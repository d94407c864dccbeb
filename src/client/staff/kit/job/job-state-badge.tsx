import { type JobState, jobStateNames } from '#domain/studio/job-states.ts'
import { classNames } from '#ui/class-names.ts'
import styles from './job-state-badge.module.css'

/** Where a job is, in a word with a dot before it. */
export const JobStateBadge = ({ state }: { state: JobState }) => (
  <span className={classNames(styles.mark, styles[state])}>{jobStateNames[state]}</span>
)
