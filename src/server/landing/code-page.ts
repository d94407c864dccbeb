import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isAccessCode, normaliseAccessCode } from '#domain/subjects/subject-draft.ts'
import { isThrottled } from '../access/brute-force/brute-force-guard.ts'
import { currentSession } from '../access/sessions/sessions.ts'
import type { Deps } from '../deps.ts'
import { clientAddressOf } from '../http/client-address.ts'
import { type CodeResponses, collectResponses } from './collect-responses.ts'
import { createOwnApi } from './own-api.ts'

/** How long a page waits for its responses; after that, the client requests them, and shows that it is loading. */
const maxWaitMs = 4_000

/**
 * Whether a person opens the address in a browser. Link previews, which send no such headers, and prefetches redeem no
 * code: as before, only a page that is shown does.
 */
const isVisit = ({ method, headers }: FastifyRequest): boolean =>
  method === 'GET' &&
  headers['sec-fetch-mode'] === 'navigate' &&
  headers['sec-fetch-dest'] === 'document' &&
  !['sec-purpose', 'purpose', 'x-moz'].some((name) => /prefetch|prerender|preview/i.test(String(headers[name] ?? '')))

const isGuessThrottled = async (deps: Deps, request: FastifyRequest): Promise<boolean> => {
  const session = await currentSession(deps, request)
  return isThrottled(deps, { kind: 'code', session, grant: 'any', address: clientAddressOf(request) })
}

/**
 * The responses for the page of an access code. Undefined if the client has to redeem the code itself: no person
 * opens the page, the code is malformed, guesses of this address or session are slowed down, or the API takes too long.
 */
export const openCode = async (
  { app, deps, request }: { app: FastifyInstance; deps: Deps; request: FastifyRequest },
  { studioSlug, code: enteredCode }: { studioSlug: string; code: string },
): Promise<CodeResponses | undefined> => {
  const code = normaliseAccessCode(enteredCode)
  if (!isVisit(request) || !isAccessCode(code) || (await isGuessThrottled(deps, request))) return undefined
  const responses = collectResponses(createOwnApi(app, request), { studioSlug, code })
  return await Promise.race([responses, delay(maxWaitMs, undefined, { ref: false })])
}

/** Sends the page of a code. It contains private data, so it must never be stored. */
export const sendCodePage = (reply: FastifyReply, html: string, { setCookie }: CodeResponses): FastifyReply => {
  if (setCookie !== undefined) reply.header('set-cookie', setCookie)
  return reply.type('text/html; charset=utf-8').header('cache-control', 'private, no-store').send(html)
}
