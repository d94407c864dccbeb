import type { FastifyInstance } from 'fastify'
import { sendAnswer } from '../http/mount.ts'
import { answerOf, problem } from '../http/problem.ts'
import { paymentReturnPath } from './payment-connection.ts'

type PaymentReturnQuery = { code?: unknown; state?: unknown }

const safeText = (value: unknown): string => (typeof value === 'string' && /^[\w.-]{1,200}$/.test(value) ? value : '')

/**
 * Redirects from the provider's page to the settings of the studio whose id `state` begins with (`7.…`). It checks
 * nothing else, because the settings screen checks whether it sent the user to the provider.
 */
export const mountPaymentReturn = (app: FastifyInstance): void => {
  app.get<{ Querystring: PaymentReturnQuery }>(paymentReturnPath, async ({ query }, reply) => {
    const [code, state] = [safeText(query.code), safeText(query.state)]
    const [, studioId] = /^(\d{1,15})\./.exec(state) ?? []
    if (studioId === undefined) return sendAnswer(reply, answerOf(problem('not-found')))
    const params = new URLSearchParams(code ? { code, state } : { state })
    return reply.header('cache-control', 'no-store').redirect(`/admin/studios/${studioId}/settings?${params}`)
  })
}
