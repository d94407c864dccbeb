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
  /** Messages a user can act on; never empty. */
  errors: string[]
  fields?: Record<string, string[]>
  /** The problem's name in the contract, or `unreadable` for a response that does not match the call's definition. */
  problem?: string
  retryAfterSeconds?: number
}

/** `etag`: the etag of the data, if the response had one. */
export type CallResult<Data> = { ok: true; status: number; data: Data; etag?: string | undefined } | CallFailure

/** The status of a response without data: the data has not changed since the etag of the request. */
export const notModified = 304

export type CallInput<Call extends AnyCall> = {
  params?: Infer<Call['params']>
  query?: Infer<Call['query']>
  body?: Infer<Call['body']>
  /** Files, sent as a form instead of a body. */
  form?: FormData
  /** Idempotency key of a write; a new one is created if none is given. */
  idempotencyKey?: string
  /** The etag of the data that the caller has; if it is still current, the status is `notModified`. */
  etag?: string | undefined
  /** Bearer token of a signed-in user. */
  token?: string
  signal?: AbortSignal
  /** Timeout in milliseconds for a call that is known to take long. */
  timeoutMs?: number
}

/** Makes one call of the contract. Never throws for network or server failures: they are results too. */
export type RequestFunction = <Call extends AnyCall>(
  call: Call,
  input?: CallInput<Call>,
) => Promise<CallResult<Infer<Call['answer']>>>

export type HttpRequest = {
  method: string
  url: string
  headers: Record<string, string>
  body: string | undefined
  /** Instead of a body. */
  form?: FormData | undefined
  signal: AbortSignal
}
export type HttpResponse = { status: number; text: string; retryAfter: string | null; etag?: string | null }

/** The parts of a response that come from its headers. */
export const responseHeaders = ({ headers }: { headers: Headers }): Pick<HttpResponse, 'retryAfter' | 'etag'> => ({
  retryAfter: headers.get('retry-after'),
  etag: headers.get('etag'),
})

/** Sends one HTTP request; rejects if no response arrived. */
export type Transport = (request: HttpRequest) => Promise<HttpResponse>

/**
 * Timeout of a call, including its body: `navigator.onLine` does not prove that the server can be reached. Files get
 * more time.
 */
const defaultTimeoutMs = 10_000
const uploadTimeoutMs = 120_000

export const createRequest =
  (send: Transport, timers: Timers = deviceTimers): RequestFunction =>
  async (call, input = {}) => {
    const timeout = startTimeout(timers, input)
    try {
      return readResponse(call, await send(buildRequest(call, input, timeout.signal)))
    } catch {
      return { ...unreachable, errors: explainErrors({ status: 'unreachable', errors: [] }) }
    } finally {
      timeout.end()
    }
  }

export const unreachable: CallFailure = {
  ok: false,
  status: 'unreachable',
  errors: [noAnswerMessage],
}

const startTimeout = (timers: Timers, { signal: callerSignal, form, timeoutMs }: CallInput<AnyCall>) => {
  const controller = new AbortController()
  const abort = () => controller.abort()
  const cancel = timers.after(timeoutMs ?? (form ? uploadTimeoutMs : defaultTimeoutMs), abort)
  if (callerSignal?.aborted) abort()
  callerSignal?.addEventListener('abort', abort)
  const end = () => {
    cancel()
    callerSignal?.removeEventListener('abort', abort)
  }
  return { signal: controller.signal, end }
}

const buildRequest = (call: AnyCall, input: CallInput<AnyCall>, signal: AbortSignal): HttpRequest => {
  const isWrite = call.method !== 'GET'
  const hasBody = isWrite && !input.form && (call.method !== 'DELETE' || input.body !== undefined)
  const headers: Record<string, string> = { accept: 'application/json' }
  if (hasBody) headers['content-type'] = 'application/json'
  if (isWrite) headers['idempotency-key'] = input.idempotencyKey ?? randomId()
  if (input.etag) headers['if-none-match'] = input.etag
  if (input.token) headers.authorization = `Bearer ${input.token}`
  return {
    method: call.method,
    url: pathOf(call, input.params ?? {}, input.query ?? {}),
    headers,
    body: hasBody ? JSON.stringify(input.body ?? {}) : undefined,
    ...(input.form && { form: input.form }),
    signal,
  }
}

/**
 * Whether the server itself responded: neither a dropped connection nor a hotel's sign-in page proves that it can be
 * reached.
 */
export const isServerResponse = (answer: CallResult<unknown>): boolean =>
  answer.ok || (answer.status !== 'unreachable' && answer.problem !== 'unreadable')

/** The message for a failure that has none (section 8). */
const genericMessage = 'An error occurred'

/** The server's messages. If it only says that something failed, or to wait, our own states the cause and how long. */
const explainErrors = ({
  errors,
  ...failure
}: Pick<CallFailure, 'status' | 'errors' | 'problem' | 'retryAfterSeconds'>): string[] => {
  const isExplained = ![undefined, genericMessage, slowDownMessage].includes(errors[0])
  return isExplained ? errors : [failureMessage(failure) ?? genericMessage]
}

const readResponse = <Call extends AnyCall>(call: Call, response: HttpResponse): CallResult<Infer<Call['answer']>> => {
  const body = parse(response.text)
  if (response.status >= 200 && response.status < 300) {
    const data = typeof body === 'object' && body !== null && 'data' in body ? body.data : undefined
    if (!is(data, call.answer)) return unreadableFailure(response.status)
    return { ok: true, status: response.status, data, ...(response.etag && { etag: response.etag }) }
  }
  const retryAfterSeconds = parseSeconds(response.retryAfter)
  const { errors, fields, problem } = is(body, Failure) ? body : noErrors
  const failure = { ok: false, status: response.status, errors, fields, problem, retryAfterSeconds } as const
  return { ...failure, errors: explainErrors(failure) }
}

/** Parses a stored response of a call; undefined if it does not match the call's definition. */
export const parseStoredResponse = <Call extends AnyCall>(
  call: Call,
  text: string,
): Infer<Call['answer']> | undefined => {
  const result = readResponse(call, { status: 200, text, retryAfter: null })
  return result.ok ? result.data : undefined
}

const noErrors: Failure = { errors: [] }

const unreadableFailure = (status: number): CallFailure => ({
  ok: false,
  status,
  errors: explainErrors({ status, errors: [] }),
  problem: 'unreadable',
})

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** `Retry-After` in seconds; our server never sends its other form, a date. */
const parseSeconds = (header: string | null): number | undefined =>
  header !== null && /^\d{1,6}$/.test(header) ? Number(header) : undefined
