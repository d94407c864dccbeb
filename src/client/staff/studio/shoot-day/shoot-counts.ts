import type { ShootSubject } from '#contract/studio/shoots.ts'
import type { AttendanceCounts, AttendanceStatus } from '#domain/subjects/attendance.ts'

/** Attendance of one group; the name is empty for subjects without a group. */
export type GroupCounts = { name: string; counts: AttendanceCounts }

const zeroCounts: AttendanceCounts = { waiting: 0, photographed: 0, absent: 0, retake: 0 }

export const countAttendance = (subjects: readonly ShootSubject[]): AttendanceCounts => {
  const counts: Record<AttendanceStatus, number> = { ...zeroCounts }
  for (const { status } of subjects) counts[status] += 1
  return counts
}

/** Counts by group: groups in the server's order, then groups created by walk-ups, then subjects without a group. */
export const countByGroup = (subjects: readonly ShootSubject[], groupNames: readonly string[]): GroupCounts[] => {
  const names = new Set([...groupNames.filter((name) => name !== ''), ...subjects.flatMap(({ groups }) => groups)])
  const groupCounts = [...names].map((name) => ({
    name,
    counts: countAttendance(subjects.filter(({ groups }) => groups.includes(name))),
  }))
  const ungrouped = subjects.filter(({ groups }) => groups.length === 0)
  return ungrouped.length > 0 ? [...groupCounts, { name: '', counts: countAttendance(ungrouped) }] : groupCounts
}

/** Subjects of a group who still have to be photographed. An empty name selects the subjects without a group. */
export const remainingInGroup = (subjects: readonly ShootSubject[], name: string): ShootSubject[] =>
  subjects
    .filter(({ groups }) => (name === '' ? groups.length === 0 : groups.includes(name)))
    .filter(({ status }) => status === 'waiting' || status === 'retake')

/** The 12 subjects that were marked last, the latest first. */
export const lastMarked = (subjects: readonly ShootSubject[]): ShootSubject[] =>
  subjects
    .filter(({ mark }) => mark !== null)
    .toSorted((left, right) => (right.mark?.at ?? '').localeCompare(left.mark?.at ?? ''))
    .slice(0, 12)
