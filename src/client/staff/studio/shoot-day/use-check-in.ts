import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import type { ShootSubject } from '#contract/studio/shoots.ts'
import { type MarkKind, readCard } from '#domain/subjects/attendance.ts'
import { subjectByCard, subjectsMatching } from './find-subject.ts'
import { signalAttention, signalSuccess } from './scan-feedback.ts'
import type { WalkUpValues } from './use-pending-requests.ts'
import { useShoot } from './use-shoot.ts'

const stationStorageKey = 'shootStation'

const useStation = () => {
  const [station, setStation] = useState(() => localStorage.getItem(stationStorageKey) ?? '1')
  const saveStation = (newStation: string) => {
    setStation(newStation)
    localStorage.setItem(stationStorageKey, newStation)
  }
  return [station, saveStation] as const
}

/** A hand-held scanner types like a keyboard. If nothing has the focus, its first character focuses the returned field. */
const useScannerFocus = () => {
  const field = useRef<HTMLInputElement | HTMLTextAreaElement>(null)
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      const isNothingFocused = event.target === document.body
      if (isNothingFocused && /^[A-Z0-9]$/.test(event.key)) field.current?.focus()
    }
    document.addEventListener('keydown', handleKey)
    return () => document.removeEventListener('keydown', handleKey)
  }, [])
  return field
}

/** State of the check-in: finds subjects by card, code or name, and marks them at this tablet's station. */
export const useCheckIn = (job: JobParams) => {
  const [station, setStation] = useStation()
  const [text, setText] = useState('')
  const [message, setMessage] = useState('')
  const [chosenId, setChosenId] = useState<number | undefined>()
  const [unassignedCode, setUnassignedCode] = useState('')
  const field = useScannerFocus()
  // A chosen walk-up stays chosen when the server assigns its id.
  const day = useShoot(job, (temporaryId, subjectId) =>
    setChosenId((current) => (current === temporaryId ? subjectId : current)),
  )
  const { subjects } = day
  const matches = subjectsMatching(subjects, text)

  const mark = (subject: ShootSubject, kind: MarkKind) => {
    day.mark(subject, kind, station)
    setChosenId(subject.subjectId)
    setMessage('')
    signalSuccess()
    field.current?.focus({ preventScroll: true })
  }
  const scan = (scanned: string) => {
    const subject = subjectByCard(subjects, scanned)
    setText('')
    if (!subject) {
      const card = readCard(scanned)
      signalAttention()
      setMessage(card ? `No one in this job has the code ${card.code}` : 'This isn’t a camera card')
      setUnassignedCode(card?.code ?? '')
      return
    }
    if (subject.status === 'photographed') {
      setChosenId(subject.subjectId)
      setMessage(`${subject.firstName} was checked in before`)
      return signalAttention()
    }
    mark(subject, 'present')
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() === '') return
    if (subjectByCard(subjects, text)) return scan(text)
    const [match, ...otherMatches] = matches
    if (match && otherMatches.length === 0) {
      setText('')
      return setChosenId(match.subjectId)
    }
    if (matches.length === 0) scan(text)
  }
  const checkInWalkUp = (walkUp: WalkUpValues) => {
    void day.walkUp(walkUp, station).then(setChosenId)
    setUnassignedCode('')
    setMessage('')
    signalSuccess()
  }
  return {
    ...{ day, station, setStation, field, text, setText, matches, message },
    dismissMessage: () => setMessage(''),
    currentSubject: subjects.find(({ subjectId }) => subjectId === chosenId),
    chooseSubject: ({ subjectId }: ShootSubject) => setChosenId(subjectId),
    /** The code of a scanned card that belongs to no subject; empty if there is none. */
    unassignedCode,
    ...{ mark, scan, submit, checkInWalkUp },
  }
}

export type CheckIn = ReturnType<typeof useCheckIn>
