import { isAccessCode, normaliseAccessCode } from './access-code.ts'

/** What staff write down of somebody at a shoot: in front of the camera, not there, or to be photographed once more. */
export const markKinds = ['present', 'absent', 'retake'] as const
export type MarkKind = (typeof markKinds)[number]

/** How somebody stands at a shoot; who is `waiting` or comes `again` is still to be photographed. */
export const attendanceStatuses = ['waiting', 'photographed', 'absent', 'again'] as const
export type AttendanceStatus = (typeof attendanceStatuses)[number]

const statusByMark = { present: 'photographed', absent: 'absent', retake: 'again' } as const satisfies Record<
  MarkKind,
  AttendanceStatus
>

/** How somebody stands by the newest mark that was not undone; null where there is none. */
export const attendanceStatusOf = (newest: MarkKind | null): AttendanceStatus =>
  newest === null ? 'waiting' : statusByMark[newest]

/** How many people of a shoot stand how. */
export type AttendanceCounts = Readonly<Record<AttendanceStatus, number>>

/** How many are still to be photographed; who is absent is not waited for. */
export const remainingCount = ({ waiting, again }: AttendanceCounts): number => waiting + again

/** How many people there are in all. */
export const totalCount = (counts: AttendanceCounts): number =>
  counts.waiting + counts.photographed + counts.absent + counts.again

/** What a camera card's address says: the code, and the studio it was printed for; null slug where only a code was typed. */
export type ScannedCard = { code: string; slug: string | null }

const cardAddress = /^(?:https?:\/\/[^/\s]+)?\/([a-z0-9][a-z0-9-]*)\/code\/([^/?#\s]+)\/?(?:[?#].*)?$/i

/**
 * Reads what a camera, a hand scanner or somebody's fingers gave: the address on a camera card (`/:studioSlug/code/:code`), or a code by
 * itself. Null where it is neither.
 */
export const readCard = (scanned: string): ScannedCard | null => {
  const text = scanned.trim()
  const [, slug, printed] = cardAddress.exec(text) ?? []
  const code = normaliseAccessCode(printed ?? text)
  return isAccessCode(code) ? { code, slug: slug?.toLowerCase() ?? null } : null
}
