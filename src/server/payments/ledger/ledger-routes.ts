import type { FastifyInstance } from 'fastify'
import { getPaymentSummary } from '#contract/studio/payments/payment-summary.ts'
import * as payoutCalls from '#contract/studio/payments/payouts.ts'
import type { Deps } from '#server/deps.ts'
import { mount } from '#server/http/mount.ts'
import { problem } from '#server/http/problem.ts'
import { closeDifference } from '../statements/close-difference.ts'
import * as statements from '../statements/read-payouts.ts'
import { readPaymentSummary } from './read-payment-summary.ts'

/** Mounts the routes of a studio's money: what it earned, and what the payment provider paid out. */
export const mountLedger = (app: FastifyInstance, deps: Deps): void => {
  const { db } = deps
  mount(app, deps, getPaymentSummary, ({ params: { studioId }, query }) => readPaymentSummary(deps, studioId, query))
  mount(app, deps, payoutCalls.listPayouts, ({ params, query }) => statements.listPayouts(db, params.studioId, query))
  mount(
    app,
    deps,
    payoutCalls.getPayout,
    async ({ params }) => (await statements.readPayout(db, params)) ?? problem('not-found'),
  )
  mount(app, deps, payoutCalls.listPayoutTransactions, async ({ params, query }) =>
    (await statements.readPayout(db, params))
      ? await statements.listPayoutTransactions(db, params, query)
      : problem('not-found'),
  )
  mount(app, deps, payoutCalls.closePaymentDifference, ({ params, body: { note }, user }) =>
    closeDifference(deps, { ...params, note, user }),
  )
  mount(app, deps, payoutCalls.listPaymentDifferences, ({ params, query }) =>
    statements.listPaymentDifferences(db, params.studioId, query),
  )
  mount(app, deps, payoutCalls.getPaymentBalance, ({ params }) => statements.readPaymentBalance(db, params.studioId))
}
