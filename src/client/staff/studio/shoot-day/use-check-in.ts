import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import type { ShootSubject } from '#contract/studio/shoots.ts'
import { type MarkKind, readCard } from '#domain/subjects/attendance.ts'
import { subjectByCard, subjectsMatching } from './find-subject.ts'
import { signalAttention, signalSuccess } from './scan-feedback.ts'
import type { WalkUpValues } from './use-pending-requests.ts'
import { useShoot } from './use-shoot.ts'

const stationKey = 'shootStation'

const useStation = () => {
  const [station, setStation] = useState(() => localStorage.getItem(stationKey) ?? '1')
  const set = (next: string) => {
    setStation(next)
    localStorage.setItem(stationKey, next)
  }
  return [station, set] as const
}

/** A hand-held scanner types into the focused element: its first letter moves the focus to the returned field. */
const useScannerFocus = () => {
  const field = useRef<HTMLInputElement | HTMLTextAreaElement>(null)
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      const isFree = event.target === document.body
      if (isFree && /^[A-Z0-9]$/.test(event.key)) field.current?.focus()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
  return field
}

/** State of the check-in: finds subjects by card, code or name, and marks them at this tablet's station. */
export const useCheckIn = (job: JobParams) => {
  const [station, setStation] = useStation()
  const [typed, setTyped] = useState('')
  const [message, setMessage] = useState('')
  const [chosenId, setChosenId] = useState<number | undefined>()
  const [spareCode, setSpareCode] = useState('')
  const field = useScannerFocus()
  // If the chosen walk-up gets its id, it stays chosen.
  const day = useShoot(job, (pendingId, subjectId) => setChosenId((now) => (now === pendingId ? subjectId : now)))
  const { subjects } = day
  const matches = subjectsMatching(subjects, typed)

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
  const checkInWalkUp = (newcomer: WalkUpValues) => {
    void day.walkUp(newcomer, station).then(setChosenId)
    setSpareCode('')
    setMessage('')
    signalSuccess()
  }
  return {
    ...{ day, station, setStation, field, typed, setTyped, matches, message },
    dismissMessage: () => setMessage(''),
    chosen: subjects.find(({ subjectId }) => subjectId === chosenId),
    choose: ({ subjectId }: ShootSubject) => setChosenId(subjectId),
    /** The code of a scanned card that belongs to no subject; empty if there is none. */
    spareCode,
    ...{ mark, scan, submit, checkInWalkUp },
  }
}

export type CheckIn = ReturnType<typeof useCheckIn>
