import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isAccessCode, normaliseAccessCode } from '#domain/subjects/subject-draft.ts'
import { isThrottled } from '../access/brute-force/brute-force-guard.ts'
import { currentSession } from '../access/sessions/sessions.ts'
import type { Deps } from '../deps.ts'
import { clientAddressOf } from '../http/client-address.ts'
import { type CodeResponses, collectResponses } from './collect-responses.ts'
import { createOwnApi } from './own-api.ts'

/** How long a page waits for its responses; after that, the client requests them, and shows that it is loading. */
export const maxWaitMs = 4_000

/** Resolves when the page must be sent. */
export const codePageDeadline = (): Promise<undefined> =>
  new Promise((resolve) => void setTimeout(resolve, maxWaitMs, undefined).unref())

/**
 * Whether a customer opens the address in a browser. Link previews, which send no such headers, and prefetches redeem no
 * code, because no one sees their page.
 */
const isPageNavigation = ({ method, headers }: FastifyRequest): boolean =>
  method === 'GET' &&
  headers['sec-fetch-mode'] === 'navigate' &&
  headers['sec-fetch-dest'] === 'document' &&
  !['sec-purpose', 'purpose', 'x-moz'].some((name) => /prefetch|prerender|preview/i.test(String(headers[name] ?? '')))

const isGuessThrottled = async (deps: Deps, request: FastifyRequest): Promise<boolean> => {
  const session = await currentSession(deps, request)
  return isThrottled(deps, { kind: 'code', session, grant: 'any', address: clientAddressOf(request) })
}

type OpenCodeInput = {
  readonly app: FastifyInstance
  readonly deps: Deps
  readonly request: FastifyRequest
  /** Resolves when the page must be sent. */
  readonly deadline: Promise<undefined>
}

/**
 * The responses for the page of an access code. Undefined if the client has to redeem the code itself: no customer opens
 * the page in a browser, the code is malformed, guesses of this address or session are slowed down, the connection is
 * closed, or the API refuses to answer or takes too long.
 */
export const openCode = async (
  { app, deps, request, deadline }: OpenCodeInput,
  { studioSlug, code: enteredCode }: { studioSlug: string; code: string },
): Promise<CodeResponses | undefined> => {
  const code = normaliseAccessCode(enteredCode)
  if (!isPageNavigation(request) || !isAccessCode(code)) return undefined
  const isThrottledNow = await Promise.race([isGuessThrottled(deps, request), deadline])
  if (isThrottledNow !== false) return undefined
  const api = createOwnApi(app, request)
  return api && (await collectResponses({ api, log: deps.log, deadline }, { studioSlug, code }))
}

/** Sends the page of a code. It contains private data, so it must never be stored. */
export const sendCodePage = (reply: FastifyReply, html: string, { setCookie }: CodeResponses): FastifyReply => {
  if (setCookie !== undefined) reply.header('set-cookie', setCookie)
  return reply.type('text/html; charset=utf-8').header('cache-control', 'private, no-store').send(html)
}
