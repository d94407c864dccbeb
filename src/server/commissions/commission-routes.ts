import type { FastifyInstance } from 'fastify'
import * as calls from '#contract/studio/payments/commissions.ts'
import type { Deps } from '../deps.ts'
import { type Handler, mount } from '../http/mount.ts'
import * as commissions from './commissions.ts'
import { exportStatement } from './statement.ts'

/** Mounts the shares that organizations get of their orders. */
export const mountCommissions = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, calls.getCommissions, ({ params }) => commissions.readCommissions(deps, params))
  mount(app, deps, calls.postCommissionRate, ({ params, user, body }) =>
    commissions.addCommissionRate(deps, params, { user, draft: body }),
  )
  mount(app, deps, calls.deleteCommissionRate, ({ params: { id, ...key }, user }) =>
    commissions.removeCommissionRate(deps, key, { user, id }),
  )
  mount(app, deps, calls.postCommissionPayment, ({ params, user, body }) =>
    commissions.addCommissionPayment(deps, params, { user, draft: body }),
  )
  mount(app, deps, calls.deleteCommissionPayment, ({ params: { id, ...key }, user }) =>
    commissions.removeCommissionPayment(deps, key, { user, id }),
  )
  const answerStatement: Handler<typeof calls.exportCommissionStatement> = ({ params, user, body }) =>
    exportStatement(deps, params, { ...body, user })
  mount(app, deps, calls.exportCommissionStatement, answerStatement, { repetition: 'unrecorded' })
}
