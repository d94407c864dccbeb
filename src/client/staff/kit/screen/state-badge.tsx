import { type JobState, jobStateNames } from '#domain/studio/job-states.ts'
import { classNames } from '#ui/class-names.ts'
import styles from './state-badge.module.css'

/** The color of a state: it is going on, it needs attention or comes later, or neither. */
export type BadgeTone = 'success' | 'attention' | 'quiet'

type StateBadgeProps = {
  tone: BadgeTone
  /** The name of the state. */
  children: string
}

/** A state as a badge: a dot and its name. */
export const StateBadge = ({ tone, children }: StateBadgeProps) => (
  <span className={classNames(styles.badge, styles[tone])}>{children}</span>
)

const jobTones: Readonly<Record<JobState, BadgeTone>> = {
  draft: 'quiet',
  upcoming: 'attention',
  open: 'success',
  closed: 'quiet',
  archived: 'quiet',
}

/** A job's state as a badge. */
export const JobStateBadge = ({ state }: { state: JobState }) => (
  <StateBadge tone={jobTones[state]}>{jobStateNames[state]}</StateBadge>
)
