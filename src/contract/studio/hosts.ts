import { enums, type Infer, nullable, object, size, string, type } from 'superstruct'
import { call } from '../shapes/call.ts'
import { Instant } from '../shapes/primitives.ts'
import { listOf, pageQuery } from '../shapes/responses.ts'
import { readProblems, staff, studioParams, studioPath } from '../shapes/staff-call.ts'

/**
 * A studio's own host name and its proof. `unicode`: the readable form of a punycode name, unless it could be confused
 * with another name.
 */
export const StudioHost = type({
  hostName: string(),
  unicode: nullable(string()),
  state: enums(['waiting', 'proved']),
  /** The proof: a TXT record of this name, or a file at this address, with this text. */
  recordName: string(),
  fileAddress: string(),
  text: string(),
  addedAt: Instant,
  provedAt: nullable(Instant),
  /** When the current series of failed checks of a proved name began. */
  failingSince: nullable(Instant),
  checkedAt: nullable(Instant),
  /** The result of the last check, as a message. */
  result: nullable(string()),
})
export type StudioHost = Infer<typeof StudioHost>

export const listHosts = call({
  method: 'GET',
  path: `${studioPath}/hosts`,
  who: staff,
  isExempt: true,
  params: object(studioParams),
  query: object(pageQuery),
  answer: listOf(StudioHost),
  problems: readProblems,
})

/** Checks the proof of a host name now. */
export const checkHost = call({
  method: 'POST',
  path: `${studioPath}/hosts/check`,
  who: staff,
  isExempt: true,
  params: object(studioParams),
  body: object({ hostName: size(string(), 1, 260) }),
  answer: StudioHost,
  problems: [...readProblems, 'refused'],
})
