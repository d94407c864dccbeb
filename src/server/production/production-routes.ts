import type { FastifyInstance } from 'fastify'
import { submitReadyOrders } from '#contract/studio/order-lists.ts'
import * as packets from '#contract/studio/packets.ts'
import { getPacket, postPacketRetry, submitOrders } from '#contract/studio/packets.ts'
import type { Deps } from '../deps.ts'
import { mount } from '../http/mount.ts'
import { Problem, problem } from '../http/problem.ts'
import { mountBatches } from './batch-routes.ts'
import { listPackets } from './list-packets.ts'
import { mountPacketFiles, showPacketFiles } from './packet-files.ts'
import { readPacket } from './read-packet.ts'
import { recallPacket } from './recall-packet.ts'
import { retryPacket } from './retry-packet.ts'
import { submitOrders as submit } from './submit-orders.ts'
import { submitReadyOrders as submitWhatIsReady } from './submit-ready-orders.ts'

/** Mounts the routes from orders to the lab. */
export const mountProduction = (app: FastifyInstance, deps: Deps): void => {
  mountBatches(app, deps)
  mount(app, deps, submitOrders, async ({ params, body, user }) => {
    const packetId = await submit(deps, { job: params, orderNumbers: body.orderNumbers, user })
    if (packetId instanceof Problem) return packetId
    return (await readPacket(deps, { ...params, packetId })) ?? problem('not-found')
  })
  mount(app, deps, postPacketRetry, async ({ params }) => {
    await retryPacket(deps, params)
    return (await readPacket(deps, params)) ?? problem('not-found')
  })
  mount(app, deps, getPacket, async ({ params }) => (await readPacket(deps, params)) ?? problem('not-found'))
  mount(app, deps, submitReadyOrders, ({ params: job, body, user, recordIn }) =>
    submitWhatIsReady(deps, { job, ...body, user, recordIn }),
  )
  mount(app, deps, packets.listPackets, ({ params, query }) => listPackets(deps.db, params, query))
  mount(app, deps, packets.getPacketFiles, ({ params, user }) => showPacketFiles({ ...deps, user }, params))
  mount(app, deps, packets.recallPacket, ({ params: key, user, recordIn }) =>
    recallPacket(deps, { key, user, recordIn }),
  )
  mountPacketFiles(app, deps)
}
