import { showDate } from '../../domain/dates.ts'
import type { Reason } from './entry-guard.ts'

type Words = { title: string; sentence: string }

const words = {
  unreachable: {
    title: 'We can’t reach the studio right now',
    sentence: 'This phone seems to have no connection. Anything you chose before is kept; try again in a moment.',
  },
  'not-found': {
    title: 'We could not find this event',
    sentence: 'The link may be old or incomplete. Compare it with the card or e-mail you were given.',
  },
  unpublished: {
    title: 'This event is not open yet',
    sentence: 'The studio is still preparing it. Come back in a little while, or ask the studio when it opens.',
  },
  archived: {
    title: 'This event is closed',
    sentence: 'The studio has put it away. Ask the studio if you would still like to order.',
  },
  closed: {
    title: 'Ordering has ended',
    sentence: 'The time for orders is over. Ask the studio if you would still like to order.',
  },
  shut: {
    title: 'This event takes no orders right now',
    sentence: 'Enter the code you were given to see when it does, or ask the studio.',
  },
} as const satisfies Record<Exclude<Reason['why'], 'later'>, Words>

/** Why a customer can't order, and what to do about it, in words. */
export const reasonWords = (reason: Reason): Words =>
  reason.why === 'later'
    ? { title: 'Ordering has not begun yet', sentence: `It opens on ${showDate(reason.opens)}.` }
    : words[reason.why]
