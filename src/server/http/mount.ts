import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { assert, type Infer } from 'superstruct'
import type { AnyCall } from '#contract/shapes/call.ts'
import { imagesHeader } from '#contract/shapes/responses.ts'
import { type AuthorizedCaller, authorize, type JobKey } from '../access/authorization/authorize.ts'
import { hiddenCodesFor, withoutCodes, withoutSetCodes } from '../access/authorization/hide-codes.ts'
import { recordSupportChange } from '../access/authorization/record-support-change.ts'
import type { JobAccess, Session } from '../access/sessions/sessions.ts'
import type { User } from '../access/tokens/access-token.ts'
import { auditedAs, auditedWith } from '../audit/audit-log.ts'
import type { Deps } from '../deps.ts'
import { contentDisposition } from '../file-responses/send-file.ts'
import { clientAddressOf } from './client-address.ts'
import { contentOfForm, type Form, type FormLimits, withForm } from './forms/multipart-form.ts'
import { idempotencyClaimOf, idempotencyKeyOf, type RecordResponse, type ReplayPolicy, runOnce } from './idempotency.ts'
import { imagesVersion } from './images-version.ts'
import { pageSizeProblem } from './paging/paginate-list.ts'
import { parseRequestPart } from './parse-request-part.ts'
import { type Answer, answerOf, CreatedFile, JsonText, Problem } from './problem.ts'

type Caller<Who> = Who extends 'job'
  ? { session: Session; job: JobKey; access: JobAccess }
  : Who extends 'session'
    ? { session: Session }
    : Who extends 'anyone'
      ? object
      : { user: User }

/** A handler's input: the parts of the request, parsed by the call's structs, and the caller as far as `who` requires. */
export type CallRequest<Call extends AnyCall> = {
  readonly params: Infer<Call['params']>
  readonly query: Infer<Call['query']>
  readonly body: Infer<Call['body']>
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** The request's `Idempotency-Key`, where it has one. */
  readonly key: string | undefined
  /**
   * Records the response within the handler's own transaction. A handler calls it last in its transaction if its work
   * must never run twice and cannot recognize a replay itself. Does nothing without a key.
   */
  readonly recordResponse: RecordResponse
} & Caller<Call['who']>

/** The result of a handler: its data, or a problem that the call lists (or that every call may have). */
export type CallOutcome<Call extends AnyCall> =
  | Infer<Call['answer']>
  | Problem<Call['problems'][number] | 'bad-request' | 'slow-down' | 'maintenance'>

export type Handler<Call extends AnyCall> = (
  callRequest: CallRequest<Call>,
) => Promise<CallOutcome<Call> | JsonText | CreatedFile>

/** Handles a call that takes a form, with its files. */
export type FormHandler<Call extends AnyCall> = (
  callRequest: CallRequest<Call> & { readonly form: Form },
) => Promise<CallOutcome<Call>>

type Options = {
  /**
   * The handling of a request with a used idempotency key. `rerun` if the work recognizes replays, as `cart/sync` does.
   */
  readonly repetition?: ReplayPolicy
}

type ParsedRequest = { params: never; query: never; body: never }

const readRequest = (call: AnyCall, request: FastifyRequest): ParsedRequest | Problem => {
  const query = parseRequestPart(request.query, call.query)
  if (query instanceof Problem) return query
  const pageProblem = pageSizeProblem(query.value)
  if (pageProblem) return pageProblem
  const body = parseRequestPart(request.body, call.body)
  if (body instanceof Problem) return body
  return { params: undefined as never, query: query.value as never, body: body.value as never } // typed by `CallRequest`
}

const recordNothing: RecordResponse = async () => {}

type MountedCall<Call extends AnyCall> = {
  readonly deps: Deps
  readonly call: Call
  readonly repetition: ReplayPolicy
  /** For calls that take a form. */
  readonly limits?: FormLimits
  readonly handle: Handler<Call> | FormHandler<Call>
}

