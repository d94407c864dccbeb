import type { FastifyInstance } from 'fastify'
import * as orderListCalls from '#contract/studio/order-lists.ts'
import * as packetCalls from '#contract/studio/packets.ts'
import type { Deps } from '../deps.ts'
import { mount } from '../http/mount.ts'
import { Problem, problem } from '../http/problem.ts'
import { mountBatches } from './batch-routes.ts'
import { listPackets } from './list-packets.ts'
import { mountPacketFiles, showPacketFiles } from './packet-files.ts'
import { readPacket } from './read-packet.ts'
import { recallPacket } from './recall-packet.ts'
import { retryPacket } from './retry-packet.ts'
import { submitOrders } from './submit-orders.ts'
import { submitReadyOrders } from './submit-ready-orders.ts'

/** Mounts the routes for batches and for packets: submitting orders to the lab, retrying, listing, downloading and recalling. */
export const mountProduction = (app: FastifyInstance, deps: Deps): void => {
  mountBatches(app, deps)
  mount(app, deps, packetCalls.submitOrders, async ({ params, body, user }) => {
    const packetId = await submitOrders(deps, { job: params, orderNumbers: body.orderNumbers, user })
    if (packetId instanceof Problem) return packetId
    return (await readPacket(deps, { ...params, packetId })) ?? problem('not-found')
  })
  mount(app, deps, packetCalls.retryPacket, async ({ params }) => {
    await retryPacket(deps, params)
    return (await readPacket(deps, params)) ?? problem('not-found')
  })
  mount(
    app,
    deps,
    packetCalls.getPacket,
    async ({ params }) => (await readPacket(deps, params)) ?? problem('not-found'),
  )
  mount(app, deps, orderListCalls.submitReadyOrders, ({ params: job, body, user, recordResponse }) =>
    submitReadyOrders(deps, { job, ...body, user, recordResponse }),
  )
  mount(app, deps, packetCalls.listPackets, ({ params, query }) => listPackets(deps.db, params, query))
  mount(app, deps, packetCalls.getPacketFiles, ({ params, user }) => showPacketFiles({ ...deps, user }, params))
  mount(app, deps, packetCalls.recallPacket, ({ params: key, user, recordResponse }) =>
    recallPacket(deps, { key, user, recordResponse }),
  )
  mountPacketFiles(app, deps)
}
