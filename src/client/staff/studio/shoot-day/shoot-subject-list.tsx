import X from 'lucide-react/icons/x'
import type { ShootSubject } from '#contract/studio/shoots.ts'
import { IconButton } from '#ui/button/button.tsx'
import { AttendanceBadge } from './attendance-badge.tsx'
import styles from './shoot.module.css'

type ShootSubjectListProps = {
  label: string
  subjects: readonly ShootSubject[]
  /** Shown if the list is empty. */
  empty: string
  isUnsent: (subject: ShootSubject) => boolean
  onChoose: (subject: ShootSubject) => void
  onClose?: () => void
}

/** A list of subjects to choose from, with rows that are large enough for touch. */
export const ShootSubjectList = ({ label, subjects, empty, isUnsent, onChoose, onClose }: ShootSubjectListProps) => (
  <section className={styles.panel} aria-label={label}>
    <div className={styles.panelHead}>
      <h2>{label}</h2>
      {onClose && <IconButton icon={X} label={`Close ${label}`} onClick={onClose} />}
    </div>
    {subjects.length === 0 ? (
      <p className={styles.empty}>{empty}</p>
    ) : (
      <ul className={styles.subjects}>
        {subjects.map((subject) => (
          <li key={subject.subjectId}>
            <button type="button" className={styles.line} onClick={() => onChoose(subject)}>
              <span className={styles.lineName}>
                {subject.firstName} {subject.lastName}
                <small>{[subject.groups.join(', '), subject.code].filter(Boolean).join(' · ')}</small>
              </span>
              <AttendanceBadge status={subject.status} isUnsent={isUnsent(subject)} />
            </button>
          </li>
        ))}
      </ul>
    )}
  </section>
)
