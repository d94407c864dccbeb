import type { FastifyInstance } from 'fastify'
import { getPacket, makePacketAgain, submitOrders } from '../../contract/studio/production.ts'
import type { Deps } from '../deps.ts'
import { mount } from '../http/mount.ts'
import { Problem, problem } from '../http/problem.ts'
import { mountBatches } from './batch-routes.ts'
import { makeAgain } from './make-again.ts'
import { readPacket } from './read-packet.ts'
import { submitOrders as submit } from './submit-orders.ts'

/** From orders to the lab. */
export const mountProduction = (app: FastifyInstance, deps: Deps): void => {
  mountBatches(app, deps)
  mount(app, deps, submitOrders, async ({ params, body, user }) => {
    const packetId = await submit(deps, { job: params, orderNumbers: body.orderNumbers, user })
    if (packetId instanceof Problem) return packetId
    return (await readPacket(deps, { ...params, packetId })) ?? problem('not-found')
  })
  mount(app, deps, makePacketAgain, async ({ params }) => {
    await makeAgain(deps, params)
    return (await readPacket(deps, params)) ?? problem('not-found')
  })
  mount(app, deps, getPacket, async ({ params }) => (await readPacket(deps, params)) ?? problem('not-found'))
}
