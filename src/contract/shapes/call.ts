import type { Struct } from 'superstruct'
import type { ProblemName } from './problems.ts'

/** The permissions a signed-in user's token may carry (section 6). */
export const permissions = ['studio.crud', 'studio.admin.crud', 'studio.users.crud', 'studio.financials.read'] as const
export type Permission = (typeof permissions)[number]

/**
 * Who may make a call. `anyone` needs nothing; `session` a customer's session cookie; `job` a session that gave the code of the
 * job in `:jobId` (or was granted it); `signed-in` a bearer token; `holds` a token with any of the permissions.
 */
export type AccessRule = 'anyone' | 'session' | 'job' | 'signed-in' | { holds: readonly Permission[] }

/** What a studio may be given (section 4, features). */
export type Feature =
  | 'studioVerification'
  | 'rspoJob'
  | 'greenscreens'
  | 'yearbookPose'
  | 'digitalDownloads'
  | 'orderServices'
  | 'promotions'
  | 'workflows'
  | 'dataImport'
  | 'orderEntry'
  | 'reports'

/**
 * What the studio must have for its staff to make a call: a feature, the partner's verification, or both (section 2, guards). `when`:
 * only where it is asked so; without it always. Of a call that names no studio it is who asks whose studio counts.
 */
export type FeatureRequirement = {
  readonly feature?: Feature
  readonly verified?: true
  readonly when?: (query: Readonly<Record<string, unknown>>) => boolean
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

// biome-ignore lint/suspicious/noExplicitAny: the struct's own schema type, which no reader of a value needs
export type Shape<Value> = Struct<Value, any>

/** One call of the product: the server mounts it, the client makes it, the tests walk it. */
export type Call<Params, Query, Body, Answer> = {
  method: Method
  /** With `:name` for each parameter. */
  path: string
  who: AccessRule
  needs?: FeatureRequirement
  /** Open to a studio that waits for its verification (section 2, guards); to such a one every other call of its staff is shut. */
  isExempt?: true
  params: Shape<Params>
  query: Shape<Query>
  body: Shape<Body>
  answer: Shape<Answer>
  /** What a failed answer has as its `data`, beside the error messages (section 8); nothing for most calls. */
  failureData?: false
  /** What may go wrong beside what every call shares (`bad-request`, `slow-down`, `maintenance`, `unexpected`). */
  problems: readonly ProblemName[]
}

// biome-ignore lint/suspicious/noExplicitAny: a call of whatever shape, for tables of calls
export type AnyCall = Call<any, any, any, any>

/** Writes a call's path with its parameters and query; parameters that are missing throw, empty query values are left out. */
export const pathOf = (call: AnyCall, params: object, query: object): string => {
  const values = new Map<string, unknown>(Object.entries(params))
  const path = call.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = values.get(name)
    if (value === undefined || value === null || value === '') throw new Error(`${call.path} needs ${name}`)
    return encodeURIComponent(String(value))
  })
  const search = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '')
  const pairs = search.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
  return pairs.length > 0 ? `${path}?${pairs.join('&')}` : path
}
