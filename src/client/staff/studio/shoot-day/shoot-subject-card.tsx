import Camera from 'lucide-react/icons/camera'
import RotateCcw from 'lucide-react/icons/rotate-ccw'
import Undo from 'lucide-react/icons/undo-2'
import UserX from 'lucide-react/icons/user-x'
import { useState } from 'react'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import { patchMark, type ShootSubject } from '#contract/studio/shoots.ts'
import type { MarkKind } from '#domain/subjects/attendance.ts'
import { Button } from '#ui/button/button.tsx'
import { Field } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import { AttendanceBadge } from './attendance-badge.tsx'
import { clockTime } from './clock-time.ts'
import styles from './shoot.module.css'

type ShootSubjectCardProps = {
  subject: ShootSubject
  job: JobParams
  /** The studio's time zone. */
  timeZone: string
  isUnsent: boolean
  onMark: (kind: MarkKind) => void
  onUndo: () => void
  onUpdate: (subject: ShootSubject) => void
}

const textOf = (value: string | null | undefined) => value ?? ''

/** File names of the first and last image, and a note. Saved on blur. */
const Details = ({
  subject,
  job,
  isUnsent,
  onUpdate,
}: Omit<ShootSubjectCardProps, 'onMark' | 'onUndo' | 'timeZone'>) => {
  const { mark } = subject
  const change = useStaffMutation(patchMark)
  const [typed, setTyped] = useState({
    firstFrame: textOf(mark?.firstFrame),
    lastFrame: textOf(mark?.lastFrame),
    note: textOf(mark?.note),
  })
  if (!mark) return null
  const save = async (name: keyof typeof typed) => {
    if (typed[name].trim() === textOf(mark[name])) return
    const answer = await change.mutate({ params: { ...job, key: mark.key }, body: { [name]: typed[name] } })
    if (answer.ok) onUpdate(answer.data)
  }
  const field = (name: keyof typeof typed, label: string) => (
    <Field label={label} optional>
      <TextInput
        value={typed[name]}
        disabled={isUnsent}
        autoComplete="off"
        onValue={(value) => setTyped({ ...typed, [name]: value })}
        onBlur={() => void save(name)}
      />
    </Field>
  )
  return (
    <div className={styles.details}>
      {mark.kind === 'present' && field('firstFrame', 'First frame')}
      {mark.kind === 'present' && field('lastFrame', 'Last frame')}
      <div className={styles.note}>{field('note', 'Note')}</div>
    </div>
  )
}

/** The chosen subject and its actions. */
export const ShootSubjectCard = (props: ShootSubjectCardProps) => {
  const { subject, job, timeZone, isUnsent, onMark, onUndo, onUpdate } = props
  const { firstName, lastName, groups, code, reference, standing, mark } = subject
  // A walk-up without an id from the server can only be undone.
  const isNumbered = subject.subjectId > 0
  const facts = [groups.join(', '), code, reference].filter(Boolean)
  return (
    <section className={styles.subject} data-standing={standing} aria-label="Who stands here">
      <div className={styles.who}>
        <h2 className={styles.name}>
          {firstName} {lastName}
        </h2>
        <p className={styles.facts}>{facts.join(' · ')}</p>
        <p className={styles.how} role="status">
          <AttendanceBadge of={standing} isUnsent={isUnsent} />
          {mark && (
            <span>
              {clockTime(mark.at, timeZone)}
              {mark.station && ` at station ${mark.station}`}
            </span>
          )}
        </p>
      </div>
      <div className={styles.acts}>
        {standing === 'photographed' ? (
          <Button
            size="lg"
            variant="secondary"
            icon={RotateCcw}
            wide
            disabled={!isNumbered}
            onClick={() => onMark('retake')}
          >
            Retake later
          </Button>
        ) : (
          <Button size="lg" icon={Camera} wide disabled={!isNumbered} onClick={() => onMark('present')}>
            Check in
          </Button>
        )}
        {standing === 'photographed' ? (
          <Button
            size="lg"
            variant="secondary"
            icon={Camera}
            wide
            disabled={!isNumbered}
            onClick={() => onMark('present')}
          >
            Check in again
          </Button>
        ) : (
          <Button
            size="lg"
            variant="secondary"
            icon={UserX}
            wide
            disabled={standing === 'absent'}
            onClick={() => onMark('absent')}
          >
            Absent
          </Button>
        )}
        {mark && (
          <Button size="lg" variant="secondary" icon={Undo} wide onClick={onUndo}>
            Undo
          </Button>
        )}
      </div>
      <Details key={mark?.key} subject={subject} job={job} isUnsent={isUnsent} onUpdate={onUpdate} />
    </section>
  )
}
