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
import styles from './shoot.module.css'

/** Formats the time of day in the studio's time zone: `10:04 AM`. */
const formatTime = (instant: string, timeZone: string): string =>
  new Date(instant).toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit', timeZone })

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

const textOrEmpty = (value: string | null | undefined) => value ?? ''

/** The file names of the first and last image, and a note. Each field is saved on blur. */
const MarkFields = ({
  subject,
  job,
  isUnsent,
  onUpdate,
}: Omit<ShootSubjectCardProps, 'onMark' | 'onUndo' | 'timeZone'>) => {
  const { mark } = subject
  const change = useStaffMutation(patchMark)
  const [values, setValues] = useState({
    firstFrame: textOrEmpty(mark?.firstFrame),
    lastFrame: textOrEmpty(mark?.lastFrame),
    note: textOrEmpty(mark?.note),
  })
  if (!mark) return null
  const save = async (name: keyof typeof values) => {
    if (values[name].trim() === textOrEmpty(mark[name])) return
    const answer = await change.mutate({ params: { ...job, key: mark.key }, body: { [name]: values[name] } })
    if (answer.ok) onUpdate(answer.data)
  }
  const field = (name: keyof typeof values, label: string) => (
    <Field label={label} optional>
      <TextInput
        value={values[name]}
        disabled={isUnsent}
        autoComplete="off"
        onValue={(value) => setValues({ ...values, [name]: value })}
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

/** The chosen subject with the actions of the shoot day. */
export const ShootSubjectCard = (props: ShootSubjectCardProps) => {
  const { subject, job, timeZone, isUnsent, onMark, onUndo, onUpdate } = props
  const { firstName, lastName, groups, code, reference, status, mark } = subject
  // A walk-up can be marked once the server has assigned its id. Until then it can only be undone.
  const hasServerId = subject.subjectId > 0
  const details = [groups.join(', '), code, reference].filter(Boolean)
  return (
    <section className={styles.subject} data-status={status} aria-label="Current subject">
      <div className={styles.identity}>
        <h2 className={styles.name}>
          {firstName} {lastName}
        </h2>
        <p className={styles.facts}>{details.join(' · ')}</p>
        <p className={styles.status} role="status">
          <AttendanceBadge status={status} isUnsent={isUnsent} />
          {mark && (
            <span>
              {formatTime(mark.at, timeZone)}
              {mark.station && ` at station ${mark.station}`}
            </span>
          )}
        </p>
      </div>
      <div className={styles.actions}>
        {status === 'photographed' ? (
          <Button
            size="lg"
            variant="secondary"
            icon={RotateCcw}
            wide
            disabled={!hasServerId}
            onClick={() => onMark('retake')}
          >
            Retake later
          </Button>
        ) : (
          <Button size="lg" icon={Camera} wide disabled={!hasServerId} onClick={() => onMark('present')}>
            Check in
          </Button>
        )}
        {status === 'photographed' ? (
          <Button
            size="lg"
            variant="secondary"
            icon={Camera}
            wide
            disabled={!hasServerId}
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
            disabled={status === 'absent'}
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
      <MarkFields key={mark?.key} subject={subject} job={job} isUnsent={isUnsent} onUpdate={onUpdate} />
    </section>
  )
}
