import { isAccessCode, normaliseAccessCode } from './subject-draft.ts'

/** What staff record for a subject at a shoot: photographed, absent, or to be photographed again. */
export const markKinds = ['present', 'absent', 'retake'] as const
export type MarkKind = (typeof markKinds)[number]

/** A subject's status at a shoot; `waiting` and `retake` are still to be photographed. */
export const attendanceStatuses = ['waiting', 'photographed', 'absent', 'retake'] as const
export type AttendanceStatus = (typeof attendanceStatuses)[number]

const statusByMark = { present: 'photographed', absent: 'absent', retake: 'retake' } as const satisfies Record<
  MarkKind,
  AttendanceStatus
>

/** The status from the newest mark that was not undone; `waiting` if there is none. */
export const attendanceStatusOf = (newest: MarkKind | null): AttendanceStatus =>
  newest === null ? 'waiting' : statusByMark[newest]

/** Number of subjects of a shoot by status. */
export type AttendanceCounts = Readonly<Record<AttendanceStatus, number>>

/** How many subjects are still to be photographed; absent ones do not count. */
export const remainingCount = ({ waiting, retake }: AttendanceCounts): number => waiting + retake

/** Number of subjects in total. */
export const totalCount = (counts: AttendanceCounts): number =>
  counts.waiting + counts.photographed + counts.absent + counts.retake

/**
 * The content of a scanned camera card: the code, and the studio it was printed for; slug is null if only a code was
 * typed.
 */
export type ScannedCard = { code: string; slug: string | null }

const cardAddress = /^(?:https?:\/\/[^/\s]+)?\/([a-z0-9][a-z0-9-]*)\/code\/([^/?#\s]+)\/?(?:[?#].*)?$/i

/**
 * Parses the input of a camera, a hand scanner or the keyboard: the address on a camera card
 * (`/:studioSlug/code/:code`) or a code alone. Null if it is neither.
 */
export const readCard = (scanned: string): ScannedCard | null => {
  const text = scanned.trim()
  const [, slug, codeOnCard] = cardAddress.exec(text) ?? []
  const code = normaliseAccessCode(codeOnCard ?? text)
  return isAccessCode(code) ? { code, slug: slug?.toLowerCase() ?? null } : null
}
