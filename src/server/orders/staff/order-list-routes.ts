import type { FastifyInstance } from 'fastify'
import { getStaffOrder } from '#contract/studio/order-details.ts'
import { getOrderCounts, listStaffOrders, moveOrders } from '#contract/studio/order-lists.ts'
import { getRoster } from '#contract/studio/roster.ts'
import type { Deps } from '#server/deps.ts'
import { mount } from '#server/http/mount.ts'
import { orderNotFound, problem } from '#server/http/problem.ts'
import { countOrders, listOrders } from './list-orders.ts'
import { moveManyOrders } from './move-orders.ts'
import { readRoster } from './read-roster.ts'
import { readStaffOrder } from './read-staff-order.ts'

/** Mounts the lists of a job's orders and the bulk actions. */
export const mountOrderLists = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, getOrderCounts, async ({ params }) => (await countOrders(deps.db, params)) ?? problem('not-found'))
  mount(app, deps, listStaffOrders, ({ params, query }) => listOrders(deps.db, params, query))
  mount(
    app,
    deps,
    getStaffOrder,
    async ({ params: { orderNumber, ...job }, user }) =>
      (await readStaffOrder({ ...deps, user }, job, orderNumber)) ?? orderNotFound(),
  )
  mount(app, deps, moveOrders, ({ params: job, body, user, recordResponse }) =>
    moveManyOrders(deps, { job, user, recordResponse, ...body }),
  )
  mount(app, deps, getRoster, async ({ params, query: { groupId } }) => {
    const people = await readRoster(deps, params, groupId)
    return people ? { people } : problem('not-found')
  })
}
