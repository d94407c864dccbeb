import { array, type Infer, nullable, object, size, string, type } from 'superstruct'
import { call } from '../shapes/call.ts'
import { RedeemedCode } from './session-calls.ts'

/** A studio whose name or web address was typed on the home page; the city distinguishes studios with similar names. */
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

/** An event that a code of several studios may mean. Nothing is opened before one of them is chosen. */
export const EventOfCode = type({ code: string(), jobName: string(), studioSlug: string(), studioName: string() })
export type EventOfCode = Infer<typeof EventOfCode>

/** The most studios, and the most events, that one search lists. */
export const foundLimit = 10

/** Maximum length of the text typed on the home page. */
export const maxFindTextLength = 80

/**
 * Finds what was typed on the home page: an access code, and the studios with that name or web address. A code that only
 * one studio uses is redeemed as on that studio's page; the events of a code of several studios are listed.
 */
export const findEvent = call({
  method: 'GET',
  path: '/api/customer/find',
  who: 'anyone',
  query: object({ text: size(string(), 1, maxFindTextLength) }),
  answer: type({ event: nullable(OpenedEvent), events: array(EventOfCode), studios: array(FoundStudio) }),
  problems: ['not-found'],
})
