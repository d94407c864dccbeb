import ScanQrCode from 'lucide-react/icons/scan-qr-code'
import Search from 'lucide-react/icons/search'
import UserPlus from 'lucide-react/icons/user-plus'
import { type FormEvent, useEffect, useMemo, useRef, useState } from 'react'
import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStudio } from '#client/staff/kit/routing/staff-context.ts'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { useShortcuts } from '#client/staff/kit/screen/use-shortcuts.ts'
import type { ShootSubject } from '#contract/studio/shoots.ts'
import { type AttendanceCounts, type AttendanceStatus, type MarkKind, readCard } from '#domain/subjects/attendance.ts'
import { Button } from '#ui/button/button.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import { Field } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import { subjectByCard, subjectsMatching } from './find-subject.ts'
import { PendingCheckInsNotice } from './pending-check-ins-notice.tsx'
import { enableSound, signalAttention, signalSuccess } from './scan-feedback.ts'
import { Scanner } from './scanner.tsx'
import styles from './shoot.module.css'
import { type GroupCounts, ShootDayGroups, ShootDayProgress } from './shoot-day-progress.tsx'
import { ShootSubjectCard } from './shoot-subject-card.tsx'
import { ShootSubjectList } from './shoot-subject-list.tsx'
import { useOfflinePreparation } from './use-offline-preparation.ts'
import { useShoot } from './use-shoot.ts'
import { WalkUpDialog } from './walk-up-dialog.tsx'

const none: AttendanceCounts = { waiting: 0, photographed: 0, absent: 0, again: 0 }

const countsOf = (subjects: readonly ShootSubject[]): AttendanceCounts => {
  const counts: Record<AttendanceStatus, number> = { ...none }
  for (const { standing } of subjects) counts[standing] += 1
  return counts
}

/** Groups in the server's order, then groups created by walk-ups, then subjects without a group. */
const groupsOf = (subjects: readonly ShootSubject[], known: readonly string[]): GroupCounts[] => {
  const names = new Set([...known.filter((name) => name !== ''), ...subjects.flatMap(({ groups }) => groups)])
  const grouped = [...names].map((name) => ({
    name,
    counts: countsOf(subjects.filter(({ groups }) => groups.includes(name))),
  }))
  const others = subjects.filter(({ groups }) => groups.length === 0)
  return others.length > 0 ? [...grouped, { name: '', counts: countsOf(others) }] : grouped
}

const stationKey = 'shootStation'

const useStation = () => {
  const [station, setStation] = useState(() => localStorage.getItem(stationKey) ?? '1')
  const set = (next: string) => {
    setStation(next)
    localStorage.setItem(stationKey, next)
  }
  return [station, set] as const
}

