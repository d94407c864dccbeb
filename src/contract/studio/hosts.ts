import { enums, type Infer, nullable, object, size, string, type } from 'superstruct'
import type { AnyCall } from '../shapes/call.ts'
import { Instant, Nothing } from '../shapes/primitives.ts'
import { listOf, pageQuery } from '../shapes/responses.ts'
import { readProblems, staff, studioParams, studioPath } from '../shapes/staff-call.ts'

/** A studio's own host name and its proof. `unicode`: its own letters beside punycode, where they cannot deceive. */
export const StudioHost = type({
  hostName: string(),
  unicode: nullable(string()),
  state: enums(['waiting', 'proved']),
  /** What proves it: a TXT record of this name, or a file at this address, with this text. */
  recordName: string(),
  fileAddress: string(),
  text: string(),
  addedAt: Instant,
  provedAt: nullable(Instant),
  /** Since when a proved one fails its checks. */
  failingSince: nullable(Instant),
  checkedAt: nullable(Instant),
  /** The result of the last check, as a sentence. */
  result: nullable(string()),
})
export type StudioHost = Infer<typeof StudioHost>

export const listHosts = {
  method: 'GET',
  path: `${studioPath}/hosts`,
  who: staff,
  isExempt: true,
  params: object(studioParams),
  query: object(pageQuery),
  body: Nothing,
  answer: listOf(StudioHost),
  problems: readProblems,
} satisfies AnyCall

/** Looks for the proof of a host name now. */
export const checkHost = {
  method: 'POST',
  path: `${studioPath}/hosts/check`,
  who: staff,
  isExempt: true,
  params: object(studioParams),
  query: Nothing,
  body: object({ hostName: size(string(), 1, 260) }),
  answer: StudioHost,
  problems: [...readProblems, 'refused'],
} satisfies AnyCall
