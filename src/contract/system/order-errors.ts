import {
  array,
  boolean,
  enums,
  type Infer,
  integer,
  nullable,
  object,
  optional,
  size,
  string,
  type,
  union,
} from 'superstruct'
import { maxOrderErrorsPerCall, orderErrorKinds, orderErrorStates } from '#domain/orders/order-error-kinds.ts'
import { call } from '../shapes/call.ts'
import { Cents, Count, Instant, shortText } from '../shapes/primitives.ts'
import { pageOf, pageQuery } from '../shapes/responses.ts'
import { administrators, readProblems, writeProblems } from '../shapes/staff-call.ts'
import { logFilter } from './audit-entries.ts'

/** `filter`: the number of an order. `groupId`: the errors of one group. */
const errorFilter = {
  ...logFilter,
  kind: optional(enums(orderErrorKinds)),
  state: optional(enums(orderErrorStates)),
  groupId: optional(shortText(40)),
}

/** Errors with the same cause; numbers and addresses in their messages may differ. */
export const OrderErrorGroup = type({
  groupId: string(),
  kind: enums(orderErrorKinds),
  /** The message of the latest error. */
  message: string(),
  count: Count,
  studioCount: Count,
  first: Instant,
  last: Instant,
})
export type OrderErrorGroup = Infer<typeof OrderErrorGroup>

/** The errors grouped by their cause, the group with the latest error first. */
export const listOrderErrorGroups = call({
  method: 'GET',
  path: '/api/admin/order-errors/groups',
  who: administrators,
  query: object({ ...pageQuery, ...errorFilter }),
  answer: pageOf(OrderErrorGroup),
  problems: readProblems,
})

/** Something that failed and is not resolved. Its id is unique among the errors of its kind. */
export const OrderErrorRow = type({
  kind: enums(orderErrorKinds),
  id: string(),
  studioId: nullable(integer()),
  studioName: nullable(string()),
  jobId: nullable(integer()),
  orderNumbers: array(string()),
  /** The file, packet or kind of email that failed. */
  detail: nullable(string()),
  message: string(),
  amountCents: nullable(Cents),
  /** When it failed last. */
  failedAt: Instant,
  canRetry: boolean(),
  /** Who ignored it, and why; null for an open error. */
  ignored: nullable(type({ by: nullable(string()), at: Instant, reason: string() })),
})
export type OrderErrorRow = Infer<typeof OrderErrorRow>

/** A page of errors, the latest first. */
export const listOrderErrors = call({
  method: 'GET',
  path: '/api/admin/order-errors',
  who: administrators,
  query: object({ ...pageQuery, ...errorFilter }),
  answer: pageOf(OrderErrorRow),
  problems: readProblems,
})

const ErrorKey = object({ kind: enums(orderErrorKinds), id: shortText(60) })

/** Errors selected one by one, or all that match a filter. */
export const SelectedOrderErrors = union([
  object({ errors: size(array(ErrorKey), 1, maxOrderErrorsPerCall) }),
  object({ matching: object({ ...errorFilter, filter: optional(shortText(60)) }) }),
])
export type SelectedOrderErrors = Infer<typeof SelectedOrderErrors>

/** `refused` has the errors that stay as they are, by reason; `rest` are those that match but are too many for one call. */
export const OrderErrorResult = type({
  done: Count,
  refused: array(type({ reason: string(), count: Count })),
  rest: Count,
})
export type OrderErrorResult = Infer<typeof OrderErrorResult>

/** Retries what failed. An error leaves the list as soon as its source is healthy. */
export const retryOrderErrors = call({
  method: 'POST',
  path: '/api/admin/order-errors/retry',
  who: administrators,
  body: object({ which: SelectedOrderErrors }),
  answer: OrderErrorResult,
  problems: writeProblems,
})

/** Hides errors until their source fails again. */
export const ignoreOrderErrors = call({
  method: 'POST',
  path: '/api/admin/order-errors/ignore',
  who: administrators,
  body: object({ which: SelectedOrderErrors, reason: size(string(), 1, 500) }),
  answer: OrderErrorResult,
  problems: writeProblems,
})

/** Shows ignored errors again. */
export const reopenOrderErrors = call({ ...retryOrderErrors, path: '/api/admin/order-errors/reopen' })