/** Checks in subjects at the camera by card, code or name. */
export const ShootScreen = (job: JobParams) => {
  const { timeZone } = useStudio()
  const [station, setStation] = useStation()
  const [typed, setTyped] = useState('')
  const [message, setMessage] = useState('')
  const [chosenId, setChosenId] = useState<number | undefined>()
  const [isScanning, setScanning] = useState(false)
  const [walkUpCode, setWalkUpCode] = useState<string | undefined>()
  const [shownGroup, setShownGroup] = useState<string | undefined>()
  const field = useRef<HTMLInputElement | HTMLTextAreaElement>(null)
  // If the chosen walk-up gets its id, it stays chosen.
  const day = useShoot(job, (pendingId, subjectId) => setChosenId((now) => (now === pendingId ? subjectId : now)))
  useOfflinePreparation()
  const { subjects } = day
  const chosen = subjects.find(({ subjectId }) => subjectId === chosenId)
  const newest = useMemo(
    () =>
      subjects
        .filter(({ mark }) => mark !== null)
        .toSorted((one, other) => (other.mark?.at ?? '').localeCompare(one.mark?.at ?? ''))
        .slice(0, 12),
    [subjects],
  )

  const mark = (subject: ShootSubject, kind: MarkKind) => {
    day.mark(subject, kind, station)
    setChosenId(subject.subjectId)
    setMessage('')
    signalSuccess()
    field.current?.focus({ preventScroll: true })
  }
  const scan = (scanned: string) => {
    const subject = subjectByCard(subjects, scanned)
    setTyped('')
    if (!subject) {
      const card = readCard(scanned)
      signalAttention()
      setMessage(card ? `Nobody of this job has the code ${card.code}` : 'This is no camera card')
      setSpareCode(card?.code ?? '')
      return
    }
    if (subject.standing === 'photographed') {
      setChosenId(subject.subjectId)
      setMessage(`${subject.firstName} was checked in before`)
      return signalAttention()
    }
    mark(subject, 'present')
  }
  const [spareCode, setSpareCode] = useState('')
  const matches = subjectsMatching(subjects, typed)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (typed.trim() === '') return
    if (subjectByCard(subjects, typed)) return scan(typed)
    const [match, other] = matches
    if (match && !other) {
      setTyped('')
      return setChosenId(match.subjectId)
    }
    if (matches.length === 0) scan(typed)
  }
  const keys = useMemo(
    () => [
      { key: 's', description: 'Scan with the camera, or stop', run: () => setScanning((now) => !now) },
      { key: 'w', description: 'Put a walk-up on the list', run: () => setWalkUpCode('') },
    ],
    [],
  )
  useShortcuts(keys)
  // A hand-held scanner types into the focused element: its first letter moves the focus here.
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      const isFree = event.target === document.body
      if (isFree && /^[A-Z0-9]$/.test(event.key)) field.current?.focus()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])

  const known = (day.shoot?.groups ?? []).map(({ name }) => name)
  const groups = groupsOf(subjects, known)
  return (
    <StaffScreen title="Shoot day">
      <QueryBoundary query={day.query}>
        {() => (
          <div className={styles.day} onPointerDown={enableSound}>
            <ShootDayProgress counts={countsOf(subjects)} />
            <div className={styles.desk}>
              <PendingCheckInsNotice unsent={day.pendingRequests} onSend={day.sendNow} onDrop={day.discard} />
              <form className={styles.finder} onSubmit={submit}>
                <Field label="Card, code or name" className={styles.find}>
                  <TextInput
                    ref={field}
                    type="search"
                    size="lg"
                    autoComplete="off"
                    autoCapitalize="characters"
                    enterKeyHint="go"
                    spellCheck={false}
                    data-list-filter
                    value={typed}
                    onValue={setTyped}
                  />
                </Field>
                <Button type="submit" size="lg" icon={Search} variant="secondary">
                  Find
                </Button>
                <Button
                  size="lg"
                  icon={ScanQrCode}
                  aria-pressed={isScanning}
                  onClick={() => {
                    enableSound()
                    setScanning(!isScanning)
                  }}
                >
                  {isScanning ? 'Stop' : 'Scan'}
                </Button>
              </form>
              {isScanning && <Scanner onRead={scan} />}
              {message !== '' && (
                <Notice
                  tone="attention"
                  onDismiss={() => setMessage('')}
                  action={
                    spareCode !== '' && (
                      <Button icon={UserPlus} variant="secondary" onClick={() => setWalkUpCode(spareCode)}>
                        Walk-up with this card
                      </Button>
                    )
                  }
                >
                  {message}
                </Notice>
              )}
              {typed.trim() !== '' && (
                <ShootSubjectList
                  label="Found"
                  subjects={matches}
                  empty="Nobody on the list is called that"
                  isUnsent={day.isPending}
                  onChoose={(subject) => {
                    setTyped('')
                    setMessage('')
                    setChosenId(subject.subjectId)
                  }}
                />
              )}
              {chosen && typed.trim() === '' && (
                <ShootSubjectCard
                  subject={chosen}
                  job={job}
                  timeZone={timeZone}
                  isUnsent={day.isPending(chosen)}
                  onMark={(kind) => mark(chosen, kind)}
                  onUndo={() => day.undo(chosen)}
                  onUpdate={day.applyUpdate}
                />
              )}
              <div className={styles.foot}>
                <Button size="lg" variant="secondary" icon={UserPlus} onClick={() => setWalkUpCode('')}>
                  Walk-up
                </Button>
                <Field label="Station" className={styles.station}>
                  <TextInput size="lg" value={station} maxLength={20} autoComplete="off" onValue={setStation} />
                </Field>
              </div>
            </div>
            <div className={styles.beside}>
              {shownGroup !== undefined && (
                <ShootSubjectList
                  label={shownGroup === '' ? 'In no group' : shownGroup}
                  subjects={subjects
                    .filter(({ groups: of }) => (shownGroup === '' ? of.length === 0 : of.includes(shownGroup)))
                    .filter(({ standing }) => standing === 'waiting' || standing === 'again')}
                  empty="Nobody of this group is left"
                  isUnsent={day.isPending}
                  onChoose={(subject) => setChosenId(subject.subjectId)}
                  onClose={() => setShownGroup(undefined)}
                />
              )}
              <ShootSubjectList
                label="Last"
                subjects={newest}
                empty="People you check in appear here, the latest first"
                isUnsent={day.isPending}
                onChoose={(subject) => setChosenId(subject.subjectId)}
              />
              <ShootDayGroups groups={groups} onShow={setShownGroup} />
            </div>
          </div>
        )}
      </QueryBoundary>
      {walkUpCode !== undefined && (
        <WalkUpDialog
          open
          code={walkUpCode}
          groups={groups.map(({ name }) => name).filter((name) => name !== '')}
          onClose={() => setWalkUpCode(undefined)}
          onCheckIn={(newcomer) => {
            void day.walkUp(newcomer, station).then(setChosenId)
            setWalkUpCode(undefined)
            setSpareCode('')
            setMessage('')
            signalSuccess()
          }}
        />
      )}
    </StaffScreen>
  )
}
