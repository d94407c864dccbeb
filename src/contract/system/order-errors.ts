import { array, boolean, enums, type Infer, integer, nullable, object, optional, size, string, type } from 'superstruct'
import { call } from '../shapes/call.ts'
import { Count, Id, Instant, shortText } from '../shapes/primitives.ts'
import { pageOf, pageQuery } from '../shapes/responses.ts'
import { administrators, readProblems, writeProblems } from '../shapes/staff-call.ts'
import { logFilter } from './audit-entries.ts'

/** What failed and waits: money, print files for the lab, downloads, emails, images that cannot be read. */
export const orderErrorKinds = ['payment', 'refund', 'packet', 'download', 'email', 'image'] as const

/** Where an error is stored. */
export const orderErrorSources = ['order', 'email', 'image'] as const

export const orderErrorStates = ['open', 'resolved'] as const

const selection = { ...logFilter, kind: optional(enums(orderErrorKinds)), state: optional(enums(orderErrorStates)) }

/** Open errors with the same kind and message, except for numbers and addresses in it. */
export const OrderErrorCause = type({
  cause: string(),
  kind: enums(orderErrorKinds),
  /** The message of the latest one. */
  message: string(),
  count: Count,
  studioCount: Count,
  firstAt: Instant,
  lastAt: Instant,
})
export type OrderErrorCause = Infer<typeof OrderErrorCause>

const errorsPath = '/api/admin/order-errors' as const
const list = { method: 'GET', who: administrators, problems: readProblems } as const

/** The causes of errors, the most recent first. `filter`: the number of an order. */
export const listOrderErrorCauses = call({
  ...list,
  path: `${errorsPath}/causes`,
  query: object({ ...pageQuery, ...selection }),
  answer: pageOf(OrderErrorCause),
})

const key = { source: enums(orderErrorSources), id: integer(), studioId: nullable(integer()) }

export const OrderErrorRow = type({
  ...key,
  kind: enums(orderErrorKinds),
  studioName: nullable(string()),
  jobId: nullable(integer()),
  orderNumber: nullable(string()),
  /** Addresses in it are masked. */
  message: string(),
  createdAt: Instant,
  canRetry: boolean(),
  resolvedAt: nullable(Instant),
  /** Null if it was resolved by itself. */
  resolvedBy: nullable(string()),
  resolution: nullable(string()),
})
export type OrderErrorRow = Infer<typeof OrderErrorRow>

const ofCause = { ...selection, cause: optional(shortText(40)) }

/** A page of the errors, the newest first. */
export const listOrderErrors = call({
  ...list,
  path: errorsPath,
  query: object({ ...pageQuery, ...ofCause }),
  answer: pageOf(OrderErrorRow),
})

/** The number of errors that one call resolves. */
export const maxResolvedErrors = 200

/** Errors by their keys, or all that match a list’s query: the newest 200 of them. */
const which = {
  errors: optional(size(array(object({ ...key, id: Id, studioId: nullable(Id) })), 1, maxResolvedErrors)),
  all: optional(object(ofCause)),
}

const resolution = {
  method: 'POST',
  who: administrators,
  /** `remaining`: errors that match `all` beyond those of this call. */
  answer: type({ done: Count, refusals: array(type({ ...key, message: string() })), remaining: Count }),
  problems: writeProblems,
} as const

/** Retries what failed. An error leaves the list of open ones once its cause is gone. */
export const retryOrderErrors = call({ ...resolution, path: `${errorsPath}/retry`, body: object(which) })

/** Resolves errors without a retry, for a reason that stays with them. */
export const ignoreOrderErrors = call({
  ...resolution,
  path: `${errorsPath}/ignore`,
  body: object({ ...which, reason: shortText(500) }),
})
