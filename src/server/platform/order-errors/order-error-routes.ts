import type { FastifyInstance } from 'fastify'
import * as calls from '#contract/system/order-errors.ts'
import type { Deps } from '#server/deps.ts'
import { mount } from '#server/http/mount.ts'
import { handleSelected, ignoreOrderError, reopenOrderError } from './decide-order-errors.ts'
import { readOrderErrorGroups, readOrderErrors } from './read-order-errors.ts'
import { type FeatureRetries, retryOrderError } from './retry-order-errors.ts'

/** Mounts the calls for failures that are still open (section 2, system admin: order errors). */
export const mountOrderErrors = (app: FastifyInstance, deps: Deps, retries: FeatureRetries): void => {
  mount(app, deps, calls.listOrderErrorGroups, ({ query }) => readOrderErrorGroups(deps, query))
  mount(app, deps, calls.listOrderErrors, ({ query }) => readOrderErrors(deps, query))
  mount(app, deps, calls.retryOrderErrors, ({ body: { which }, user }) =>
    handleSelected(deps, { which, state: 'open', user }, (action) => retryOrderError(action, retries)),
  )
  mount(app, deps, calls.ignoreOrderErrors, ({ body: { which, reason }, user }) =>
    handleSelected(deps, { which, state: 'open', user }, (action) => ignoreOrderError(action, reason.trim())),
  )
  mount(app, deps, calls.reopenOrderErrors, ({ body: { which }, user }) =>
    handleSelected(deps, { which, state: 'ignored', user }, reopenOrderError),
  )
}
