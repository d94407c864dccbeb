import { sql } from 'kysely'
import type { JobKey } from '#server/access/authorization/authorize.ts'
import { recordAudit } from '#server/audit/audit-log.ts'
import type { Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { lockJob } from '#server/jobs/store/find-job.ts'
import { recordOrderEvents } from '#server/webhooks/outbox/record-events.ts'
import { type LockedOrder, moveOrder } from './move-order.ts'
import type { OrderKey } from './sold-lines.ts'

export type OpenBatch = { id: number; name: string }

/** The open batch of a job, if any; locked so that it stays open until the transaction ends. */
const findOpenBatch = (tx: Transaction, { studioId, jobId }: JobKey): Promise<OpenBatch | undefined> =>
  tx
    .selectFrom('batches')
    .select(['id', 'name'])
    .where('studio_id', '=', studioId)
    .where('job_id', '=', jobId)
    .where('state', '=', 'open')
    .forShare()
    .executeTakeFirst()

const createBatch = async (tx: Transaction, deps: Deps, { studioId, jobId }: JobKey): Promise<OpenBatch> => {
  const now = deps.clock()
  const { rows } = await sql<OpenBatch>`
    insert into batches (studio_id, job_id, name, closes_at, created_at, updated_at)
    select j.studio_id, j.id, 'Batch ' || 1 + (select count(*) from batches b where b.studio_id = j.studio_id and b.job_id = j.id),
           case when j.batch_closes_at > ${now}::timestamptz then j.batch_closes_at end, ${now}, ${now}
      from jobs j where j.studio_id = ${studioId} and j.id = ${jobId}
    returning id, name`.execute(tx)
  const [batch] = rows
  if (!batch) throw new Error(`job ${jobId} has an order and does not exist`)
  await recordAudit(tx, deps, {
    studioId,
    action: 'batch.made',
    entityId: String(batch.id),
    detail: { jobId, name: batch.name },
  })
  return batch
}

const ensureOpenBatch = async (tx: Transaction, deps: Deps, job: JobKey): Promise<OpenBatch> => {
  const existing = await findOpenBatch(tx, job)
  if (existing) return existing
  await lockJob(tx, job)
  return (await findOpenBatch(tx, job)) ?? (await createBatch(tx, deps, job))
}

/**
 * Assigns a locked order to its job's open batch, which is created if there is none. The order's state must allow it.
 */
export const assignToOpenBatch = async (
  tx: Transaction,
  deps: Deps,
  { key, order, userId }: { key: OrderKey; order: LockedOrder; userId?: number },
): Promise<OpenBatch> => {
  const { studioId, orderId } = key
  const batch = await ensureOpenBatch(tx, deps, { studioId, jobId: order.job_id })
  await tx
    .updateTable('orders')
    .set(({ eb }) => ({ batch_id: batch.id, updated_at: deps.clock(), version: eb('version', '+', 1) }))
    .where('studio_id', '=', studioId)
    .where('id', '=', orderId)
    .execute()
  const move = { to: 'batched', reason: batch.name, ...(userId !== undefined && { userId }) } as const
  if (order.state === 'placed') await moveOrder(tx, deps, { key, order, move })
  else await recordOrderEvents(tx, deps, studioId, [{ orderId, events: ['order.changed'] }])
  return batch
}

/** Whether order `o` is in a batch that is no longer open. Its customer can then no longer change it. */
export const inClosedBatch = sql<boolean>`exists (
  select from batches b where b.studio_id = o.studio_id and b.id = o.batch_id and b.state <> 'open')`
