import type { FastifyInstance } from 'fastify'
import { getPaymentSummary } from '#contract/studio/payment-summary.ts'
import type { Deps } from '#server/deps.ts'
import { mount } from '#server/http/mount.ts'
import { readPaymentSummary } from './read-payment-summary.ts'

/** Mounts the routes of a studio's money: what it earned. */
export const mountLedger = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, getPaymentSummary, ({ params: { studioId }, query }) => readPaymentSummary(deps, studioId, query))
}
