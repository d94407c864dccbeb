import type { Struct } from 'superstruct'
import { Nothing } from './primitives.ts'
import type { ProblemName } from './problems.ts'

/** The permissions a signed-in user's token may carry (section 6). */
export const permissions = ['studio.crud', 'studio.admin.crud', 'studio.users.crud', 'studio.financials.read'] as const
export type Permission = (typeof permissions)[number]

/**
 * Who may make a call. `anyone` needs nothing; `session` a customer's session cookie; `job` a session that redeemed the
 * code of the job in `:jobId` (or was granted it); `signed-in` a bearer token; `holds` a token with any of the
 * permissions.
 */
export type AccessRule = 'anyone' | 'session' | 'job' | 'signed-in' | { holds: readonly Permission[] }

/** The features that a studio can have (section 4, features). */
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
 * The condition on the studio under which its staff may make a call: a feature, the partner's verification, or both
 * (section 2, guards). `when`: applies only to matching queries; without it always. For calls whose path names no
 * studio, the caller's own studio counts.
 */
export type FeatureRequirement = {
  readonly feature?: Feature
  readonly verified?: true
  readonly when?: (query: Readonly<Record<string, unknown>>) => boolean
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export type Shape<Value> = Struct<Value, unknown>

type CallBase = {
  method: Method
  /** With `:name` for each parameter. */
  path: string
  who: AccessRule
  needs?: FeatureRequirement
  /**
   * Allowed before the studio is verified (section 2, guards); all other calls of its staff are rejected until then.
   */
  isExempt?: true
  /** It gives photos of children, as files or by email: an administrator needs the consent to see them as they are. */
  givesPhotos?: true
  /**
   * What an administrator gets instead of access codes, and of addresses with one, without the consent to see photos as they are: with a code
   * they could see them as a parent does. Each value replaces those of its key, at any depth of the answer; null, and keys without a value, stay.
   * The keys cannot be set either: the replacement leaves a value as it is, any other is refused.
   */
  codes?: Readonly<Record<string, unknown>>
  /** Its files contain access codes, or it sets those of a file: refused to an administrator without the same consent. */
  usesCodes?: true | ((params: Readonly<Record<string, unknown>>) => boolean)
  /** The `data` of a failed response, in addition to its messages (section 8); missing for most calls. */
  failureData?: false
  /** Problems in addition to those of every call (`bad-request`, `slow-down`, `maintenance`, `unexpected`). */
  problems: readonly ProblemName[]
}

// biome-ignore lint/suspicious/noExplicitAny: a struct's value type is invariant, so `unknown` would match no struct
type AnyShape = Shape<any>

/** One call of the API: the server mounts it, the client makes it, the tests iterate over it. */
export type AnyCall = CallBase & { params: AnyShape; query: AnyShape; body: AnyShape; answer: AnyShape }

const emptyInputs = { params: Nothing, query: Nothing, body: Nothing }

type CallDraft = CallBase & { answer: AnyShape } & Partial<Pick<AnyCall, keyof typeof emptyInputs>>

/**
 * Declares a call; `params`, `query` and `body` default to an empty object. A property that is not part of a call does
 * not compile.
 */
/* @__NO_SIDE_EFFECTS__ */
export const call = <Draft extends CallDraft>(
  draft: Draft & Record<Exclude<keyof Draft, keyof AnyCall>, never>,
): Omit<typeof emptyInputs, keyof Draft> & Draft => ({ ...emptyInputs, ...draft })

/** The URL of a call with its parameters and query. Throws on missing parameters, omits empty query values. */
export const pathOf = ({ path: template }: AnyCall, params: object, query: object): string => {
  const values = new Map<string, unknown>(Object.entries(params))
  const path = template.replace(/:(\w+)/g, (_, name: string) => {
    const value = values.get(name)
    if (value === undefined || value === null || value === '') throw new Error(`${template} needs ${name}`)
    return encodeURIComponent(String(value))
  })
  const queryEntries = Object.entries(query).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  )
  const pairs = queryEntries.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
  return pairs.length > 0 ? `${path}?${pairs.join('&')}` : path
}
