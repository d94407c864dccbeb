import type { FastifyInstance } from 'fastify'
import * as calls from '#contract/system/order-errors.ts'
import type { Deps } from '#server/deps.ts'
import { mount } from '#server/http/mount.ts'
import { readErrorCauses, readOrderErrors } from './read-order-errors.ts'
import { ignoreErrors, retryErrors } from './resolve-order-errors.ts'

/** Mounts the calls for what failed and waits (section 2, order errors). */
export const mountOrderErrors = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, calls.listOrderErrorCauses, ({ query }) => readErrorCauses(deps.db, query))
  mount(app, deps, calls.listOrderErrors, ({ query }) => readOrderErrors(deps.db, query))
  mount(app, deps, calls.retryOrderErrors, ({ body, user }) => retryErrors(deps, body, user))
  mount(app, deps, calls.ignoreOrderErrors, ({ body, user }) => ignoreErrors(deps, body, user))
}
