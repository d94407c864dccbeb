import type { SupportAccess } from '#contract/studio/support-access.ts'
import type { ConsentHours, SupportAccessState } from '#domain/studio/support-access.ts'
import { formatMoment } from '../screen/format.ts'
import type { BadgeTone } from '../screen/state-badge.tsx'

export const hoursLabel = (hours: ConsentHours): string => (hours === 1 ? '1 hour' : `${hours} hours`)

/** What an access allows: “Read-only, images blurred”. */
export const termsLabel = ({ mayChange, hasSharpPhotos }: SupportAccess): string =>
  `${mayChange ? 'With changes' : 'Read-only'}, images ${hasSharpPhotos ? 'shown' : 'blurred'}`

/** The end of an access, in the time zone of the studio or else of the browser. */
export const endLabel = ({ endsAt }: SupportAccess, timeZone: string | undefined): string =>
  endsAt === null ? '' : formatMoment(endsAt, timeZone)

export const stateLabels: Readonly<Record<SupportAccessState, { label: string; tone: BadgeTone }>> = {
  asked: { label: 'Pending', tone: 'attention' },
  open: { label: 'Has access', tone: 'success' },
  refused: { label: 'Had no access', tone: 'quiet' },
  ended: { label: 'Ended', tone: 'quiet' },
  expired: { label: 'Expired', tone: 'quiet' },
}

/** Why an administrator is no longer inside; undefined if it was their own choice. */
export const endReason = (
  { state, administratorName, endsAt, endedAt, endedBy }: SupportAccess,
  timeZone?: string,
): string | undefined => {
  const moment = (instant: string | null): string => formatMoment(instant ?? '', timeZone)
  if (state === 'expired') return `Your access ended on ${moment(endsAt)}.`
  if (endedBy === administratorName) return undefined
  if (state === 'refused') return `${endedBy ?? 'An owner'} refused your request on ${moment(endedAt)}.`
  return `${endedBy ?? 'An owner'} ended your access on ${moment(endedAt)}.`
}