/** Parses, authorizes and runs a call. */
const answerCall = async <Call extends AnyCall>(
  { deps, call, handle, repetition, limits }: MountedCall<Call>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Answer> => {
  const params = parseRequestPart(request.params, call.params)
  if (params instanceof Problem) return answerOf(params)
  // Authorizes before query and body are parsed, so that an unauthorized caller learns nothing about their format.
  const caller: AuthorizedCaller | Problem = await authorize(deps, call, {
    request,
    params: params.value,
    reportImagesVersion: (version) => void reply.header(imagesHeader, version),
  })
  if (caller instanceof Problem) return answerOf(caller)
  const parsed = readRequest(call, request)
  if (parsed instanceof Problem) return answerOf(parsed)
  const codes = hiddenCodesFor(call, caller.support)
  const body = codes ? withoutSetCodes(parsed.body, codes) : parsed.body
  if (body instanceof Problem) return answerOf(body)
  const key = call.method === 'GET' ? undefined : idempotencyKeyOf(request)
  if (key instanceof Problem) return answerOf(key)

  const answer = async (form?: Form): Promise<Answer> => {
    const work = async (record: RecordResponse): Promise<unknown> => {
      const recordResponse: RecordResponse = codes ? (tx, data) => record(tx, withoutCodes(data, codes)) : record
      const callRequest = {
        ...parsed,
        body,
        ...caller,
        params: params.value,
        request,
        reply,
        key,
        recordResponse,
        form,
      }
      const { user, support } = caller
      if (user && support && call.method !== 'GET') await recordSupportChange(deps, request, { user, support })
      const handled = await handle(callRequest as never) // the parts were just parsed by the call's structs and `who`, the form by its limits
      const result = codes ? withoutCodes(handled, codes) : handled
      const isData = !(result instanceof Problem || result instanceof CreatedFile)
      if (deps.settings.mode !== 'production' && isData)
        assert(result instanceof JsonText ? JSON.parse(result.text) : (result ?? {}), call.answer)
      return result
    }
    const content = form ? contentOfForm(form) : request.body
    const claim =
      key === undefined || repetition === 'unrecorded'
        ? undefined
        : idempotencyClaimOf(request, caller, { key, content })
    return claim ? await runOnce(deps, claim, repetition, work) : answerOf(await work(recordNothing))
  }
  const answerAnyContent = async (): Promise<Answer> => {
    if (!limits) return await answer()
    const outcome = await withForm(deps, request, { limits, work: answer })
    return outcome instanceof Problem ? answerOf(outcome) : outcome
  }
  const { support, apiToken } = caller
  const parts = { ...(support && { consentedBy: support.grantedBy }), ...(apiToken && { apiToken: apiToken.label }) }
  return await auditedWith(parts, answerAnyContent)
}

/** Adds the version of the images that the session may see to the response. */
export const addImagesVersion = async (deps: Deps, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
  const version = await imagesVersion(deps, request)
  if (version !== undefined) reply.header(imagesHeader, version)
}

const addRoute = <Call extends AnyCall>(app: FastifyInstance, mountedCall: MountedCall<Call>): void => {
  app.route({
    method: mountedCall.call.method,
    url: mountedCall.call.path,
    config: { failureData: mountedCall.call.failureData },
    handler: async (request, reply) => {
      const { path, who } = mountedCall.call
      // Reads the version before the work, so that the response is never older than its version. A call of a job reads it with the access.
      if (who !== 'job' && path.startsWith('/api/customer/')) await addImagesVersion(mountedCall.deps, request, reply)
      const origin = { address: clientAddressOf(request), requestId: request.id }
      return sendAnswer(reply, await auditedAs(origin, () => answerCall(mountedCall, request, reply)))
    },
  })
}

/** Mounts one call of the contract. The handler returns the data, or `problem(…)`. */
export const mount = <Call extends AnyCall>(
  app: FastifyInstance,
  deps: Deps,
  call: Call,
  handle: Handler<Call>,
  { repetition = 'recorded' }: Options = {},
): void => addRoute(app, { deps, call, handle, repetition })

/** The same for a call that takes a form. `mountFormCalls` creates an `app` that can parse forms. */
export const mountWithForm = <Call extends AnyCall>(
  { app, ...mountedCall }: { app: FastifyInstance; deps: Deps; limits: FormLimits },
  call: Call,
  handle: FormHandler<Call>,
): void => addRoute(app, { ...mountedCall, call, handle, repetition: 'recorded' })

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The `failureData` of the route's call. */
    failureData?: AnyCall['failureData'] | undefined
    /** Whether the route's URLs are signed for their users. */
    isSigned?: true
  }
}

/** Adds the `data` that some calls have in a failure. */
const withFailureData = (reply: FastifyReply, body: Answer['body']): Answer['body'] => {
  const { failureData } = reply.request.routeOptions.config
  return !(body instanceof JsonText) && 'errors' in body && failureData === false
    ? { data: failureData, ...body }
    : body
}

/** A client that reads nothing for this long is disconnected, because a file holds a database connection while it is created. */
const maxStallMs = 60_000

/** Sends a file while it is created. A failure in the middle cuts the connection, so that no part of it looks complete. */
const sendCreatedFile = (reply: FastifyReply, { name, contentType, body }: CreatedFile): FastifyReply => {
  reply.raw.setTimeout(maxStallMs, () => reply.raw.destroy())
  return reply.header('content-disposition', contentDisposition(name)).type(contentType).send(body)
}

/** Sends an answer with its status. API responses are never cached by proxies or browsers. */
export const sendAnswer = (reply: FastifyReply, { status, body, retryAfterSeconds }: Answer): FastifyReply => {
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(Math.max(1, Math.ceil(retryAfterSeconds))))
  reply.header('cache-control', 'no-store')
  if (body instanceof CreatedFile) return sendCreatedFile(reply, body)
  const etag = body instanceof JsonText ? body.etag : undefined
  if (etag !== undefined) reply.header('etag', etag)
  if (etag !== undefined && reply.request.headers['if-none-match'] === etag) return reply.code(304).send()
  return reply
    .code(status)
    .type('application/json; charset=utf-8')
    .send(body instanceof JsonText ? body.text : withFailureData(reply, body))
}
