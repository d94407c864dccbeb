import type { ShootSubject } from '#contract/studio/shoots.ts'
import type { AttendanceCounts, AttendanceStatus } from '#domain/subjects/attendance.ts'

/** Attendance of one group; the name is empty for subjects without a group. */
export type GroupCounts = { name: string; counts: AttendanceCounts }

const none: AttendanceCounts = { waiting: 0, photographed: 0, absent: 0, again: 0 }

export const countAttendance = (subjects: readonly ShootSubject[]): AttendanceCounts => {
  const counts: Record<AttendanceStatus, number> = { ...none }
  for (const { standing } of subjects) counts[standing] += 1
  return counts
}

/** Groups in the server's order, then groups created by walk-ups, then subjects without a group. */
export const countByGroup = (subjects: readonly ShootSubject[], known: readonly string[]): GroupCounts[] => {
  const names = new Set([...known.filter((name) => name !== ''), ...subjects.flatMap(({ groups }) => groups)])
  const grouped = [...names].map((name) => ({
    name,
    counts: countAttendance(subjects.filter(({ groups }) => groups.includes(name))),
  }))
  const others = subjects.filter(({ groups }) => groups.length === 0)
  return others.length > 0 ? [...grouped, { name: '', counts: countAttendance(others) }] : grouped
}

/** Subjects of a group who have not been photographed; an empty name means subjects without a group. */
export const remainingInGroup = (subjects: readonly ShootSubject[], name: string): ShootSubject[] =>
  subjects
    .filter(({ groups }) => (name === '' ? groups.length === 0 : groups.includes(name)))
    .filter(({ standing }) => standing === 'waiting' || standing === 'again')

/** The 12 subjects marked last, latest first. */
export const lastMarked = (subjects: readonly ShootSubject[]): ShootSubject[] =>
  subjects
    .filter(({ mark }) => mark !== null)
    .toSorted((one, other) => (other.mark?.at ?? '').localeCompare(one.mark?.at ?? ''))
    .slice(0, 12)
