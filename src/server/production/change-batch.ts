import { sql } from 'kysely'
import { type BatchState, canTransitionBatch } from '#domain/orders/batch-states.ts'
import { isCalendarDay } from '#domain/shared/dates.ts'
import type { User } from '../access/tokens/access-token.ts'
import { recordAudit } from '../audit/audit-log.ts'
import type { Transaction } from '../database/database.ts'
import { inTransaction } from '../database/in-transaction.ts'
import type { Deps } from '../deps.ts'
import { Problem, problem } from '../http/problem.ts'
import { isStale } from '../http/stale.ts'
import { lockBatchesOf } from '../orders/store/assign-batch.ts'
import { labObjection, lockLabOrders } from '../orders/store/lab-orders.ts'
import type { BatchKey } from './read-batches.ts'
import { submitToLab } from './submit-to-lab.ts'

/** Who changes a batch, and which version of it they looked at. */
export type BatchChange = { readonly key: BatchKey; readonly version?: number | undefined; readonly user: User }

type Refused = Problem<'not-found' | 'conflict' | 'refused'>
type Locked = { state: BatchState; name: string; version: number; closes_at: Date | null }

const lockBatch = (tx: Transaction, { studioId, jobId, batchId }: BatchKey): Promise<Locked | undefined> =>
  tx
    .selectFrom('batches')
    .select(['state', 'name', 'version', 'closes_at'])
    .where('studio_id', '=', studioId)
    .where('job_id', '=', jobId)
    .where('id', '=', batchId)
    .forUpdate()
    .executeTakeFirst()

type Change = { state?: BatchState; closes_at?: Date | null; closed_at?: Date | null; closed_by?: number | null }

const writeBatch = async (
  tx: Transaction,
  { clock }: Deps,
  { key: { studioId, batchId }, change }: { key: BatchKey; change: Change },
): Promise<void> => {
  await tx
    .updateTable('batches')
    .set(({ eb }) => ({ ...change, updated_at: clock(), version: eb('version', '+', 1) }))
    .where('studio_id', '=', studioId)
    .where('id', '=', batchId)
    .execute()
}

type BatchLock = { readonly tx: Transaction; readonly batch: Locked }

/** Changes a batch under its lock; refused as a conflict where it is not the version any more that was looked at. */
const withBatch = <Result>(
  deps: Deps,
  { key, version }: BatchChange,
  change: (held: BatchLock) => Promise<Result | Refused>,
): Promise<Result | Refused> =>
  inTransaction(deps.db, async (tx) => {
    // Opening again is what two batches of a job must not do at once; the job first, as where one is made.
    await lockBatchesOf(tx, key)
    const batch = await lockBatch(tx, key)
    if (!batch) return problem('not-found')
    if (isStale(batch, version)) return problem('conflict')
    return await change({ tx, batch })
  })

const sentences: Readonly<Record<BatchState, string>> = {
  open: 'This batch is open. Close it first',
  closed: 'This batch is closed already',
  submitted: 'This batch is with the lab already',
}

/** Why a batch may not go from where it is; undefined where it may. */
const cannotMove = ({ state }: Locked, to: BatchState): Problem<'refused'> | undefined =>
  canTransitionBatch(state, to) ? undefined : problem('refused', state === to ? alreadyThere[to] : sentences[state])

const alreadyThere: Readonly<Record<BatchState, string>> = { ...sentences, open: 'This batch is open already' }

/** Closes a batch. Whoever orders meanwhile comes before it, or into the next one. */
export const closeBatch = (deps: Deps, changing: BatchChange): Promise<undefined | Refused> =>
  withBatch(deps, changing, async ({ tx, batch }) => {
    const refused = cannotMove(batch, 'closed')
    if (refused) return refused
    const { key, user } = changing
    const change = { state: 'closed', closed_at: deps.clock(), closed_by: user.id } as const
    await writeBatch(tx, deps, { key, change })
    const detail = { name: batch.name }
    const { studioId, batchId } = key
    await recordAudit(tx, deps, {
      studioId,
      action: 'batch.closed',
      entityId: String(batchId),
      detail,
      userId: user.id,
    })
    return undefined
  })

const otherOpen = 'Another batch of this event is open. Close that one first'

const isAnotherOpen = async (tx: Transaction, { studioId, jobId }: BatchKey): Promise<boolean> => {
  const { rows } = await sql`
    select from batches where studio_id = ${studioId} and job_id = ${jobId} and state = 'open' limit 1`.execute(tx)
  return rows.length > 0
}

