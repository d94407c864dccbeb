import { array, enums, type Infer, integer, object, optional, size, string, type } from 'superstruct'
import { call } from '../shapes/call.ts'
import { Day, Id, Instant } from '../shapes/primitives.ts'

/**
 * The random part of a link: 128 bits as letters, digits, `-` and `_`. An incomplete one must be answered as not found,
 * so the shape accepts shorter ones too.
 */
const LinkId = size(string(), 1, 200)

/** A file; `thumbnail` is 320 pixels on its longer side. */
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
 * The content of a download link. `waiting`: there is nothing to download yet (images are still to be taken or chosen);
 * `expired`: the link can be renewed. Files are listed for `ready` only; `zipUrl` is set for more than one file.
 * `missingCount` is how many more files are being rendered on their background; until they are finished, `zipUrl` is
 * missing.
 */
export const Download = type({
  state: enums(['ready', 'waiting', 'expired']),
  kind: enums(['single', 'all']),
  jobName: string(),
  studioName: string(),
  studioSlug: string(),
  subjectName: string(),
  expiresAt: Instant,
  /** The day on which the link expires, in the studio's time zone, as in the order's dates. */
  goodUntil: Day,
  files: array(DownloadFile),
  zipUrl: optional(string()),
  missingCount: optional(integer()),
  /** The subject whose prints the job still sells. Ordering needs the code of the event, as everywhere. */
  printsOf: optional(type({ jobId: Id, subjectId: Id })),
})
export type Download = Infer<typeof Download>

/** Open to anyone with the link: the link itself is the secret. */
export const getDownload = call({
  method: 'GET',
  path: '/api/customer/downloads/:linkId',
  who: 'anyone',
  params: object({ linkId: LinkId }),
  answer: Download,
  problems: ['not-found'],
})

/** Renews a link for another ninety days; requires the order's number and e-mail address. */
export const renewDownload = call({
  method: 'POST',
  path: '/api/customer/downloads/:linkId/renew',
  who: 'anyone',
  params: object({ linkId: LinkId }),
  body: object({ orderNumber: size(string(), 1, 40), email: size(string(), 3, 254) }),
  answer: Download,
  problems: ['not-found'],
})
