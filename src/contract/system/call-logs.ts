import { boolean, enums, type Infer, integer, nullable, object, optional, string, type, unknown } from 'superstruct'
import { call } from '../shapes/call.ts'
import { Id, Instant } from '../shapes/primitives.ts'
import { pageOf, pageQuery } from '../shapes/responses.ts'
import { administrators, readProblems, writeProblems } from '../shapes/staff-call.ts'
import { logFilter } from './audit-entries.ts'

const logRow = {
  id: integer(),
  createdAt: Instant,
  studioId: nullable(integer()),
  studioName: nullable(string()),
  /** The order that it is about, and its job. */
  orderNumber: nullable(string()),
  jobId: nullable(integer()),
}

/** A request to the tax service, and what it answered. Personal data in both are masked. */
export const TaxCallRow = type({
  ...logRow,
  /** The HTTP status; null if there was no answer. */
  status: nullable(integer()),
  /** Why the tax is from the rates table instead. */
  error: nullable(string()),
  durationMs: nullable(integer()),
  /** The failed entry that this request repeats. */
  repeatsId: nullable(integer()),
  /** Whether it failed, and concerns an order or a cart. */
  canRepeat: boolean(),
  request: unknown(),
  answer: unknown(),
})
export type TaxCallRow = Infer<typeof TaxCallRow>

export const taxCallStates = ['answered', 'failed'] as const

/** A page of the requests to the tax service, the newest first. `filter`: the number of an order. */
export const listTaxCalls = call({
  method: 'GET',
  path: '/api/admin/vertex-logs',
  who: administrators,
  query: object({ ...pageQuery, ...logFilter, state: optional(enums(taxCallStates)) }),
  answer: pageOf(TaxCallRow),
  problems: readProblems,
})

/**
 * Repeats a failed request with the order or the cart as it is now. The result is a new entry, which is answered. It changes no amount of an
 * order.
 */
export const repeatTaxCall = call({
  method: 'POST',
  path: '/api/admin/vertex-logs/:id/repeat',
  who: administrators,
  params: object({ id: Id }),
  body: object({}),
  answer: TaxCallRow,
  problems: writeProblems,
})

export const mailStates = ['waiting', 'kept', 'sent', 'failed'] as const

/** An email, without its text. */
export const MailRow = type({
  ...logRow,
  /** `receipt`, `invitation` and so on. */
  kind: string(),
  /** The recipient's address, masked. */
  to: string(),
  state: enums(mailStates),
  attempts: integer(),
  error: nullable(string()),
  sentAt: nullable(Instant),
  /** Whether its text is stored and has no secrets, so that it can be sent again. */
  canResend: boolean(),
})
export type MailRow = Infer<typeof MailRow>

/** A page of the emails, the newest first. `filter`: the recipient's whole address, or the number of an order. */
export const listMails = call({
  method: 'GET',
  path: '/api/admin/sendgrid-logs',
  who: administrators,
  query: object({ ...pageQuery, ...logFilter, state: optional(enums(mailStates)) }),
  answer: pageOf(MailRow),
  problems: readProblems,
})

/** Sends an email again, as a new one. */
export const resendMail = call({
  method: 'POST',
  path: '/api/admin/sendgrid-logs/:id/resend',
  who: administrators,
  params: object({ id: Id }),
  body: object({}),
  answer: type({}),
  problems: writeProblems,
})