/** Opens a closed batch again. It does not close by itself at a moment that has passed. */
export const reopenBatch = (deps: Deps, changing: BatchChange): Promise<undefined | Refused> =>
  withBatch(deps, changing, async ({ tx, batch }) => {
    const refused = cannotMove(batch, 'open')
    if (refused) return refused
    const { key, user } = changing
    if (await isAnotherOpen(tx, key)) return problem('refused', otherOpen)
    const isPast = batch.closes_at !== null && batch.closes_at <= deps.clock()
    const change = { state: 'open', closed_at: null, closed_by: null, ...(isPast && { closes_at: null }) } as const
    await writeBatch(tx, deps, { key, change })
    const detail = { name: batch.name }
    const { studioId, batchId } = key
    await recordAudit(tx, deps, {
      studioId,
      action: 'batch.reopened',
      entityId: String(batchId),
      detail,
      userId: user.id,
    })
    return undefined
  })

/** The end of a day where the studio is. */
const endOfDay = async (tx: Transaction, studioId: number, day: string): Promise<Date | undefined> => {
  const { rows } = await sql<{ at: Date }>`
    select (${day}::date + 1)::timestamp at time zone s.time_zone as at from studios s where s.id = ${studioId}`.execute(
    tx,
  )
  return rows[0]?.at
}

/** Says on which day an open batch closes by itself; null for none. */
export const setClosingDay = (
  deps: Deps,
  changing: BatchChange & { readonly closesOn: string | null },
): Promise<undefined | Refused> =>
  withBatch(deps, changing, async ({ tx, batch }) => {
    const { key, user, closesOn } = changing
    if (batch.state !== 'open') return problem('refused', sentences[batch.state])
    if (closesOn !== null && !isCalendarDay(closesOn)) return problem('refused', 'There is no such day')
    const at = closesOn === null ? null : ((await endOfDay(tx, key.studioId, closesOn)) ?? null)
    if (at && at <= deps.clock()) return problem('refused', 'Please choose a day that is still to come')
    await writeBatch(tx, deps, { key, change: { closes_at: at } })
    const detail = { name: batch.name, closesOn }
    const { studioId, batchId } = key
    await recordAudit(tx, deps, {
      studioId,
      action: 'batch.changed',
      entityId: String(batchId),
      detail,
      userId: user.id,
    })
    return undefined
  })

/** Hands a closed batch to the lab, all of its orders or none. Gives the packet's id. */
export const submitBatch = (deps: Deps, changing: BatchChange): Promise<number | Refused> =>
  withBatch(deps, changing, async ({ tx, batch }) => {
    const refused = cannotMove(batch, 'submitted')
    if (refused) return refused
    const { key, user } = changing
    const { studioId, batchId } = key
    const orders = await lockLabOrders(tx, key, sql`o.batch_id = ${batchId} and o.state = 'batched'`)
    if (orders.length === 0) return problem('refused', 'There is no order in this batch')
    const packetId = await submitToLab(tx, deps, { job: key, user, batchId, orders, why: labObjection })
    if (packetId instanceof Problem) return packetId
    await writeBatch(tx, deps, { key, change: { state: 'submitted' } })
    const detail = { name: batch.name, packetId, orders: orders.length }
    await recordAudit(tx, deps, {
      studioId,
      action: 'batch.submitted',
      entityId: String(batchId),
      detail,
      userId: user.id,
    })
    return packetId
  })

/** So many close in one transaction; the next ones in the next. */
const most = 100

/** Closes what has had its time; nobody did. What another run has in hand is left to it. */
export const closeDueBatches = async (deps: Deps): Promise<void> => {
  const closeSome = () =>
    inTransaction(deps.db, async (tx) => {
      const now = deps.clock()
      const { rows } = await sql<{ studio_id: number; id: number; name: string }>`
        with due as (
          select studio_id, id from batches where state = 'open' and closes_at <= ${now}::timestamptz
           order by closes_at limit ${most} for update skip locked)
        update batches b set state = 'closed', closed_at = ${now}, closed_by = null, version = b.version + 1, updated_at = ${now}
          from due where b.studio_id = due.studio_id and b.id = due.id returning b.studio_id, b.id, b.name`.execute(tx)
      for (const { studio_id: studioId, id, name } of rows) {
        await recordAudit(tx, deps, { studioId, action: 'batch.closed', entityId: String(id), detail: { name } })
      }
      return rows.length
    })
  while ((await closeSome()) === most);
}
