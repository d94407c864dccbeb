import type { UnavailableReason } from '#client/customer/shared/job/entry-guard.ts'
import { formatDate } from '#domain/shared/dates.ts'

const sentences = {
  'not-found': 'The link may be old or incomplete. Compare it with the card or e-mail you were given.',
  unpublished: 'The studio is still preparing it. Come back in a little while, or ask the studio when it opens.',
  archived: 'The studio has archived this event. Ask the studio if you would still like to order.',
  closed: 'The time for orders is over. Ask the studio if you would still like to order.',
  shut: 'Enter the code you were given to see when it does, or ask the studio.',
} as const satisfies Record<Exclude<UnavailableReason['why'], 'later' | 'unreachable' | 'failed'>, string>

/** What a customer who can't order can do, as one sentence. */
export const unavailableMessage = (reason: UnavailableReason): string => {
  if ('message' in reason) return `${reason.message}. Anything you chose before is kept on this phone.`
  return reason.why === 'later' ? `It opens on ${formatDate(reason.opens)}.` : sentences[reason.why]
}
