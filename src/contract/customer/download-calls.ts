import { array, enums, type Infer, integer, object, optional, size, string, type } from 'superstruct'
import type { AnyCall } from '../shapes/call.ts'
import { Day, Instant, Nothing } from '../shapes/primitives.ts'

/** A link's random part: 128 bits in letters, digits, `-` and `_`. One that lost some of it on its way leads nowhere, and is told so. */
const LinkId = size(string(), 1, 200)

/** A file; `thumbnail` is a small picture of it, 320 pixels on its longer side. */
const DownloadFile = type({
  name: string(),
  bytes: integer(),
  width: integer(),
  height: integer(),
  url: string(),
  thumbnail: optional(type({ url: string(), width: integer(), height: integer() })),
})
export type DownloadFile = Infer<typeof DownloadFile>

/**
 * What a link to downloads leads to. `waiting`: there is nothing to download yet (the pictures are still to be taken or chosen);
 * `expired`: it can be renewed. Files are listed for `ready` alone; `zipUrl` is for more than one. `making` says how many more are being
 * put on their background just now; there is no ZIP before they are.
 */
export const Download = type({
  state: enums(['ready', 'waiting', 'expired']),
  kind: enums(['single', 'all']),
  jobName: string(),
  studioName: string(),
  studioSlug: string(),
  personName: string(),
  expiresAt: Instant,
  /** The day on which it expires where the studio is, as the order's dates say it. */
  goodUntil: Day,
  files: array(DownloadFile),
  zipUrl: optional(string()),
  making: optional(integer()),
})
export type Download = Infer<typeof Download>

/** For whoever holds the link: it is the secret. */
export const getDownload = {
  method: 'GET',
  path: '/api/customer/downloads/:linkId',
  who: 'anyone',
  params: object({ linkId: LinkId }),
  query: Nothing,
  body: Nothing,
  answer: Download,
  problems: ['not-found'],
} satisfies AnyCall

/** Makes a link good for another ninety days, for who knows the order's number and its e-mail address. */
export const renewDownload = {
  method: 'POST',
  path: '/api/customer/downloads/:linkId/renew',
  who: 'anyone',
  params: object({ linkId: LinkId }),
  query: Nothing,
  body: object({ orderNumber: size(string(), 1, 40), email: size(string(), 3, 254) }),
  answer: Download,
  problems: ['not-found'],
} satisfies AnyCall
