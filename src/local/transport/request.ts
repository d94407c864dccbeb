import { type Infer, is } from 'superstruct'
import { type AnyCall, pathOf } from '#contract/shapes/call.ts'
import { slowDownMessage } from '#contract/shapes/problems.ts'
import { Failure } from '#contract/shapes/responses.ts'
import { randomId } from '../outbox/device-stamp.ts'
import { failureMessage, noAnswerMessage } from './failure-cause.ts'
import { deviceTimers, type Timers } from './timers.ts'

export type CallFailure = {
  ok: false
  status: number | 'unreachable'
  /** Sentences a person can act on; never empty. */
  errors: string[]
  fields?: Record<string, string[]>
  /** The problem's name in the contract, or `unreadable` for an answer that is not what the call promises. */
  problem?: string
  retryAfterSeconds?: number
}

export type CallResult<Data> = { ok: true; status: number; data: Data } | CallFailure

export type CallInput<Asked extends AnyCall> = {
  params?: Infer<Asked['params']>
  query?: Infer<Asked['query']>
  body?: Infer<Asked['body']>
  /** Files, sent as a form in the place of a body. */
  form?: FormData
  /** For writes; a new one is made where none is given. */
  idempotencyKey?: string
  /** Bearer token of a signed-in user. */
  token?: string
  signal?: AbortSignal
  /** Milliseconds for a call that is known to take long. */
  timeoutMs?: number
}

/** Makes one call of the contract. Never throws for what network or server do: that is an answer too. */
export type RequestFunction = <Asked extends AnyCall>(
  call: Asked,
  given?: CallInput<Asked>,
) => Promise<CallResult<Infer<Asked['answer']>>>

export type HttpRequest = {
  method: string
  url: string
  headers: Record<string, string>
  body: string | undefined
  /** In the place of a body. */
  form?: FormData | undefined
  signal: AbortSignal
}
export type HttpResponse = { status: number; text: string; retryAfter: string | null }
/** Carries one letter; rejects when nothing came back. */
export type Transport = (letter: HttpRequest) => Promise<HttpResponse>

/** No call takes longer than this, its body included: `navigator.onLine` proves nothing, only a clock does. Files take their time. */
const defaultTimeoutMs = 10_000
const uploadTimeoutMs = 120_000

export const createRequest =
  (carry: Transport, timers: Timers = deviceTimers): RequestFunction =>
  async (call, given = {}) => {
    const patience = startTimeout(timers, given)
    try {
      return readResponse(call, await carry(buildRequest(call, given, patience.signal)))
    } catch {
      return { ...unreachable, errors: explained({ status: 'unreachable', errors: [] }) }
    } finally {
      patience.end()
    }
  }

export const unreachable: CallFailure = {
  ok: false,
  status: 'unreachable',
  errors: [noAnswerMessage],
}

const startTimeout = (timers: Timers, { signal: outer, form, timeoutMs: patience }: CallInput<AnyCall>) => {
  const controller = new AbortController()
  const abort = () => controller.abort()
  const cancel = timers.after(patience ?? (form ? uploadTimeoutMs : defaultTimeoutMs), abort)
  if (outer?.aborted) abort()
  outer?.addEventListener('abort', abort)
  const end = () => {
    cancel()
    outer?.removeEventListener('abort', abort)
  }
  return { signal: controller.signal, end }
}

const buildRequest = (call: AnyCall, given: CallInput<AnyCall>, signal: AbortSignal): HttpRequest => {
  const writes = call.method !== 'GET'
  const hasBody = writes && !given.form && (call.method !== 'DELETE' || given.body !== undefined)
  const headers: Record<string, string> = { accept: 'application/json' }
  if (hasBody) headers['content-type'] = 'application/json'
  if (writes) headers['idempotency-key'] = given.idempotencyKey ?? randomId()
  if (given.token) headers.authorization = `Bearer ${given.token}`
  return {
    method: call.method,
    url: pathOf(call, given.params ?? {}, given.query ?? {}),
    headers,
    body: hasBody ? JSON.stringify(given.body ?? {}) : undefined,
    ...(given.form && { form: given.form }),
    signal,
  }
}

/** Whether the server itself answered: neither a cut line nor a hotel's sign-in page proves that it can be reached. */
export const isServerResponse = (answer: CallResult<unknown>): boolean =>
  answer.ok || (answer.status !== 'unreachable' && answer.problem !== 'unreadable')

/** What is said of a failure that says nothing itself (section 8). */
const unexplained = 'An error occurred'

/** The server's messages. Where it only said that something failed, or to wait, ours say the cause and for how long. */
const explained = ({
  errors,
  ...failed
}: Pick<CallFailure, 'status' | 'errors' | 'problem' | 'retryAfterSeconds'>): string[] => {
  const isExplained = ![undefined, unexplained, slowDownMessage].includes(errors[0])
  return isExplained ? errors : [failureMessage(failed) ?? unexplained]
}

const readResponse = <Asked extends AnyCall>(call: Asked, reply: HttpResponse): CallResult<Infer<Asked['answer']>> => {
  const said = parse(reply.text)
  if (reply.status >= 200 && reply.status < 300) {
    const data = typeof said === 'object' && said !== null && 'data' in said ? said.data : undefined
    return is(data, call.answer) ? { ok: true, status: reply.status, data } : unreadable(reply.status)
  }
  const retryAfterSeconds = seconds(reply.retryAfter)
  const { errors, fields, problem } = is(said, Failure) ? said : noMessage
  const failed = { ok: false, status: reply.status, errors, fields, problem, retryAfterSeconds } as const
  return { ...failed, errors: explained(failed) }
}

/** What a call was answered with before, from the text that was kept of it; undefined where it is not what the call answers. */
export const parseStoredResponse = <Asked extends AnyCall>(
  call: Asked,
  text: string,
): Infer<Asked['answer']> | undefined => {
  const kept = readResponse(call, { status: 200, text, retryAfter: null })
  return kept.ok ? kept.data : undefined
}

const noMessage: Failure = { errors: [] }

const unreadable = (status: number): CallFailure => ({
  ok: false,
  status,
  errors: explained({ status, errors: [] }),
  problem: 'unreadable',
})

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** `Retry-After` in seconds; its other form, a date, is not one our server writes. */
const seconds = (header: string | null): number | undefined =>
  header !== null && /^\d{1,6}$/.test(header) ? Number(header) : undefined
