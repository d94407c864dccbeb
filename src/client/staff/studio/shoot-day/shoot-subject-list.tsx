import X from 'lucide-react/icons/x'
import type { ShootSubject } from '#contract/studio/shoots.ts'
import { IconButton } from '#ui/button/button.tsx'
import { AttendanceBadge } from './attendance-badge.tsx'
import styles from './shoot.module.css'

type ShootSubjectListProps = {
  label: string
  people: readonly ShootSubject[]
  /** Shown if the list is empty. */
  empty: string
  isUnsent: (person: ShootSubject) => boolean
  onChoose: (person: ShootSubject) => void
  onClose?: () => void
}

/** A list of subjects to tap, with rows as high as a thumb. */
export const ShootSubjectList = ({ label, people, empty, isUnsent, onChoose, onClose }: ShootSubjectListProps) => (
  <section className={styles.panel} aria-label={label}>
    <div className={styles.panelHead}>
      <h2>{label}</h2>
      {onClose && <IconButton icon={X} label={`Close ${label}`} onClick={onClose} />}
    </div>
    {people.length === 0 ? (
      <p className={styles.empty}>{empty}</p>
    ) : (
      <ul className={styles.people}>
        {people.map((person) => (
          <li key={person.subjectId}>
            <button type="button" className={styles.line} onClick={() => onChoose(person)}>
              <span className={styles.lineName}>
                {person.firstName} {person.lastName}
                <small>{[person.groups.join(', '), person.code].filter(Boolean).join(' · ')}</small>
              </span>
              <AttendanceBadge of={person.standing} isUnsent={isUnsent(person)} />
            </button>
          </li>
        ))}
      </ul>
    )}
  </section>
)
