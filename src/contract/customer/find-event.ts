import { array, type Infer, nullable, object, size, string, type } from 'superstruct'
import { call } from '../shapes/call.ts'
import { RedeemedCode } from './session-calls.ts'

/** A studio whose name was typed on the home page; the city distinguishes studios with similar names. */
export const FoundStudio = type({ slug: string(), name: string(), city: nullable(string()) })
export type FoundStudio = Infer<typeof FoundStudio>

/** What an access code opened, and the studio that issued it. */
export const OpenedEvent = type({
  ...RedeemedCode.schema,
  /** The code as it is stored, without spaces and dashes. */
  code: string(),
  studioSlug: string(),
  studioName: string(),
})
export type OpenedEvent = Infer<typeof OpenedEvent>

/** Maximum length of the text typed on the home page. */
export const maxFindTextLength = 80

/**
 * Finds what was typed on the home page: an access code that only one studio uses, which is redeemed as on that studio's
 * page, and the studios with that name. The same answer for nothing found and for a code of several studios.
 */
export const findEvent = call({
  method: 'GET',
  path: '/api/customer/find',
  who: 'anyone',
  query: object({ text: size(string(), 1, maxFindTextLength) }),
  answer: type({ event: nullable(OpenedEvent), studios: array(FoundStudio) }),
  problems: ['not-found'],
})
