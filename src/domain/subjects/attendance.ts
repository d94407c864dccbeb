import { isAccessCode, normaliseCode } from './access-code.ts'

/** What staff write down of somebody at a shoot: in front of the camera, not there, or to be photographed once more. */
export const markKinds = ['present', 'absent', 'retake'] as const
export type MarkKind = (typeof markKinds)[number]

/** How somebody stands at a shoot; who is `waiting` or comes `again` is still to be photographed. */
export const shootStandings = ['waiting', 'photographed', 'absent', 'again'] as const
export type ShootStanding = (typeof shootStandings)[number]

const standings = { present: 'photographed', absent: 'absent', retake: 'again' } as const satisfies Record<
  MarkKind,
  ShootStanding
>

/** How somebody stands by the newest mark that was not undone; null where there is none. */
export const standingBy = (newest: MarkKind | null): ShootStanding => (newest === null ? 'waiting' : standings[newest])

/** How many people of a shoot stand how. */
export type ShootCounts = Readonly<Record<ShootStanding, number>>

/** How many are still to be photographed; who is absent is not waited for. */
export const leftOf = ({ waiting, again }: ShootCounts): number => waiting + again

/** How many people there are in all. */
export const peopleIn = (counts: ShootCounts): number =>
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
  const code = normaliseCode(printed ?? text)
  return isAccessCode(code) ? { code, slug: slug?.toLowerCase() ?? null } : null
}
