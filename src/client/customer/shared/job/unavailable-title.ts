import type { UnavailableReason } from './entry-guard.ts'

const titles = {
  unreachable: 'We can’t reach the studio right now',
  failed: 'This did not load',
  'not-found': 'We could not find this event',
  unpublished: 'This event is not open yet',
  archived: 'This event is closed',
  closed: 'Ordering has ended',
  shut: 'This event isn’t taking orders right now',
  later: 'Ordering hasn’t started yet',
} as const satisfies Record<UnavailableReason['why'], string>

/** Why a customer can't order, as a short title. */
export const unavailableTitle = ({ why }: UnavailableReason): string => titles[why]
