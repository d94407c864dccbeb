import type { FastifyInstance } from 'fastify'
import { getHandOver, postHandOver, redeemHandOver } from '#contract/customer/hand-over.ts'
import { bruteForceGuard } from '../access/brute-force/brute-force-guard.ts'
import { currentSession, sessionTokenHash, setSessionCookie } from '../access/sessions/sessions.ts'
import type { Deps } from '../deps.ts'
import { clientAddressOf } from '../http/client-address.ts'
import { hashOf } from '../http/hash.ts'
import { mount } from '../http/mount.ts'
import { Problem, problem } from '../http/problem.ts'
import { acceptHandOver, findHandOver, hasOwnCart } from './accept-hand-over.ts'
import { createHandOver, readHandOverStatus } from './create-hand-over.ts'
import { handOverUrl, qrCodeSvg } from './hand-over-url.ts'

const goneSentence = 'This link was used already, or its ten minutes are over. Make a new one on your other device'

/** The cart on another device (section 6): made on the one that has it, taken once by the one that is to have it too. */
export const mountHandOver = (app: FastifyInstance, deps: Deps): void => {
  // A recorded answer would keep the token for thirty days: a repetition makes a new one, which takes the place of the first.
  mount(
    app,
    deps,
    postHandOver,
    async ({ session, job, body, request }) => {
      const madeBy = sessionTokenHash(request)
      const made = madeBy && (await createHandOver(deps, { session, job, orderMethod: body.orderMethod }, madeBy))
      if (!made) return problem('session-unknown')
      const address = handOverUrl(deps, request, { ...made, jobId: job.jobId })
      return { id: made.id, address, qr: qrCodeSvg(address), expiresAt: made.expiresAt.toISOString() }
    },
    { repetition: 'again' },
  )
  mount(app, deps, getHandOver, async ({ session, job }) => {
    return (await readHandOverStatus(deps, { session, job })) ?? problem('not-found')
  })
  mount(app, deps, redeemHandOver, async ({ body: { token, secret, holdsCart }, request, reply }) => {
    const session = await currentSession(deps, request)
    const taker = { token, secret, takerHash: hashOf(secret) }
    const attempt = { kind: 'hand-over', session, address: clientAddressOf(request) } as const
    const found = await bruteForceGuard(deps, attempt, () => findHandOver(deps, taker))
    if (found instanceof Problem) return found
    if (!found) return problem('not-found', goneSentence)
    const { sessionId, jobId, studioId, orderMethod } = found
    if (session?.id === sessionId) return { jobId, studioId, orderMethod, joined: false }
    if (holdsCart || (session && (await hasOwnCart(deps.db, session)))) return problem('own-cart')
    const key = await acceptHandOver(deps, taker)
    if (!key) return problem('not-found', goneSentence)
    setSessionCookie(deps, request, reply, key)
    return { jobId, studioId, orderMethod, joined: true }
  })
}
