import { type AttendanceCounts, remainingCount, totalCount } from '#domain/subjects/attendance.ts'
import styles from './shoot.module.css'
import type { GroupCounts } from './shoot-counts.ts'

const ProgressBar = ({ counts, label }: { counts: AttendanceCounts; label: string }) => {
  const total = totalCount(counts)
  return (
    <progress
      className={styles.bar}
      max={Math.max(1, total)}
      value={total - remainingCount(counts)}
      aria-label={`${label}: how many are done`}
    />
  )
}

/** The number of remaining subjects, and the counts by attendance status. */
export const ShootDayProgress = ({ counts }: { counts: AttendanceCounts }) => (
  <section className={styles.progress} aria-label="Progress">
    <p className={styles.remaining}>
      <strong className="tabular">{remainingCount(counts)}</strong> left of{' '}
      <span className="tabular">{totalCount(counts)}</span>
    </p>
    <ProgressBar counts={counts} label="Everyone" />
    <dl className={styles.counts}>
      <div>
        <dt>Checked in</dt>
        <dd className="tabular">{counts.photographed}</dd>
      </div>
      <div>
        <dt>Absent</dt>
        <dd className="tabular">{counts.absent}</dd>
      </div>
      <div>
        <dt>Retake later</dt>
        <dd className="tabular">{counts.retake}</dd>
      </div>
    </dl>
  </section>
)

/** The number of remaining subjects of each group. */
export const ShootDayGroups = ({
  groups,
  onShow,
}: {
  groups: readonly GroupCounts[]
  onShow: (name: string) => void
}) => (
  <section className={styles.panel} aria-labelledby="shoot-groups">
    <h2 id="shoot-groups">Groups</h2>
    <ul className={styles.groups}>
      {groups.map(({ name, counts }) => (
        <li key={name}>
          <button type="button" className={styles.group} onClick={() => onShow(name)}>
            <span className={styles.groupName}>{name === '' ? 'In no group' : name}</span>
            <span className="tabular">{remainingCount(counts) === 0 ? 'Done' : `${remainingCount(counts)} left`}</span>
            <ProgressBar counts={counts} label={name === '' ? 'In no group' : name} />
          </button>
        </li>
      ))}
    </ul>
  </section>
)
