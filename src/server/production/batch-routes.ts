import type { FastifyInstance } from 'fastify'
import {
  addToBatch,
  type Batch,
  closeBatch,
  getBatch,
  listBatches,
  patchBatch,
  removeFromBatch,
  reopenBatch,
  submitBatch,
} from '#contract/studio/batches.ts'
import type { Deps } from '../deps.ts'
import { mount } from '../http/mount.ts'
import { paginateList } from '../http/paging/paginate-list.ts'
import { Problem, problem } from '../http/problem.ts'
import * as membership from './batch-membership.ts'
import * as change from './change-batch.ts'
import { type BatchKey, readBatch, readBatchesOf, readFullBatch } from './read-batches.ts'
import { readPacket } from './read-packet.ts'

/** The response to a change of a batch: the batch, or the problem that prevented the change. */
const batchResponse = async <ChangeProblem extends Problem>(
  { db }: Deps,
  key: BatchKey,
  failure: ChangeProblem | undefined,
): Promise<Batch | ChangeProblem | Problem<'not-found'>> =>
  failure ?? (await readBatch(db, key)) ?? problem('not-found')

/** Mounts the routes of a job's batches. */
export const mountBatches = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, listBatches, async ({ params, query }) => {
    const batches = await readBatchesOf(deps.db, params)
    return batches ? paginateList(batches, query, ({ name }) => [name]) : problem('not-found')
  })
  mount(app, deps, getBatch, async ({ params }) => (await readFullBatch(deps.db, params)) ?? problem('not-found'))
  mount(app, deps, patchBatch, async ({ params: key, body, user }) =>
    batchResponse(deps, key, await change.setClosingDay(deps, { key, user, ...body })),
  )
  mount(app, deps, closeBatch, async ({ params: key, body: { version }, user }) =>
    batchResponse(deps, key, await change.closeBatch(deps, { key, version, user })),
  )
  mount(app, deps, reopenBatch, async ({ params: key, body: { version }, user }) =>
    batchResponse(deps, key, await change.reopenBatch(deps, { key, version, user })),
  )
  mount(app, deps, submitBatch, async ({ params: key, body: { version }, user }) => {
    const packetId = await change.submitBatch(deps, { key, version, user })
    if (packetId instanceof Problem) return packetId
    return (await readPacket(deps, { ...key, packetId })) ?? problem('not-found')
  })
  mount(app, deps, removeFromBatch, ({ params: { orderNumber, ...job }, user }) =>
    membership.removeFromBatch(deps, { job, orderNumber, user }),
  )
  mount(app, deps, addToBatch, ({ params: { orderNumber, ...job }, user }) =>
    membership.addToBatch(deps, { job, orderNumber, user }),
  )
}
