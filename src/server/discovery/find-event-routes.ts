import type { FastifyInstance } from 'fastify'
import { type EventOfCode, type FoundStudio, findEvent } from '#contract/customer/find-event.ts'
import { isAccessCode, normaliseAccessCode } from '#domain/subjects/subject-draft.ts'
import { bruteForceGuard } from '../access/brute-force/brute-force-guard.ts'
import { currentSession, ensureSession } from '../access/sessions/sessions.ts'
import type { Deps } from '../deps.ts'
import { clientAddressOf } from '../http/client-address.ts'
import { mount } from '../http/mount.ts'
import { Problem, problem } from '../http/problem.ts'
import { findStudios, findStudiosByHost } from './find-studios.ts'
import { type CodeTargetAtStudio, findCodeOfAnyStudio, redeemAccessCode } from './redeem-code.ts'

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

const toEventOfCode = (code: string, { jobName, studioSlug, studioName }: CodeTargetAtStudio): EventOfCode => ({
  ...{ code, jobName, studioSlug, studioName },
})

type Matches = { targets: CodeTargetAtStudio[]; studios: FoundStudio[] }

/** Finds what a text may mean, and whether it counts as a guessed code. */
const findMatches = async ({ db, clock }: Deps, text: string): Promise<Matches & { isGuess: boolean }> => {
  const targets = await findCodeOfAnyStudio(db, { enteredCode: joined(text), now: clock() })
  const studiosOfHost = await findStudiosByHost(db, text)
  const studios = studiosOfHost.length > 0 ? studiosOfHost : await findStudios(db, text)
  const isFound =
    targets.length > 0 || studiosOfHost.length > 0 || (studios.length > 0 && !isGuessedCode(text, studios))
  return { targets, studios, isGuess: !isFound }
}

/**
 * Mounts the search of the home page. A text that is no code and finds no studio counts as a guessed code, because it
 * could have been one.
 */
export const mountFindEvent = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, findEvent, async ({ query: { text }, request, reply }) => {
    const address = clientAddressOf(request)
    const attempt = { kind: 'code', session: await currentSession(deps, request), grant: 'any', address } as const
    let matches: Matches = { targets: [], studios: [] }
    const rejection = await bruteForceGuard(deps, attempt, async () => {
      const { isGuess, ...found } = await findMatches(deps, text)
      matches = found
      return isGuess ? undefined : null
    })
    if (rejection instanceof Problem) return rejection
    const { targets, studios } = matches
    const [target, ...others] = targets
    if (!target)
      return studios.length > 0 ? { event: null, events: [], studios } : problem('not-found', nothingFoundMessage)
    const code = joined(text)
    if (others.length > 0) return { event: null, events: targets.map((each) => toEventOfCode(code, each)), studios }
    const session = await ensureSession(deps, request, reply)
    if (session instanceof Problem) return session
    const redeemed = await redeemAccessCode(deps, { session, address }, target)
    if (redeemed instanceof Problem) return redeemed
    const { studioSlug, studioName } = target
    return { event: { ...redeemed, code, studioSlug, studioName }, events: [], studios }
  })
}
