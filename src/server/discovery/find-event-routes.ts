import type { FastifyInstance } from 'fastify'
import { type FoundStudio, findEvent } from '#contract/customer/find-event.ts'
import { isAccessCode, normaliseAccessCode } from '#domain/subjects/subject-draft.ts'
import { bruteForceGuard } from '../access/brute-force/brute-force-guard.ts'
import { currentSession, ensureSession } from '../access/sessions/sessions.ts'
import type { Deps } from '../deps.ts'
import { clientAddressOf } from '../http/client-address.ts'
import { mount } from '../http/mount.ts'
import { Problem, problem } from '../http/problem.ts'
import { findStudios } from './find-studios.ts'
import { findCodeOfAnyStudio, redeemAccessCode } from './redeem-code.ts'

const nothingFoundMessage = 'We don’t know this code or studio. Please check it'

const joined = (text: string): string => normaliseAccessCode(text).replace(/[^\p{L}\p{N}]/gu, '')

/**
 * Whether a text that opened nothing may be a guessed code although it found studios: typed with spaces, a code is the
 * first letters of the words of a studio with such a name. The beginning of one studio's whole name is not a guess.
 */
const isGuessedCode = (text: string, studios: readonly FoundStudio[]): boolean => {
  const code = joined(text)
  return (
    isAccessCode(code) && !studios.some(({ name, slug }) => [name, slug].some((own) => joined(own).startsWith(code)))
  )
}

/**
 * Mounts the search of the home page. A text that opens no event and finds no studio counts as a guessed code, because it
 * could have been one.
 */
export const mountFindEvent = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, findEvent, async ({ query: { text }, request, reply }) => {
    const address = clientAddressOf(request)
    const attempt = { kind: 'code', session: await currentSession(deps, request), grant: 'any', address } as const
    let studios: FoundStudio[] = []
    const found = await bruteForceGuard(deps, attempt, async () => {
      const target = await findCodeOfAnyStudio(deps.db, { enteredCode: joined(text), now: deps.clock() })
      studios = await findStudios(deps.db, text)
      const isFound = target || (studios.length > 0 && !isGuessedCode(text, studios))
      return isFound ? { target } : undefined
    })
    if (found instanceof Problem) return found
    if (studios.length === 0 && !found) return problem('not-found', nothingFoundMessage)
    const target = found?.target
    if (!target) return { event: null, studios }
    const session = await ensureSession(deps, request, reply)
    if (session instanceof Problem) return session
    const redeemed = await redeemAccessCode(deps, { session, address }, target)
    if (redeemed instanceof Problem) return redeemed
    const { studioSlug, studioName } = target
    return { event: { ...redeemed, code: joined(text), studioSlug, studioName }, studios }
  })
}
