import type { FastifyInstance } from 'fastify'
import { sendAnswer } from '../http/mount.ts'
import { answerOf, problem } from '../http/problem.ts'
import { paymentReturnPath } from './payment-connection.ts'

type StripeReturnQuery = { code?: unknown; state?: unknown }

const word = (value: unknown): string => (typeof value === 'string' && /^[\w.-]{1,200}$/.test(value) ? value : '')

/**
 * Leads back from the provider's page to the settings of the studio that `state` begins with (`7.…`). Whether it is the one that was
 * sent there, the screen knows; nothing is done here.
 */
export const mountStripeReturn = (app: FastifyInstance): void => {
  app.get<{ Querystring: StripeReturnQuery }>(paymentReturnPath, async ({ query }, reply) => {
    const [code, state] = [word(query.code), word(query.state)]
    const [, studioId] = /^(\d{1,15})\./.exec(state) ?? []
    if (studioId === undefined) return sendAnswer(reply, answerOf(problem('not-found')))
    const told = new URLSearchParams(code ? { code, state } : { state })
    return reply.header('cache-control', 'no-store').redirect(`/admin/studios/${studioId}/settings?${told}`)
  })
}
