import type { FastifyInstance, FastifyRequest } from 'fastify'
import { getHandOver, postHandOver, redeemHandOver } from '#contract/customer/hand-over.ts'
import { bruteForceGuard } from '../access/brute-force/brute-force-guard.ts'
import { currentSession, sessionTokenHash, setSessionCookie } from '../access/sessions/sessions.ts'
import type { Deps } from '../deps.ts'
import { clientAddressOf } from '../http/client-address.ts'
import { hashOf } from '../http/hash.ts'
import { qrCodeSvg } from '../http/markup.ts'
import { mount } from '../http/mount.ts'
import { Problem, problem } from '../http/problem.ts'
import { acceptHandOver, findHandOver, hasOwnCart } from './accept-hand-over.ts'
import { createHandOver, readHandOverStatus } from './create-hand-over.ts'

const unusableMessage = 'This link was used already, or its ten minutes are over. Make a new one on your other device'

type HandOverUrlParts = { readonly studioSlug: string; readonly jobId: number; readonly token: string }

/**
 * The URL for the other device. The token is in the fragment, which browsers send to no server, so no log or referrer
 * contains it. Without a configured public URL, the origin of this request is used.
 */
const handOverUrl = (
  { settings }: Pick<Deps, 'settings'>,
  request: FastifyRequest,
  { studioSlug, jobId, token }: HandOverUrlParts,
): string => {
  const origin = settings.publicUrl ?? `${request.protocol}://${request.host}`
  return `${origin}/${studioSlug}/${jobId}/continue#${token}`
}

/**
 * Mounts the routes that transfer a cart to another device. The device with the cart creates a hand-over, and the other
 * device redeems it once.
 */
export const mountHandOver = (app: FastifyInstance, deps: Deps): void => {
  // A recorded response would store the token for thirty days, so a repeated request creates a new one, which replaces
  // the first.
  mount(
    app,
    deps,
    postHandOver,
    async ({ session, job, body, request }) => {
      const madeBy = sessionTokenHash(request)
      const handOver = madeBy && (await createHandOver(deps, { session, job, orderMethod: body.orderMethod }, madeBy))
      if (!handOver) return problem('session-unknown')
      const address = handOverUrl(deps, request, { ...handOver, jobId: job.jobId })
      return { id: handOver.id, address, qr: qrCodeSvg(address), expiresAt: handOver.expiresAt.toISOString() }
    },
    { repetition: 'rerun' },
  )
  mount(app, deps, getHandOver, async ({ session, job }) => {
    return (await readHandOverStatus(deps, { session, job })) ?? problem('not-found')
  })
  mount(app, deps, redeemHandOver, async ({ body: { token, secret, holdsCart }, request, reply }) => {
    const session = await currentSession(deps, request)
    const recipient = { token, secret, takerHash: hashOf(secret) }
    const attempt = { kind: 'hand-over', session, address: clientAddressOf(request) } as const
    const handOver = await bruteForceGuard(deps, attempt, () => findHandOver(deps, recipient))
    if (handOver instanceof Problem) return handOver
    if (!handOver) return problem('not-found', unusableMessage)
    const { sessionId, jobId, studioId, orderMethod } = handOver
    if (session?.id === sessionId) return { jobId, studioId, orderMethod, joined: false }
    if (holdsCart || (session && (await hasOwnCart(deps.db, session)))) return problem('own-cart')
    const key = await acceptHandOver(deps, recipient)
    if (!key) return problem('not-found', unusableMessage)
    setSessionCookie(deps, request, reply, key)
    return { jobId, studioId, orderMethod, joined: true }
  })
}
