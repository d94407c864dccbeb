import type { FastifyInstance } from 'fastify'
import { findEvent } from '#contract/customer/find-event.ts'
import { normaliseAccessCode } from '#domain/subjects/subject-draft.ts'
import { bruteForceGuard } from '../access/brute-force/brute-force-guard.ts'
import { currentSession, ensureSession } from '../access/sessions/sessions.ts'
import type { Deps } from '../deps.ts'
import { clientAddressOf } from '../http/client-address.ts'
import { mount } from '../http/mount.ts'
import { Problem, problem } from '../http/problem.ts'
import { findStudios } from './find-studios.ts'
import { findCodeOfAnyStudio, redeemAccessCode } from './redeem-code.ts'

const nothingFoundMessage = 'We don’t know this code or studio. Please check it'

/**
 * Mounts the search of the home page. A text that finds neither a code nor a studio counts as a guessed code, because it
 * could have been one.
 */
export const mountFindEvent = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, findEvent, async ({ query: { text }, request, reply }) => {
    const address = clientAddressOf(request)
    const attempt = { kind: 'code', session: await currentSession(deps, request), grant: 'any', address } as const
    const found = await bruteForceGuard(deps, attempt, async () => {
      const target = await findCodeOfAnyStudio(deps.db, { enteredCode: text, now: deps.clock() })
      const studios = await findStudios(deps.db, text)
      return target || studios.length > 0 ? { target, studios } : undefined
    })
    if (found instanceof Problem) return found
    if (!found) return problem('not-found', nothingFoundMessage)
    const { target, studios } = found
    if (!target) return { event: null, studios }
    const session = await ensureSession(deps, request, reply)
    if (session instanceof Problem) return session
    const redeemed = await redeemAccessCode(deps, { session, address }, target)
    if (redeemed instanceof Problem) return redeemed
    const { studioSlug, studioName } = target
    return { event: { ...redeemed, code: normaliseAccessCode(text), studioSlug, studioName }, studios }
  })
}
