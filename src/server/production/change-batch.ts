import { sql } from 'kysely'
import { type BatchState, canTransitionBatch } from '#domain/orders/order-states.ts'
import { isCalendarDay } from '#domain/shared/dates.ts'
import { lockJob } from '#server/jobs/store/find-job.ts'
import type { User } from '../access/tokens/access-token.ts'
import { recordAudit } from '../audit/audit-log.ts'
import type { Transaction } from '../database/database.ts'
import { inTransaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { isStale, Problem, problem } from '../http/problem.ts'
import { labBlocker, lockLabOrders } from '../orders/store/lab-orders.ts'
import type { BatchKey } from './read-batches.ts'
import { submitToLab } from './submit-to-lab.ts'

/** The batch to change, the version that the user saw, and the user. */
export type BatchChange = { readonly key: BatchKey; readonly version?: number | undefined; readonly user: User }

type BatchProblem = Problem<'not-found' | 'conflict' | 'refused'>
type LockedBatch = { state: BatchState; name: string; version: number; closes_at: Date | null }

const lockBatch = (tx: Transaction, { studioId, jobId, batchId }: BatchKey): Promise<LockedBatch | undefined> =>
  tx
    .selectFrom('batches')
    .select(['state', 'name', 'version', 'closes_at'])
    .where('studio_id', '=', studioId)
    .where('job_id', '=', jobId)
    .where('id', '=', batchId)
    .forUpdate()
    .executeTakeFirst()

type BatchColumns = { state?: BatchState; closes_at?: Date | null; closed_at?: Date | null; closed_by?: number | null }

const writeBatch = async (
  tx: Transaction,
  { clock }: Deps,
  { key: { studioId, batchId }, change }: { key: BatchKey; change: BatchColumns },
): Promise<void> => {
  await tx
    .updateTable('batches')
    .set(({ eb }) => ({ ...change, updated_at: clock(), version: eb('version', '+', 1) }))
    .where('studio_id', '=', studioId)
    .where('id', '=', batchId)
    .execute()
}

type BatchLock = { readonly tx: Transaction; readonly batch: LockedBatch }

/** Runs a change under the lock of the batch. Returns a conflict if the version of the batch has changed. */
const withBatch = <Result>(
  deps: Deps,
  { key, version }: BatchChange,
  change: (locked: BatchLock) => Promise<Result | BatchProblem>,
): Promise<Result | BatchProblem> =>
  inTransaction(deps.db, async (tx) => {
    // Serializes opening and reopening batches of a job. Locks the job first, as creating a batch does.
    await lockJob(tx, key)
    const batch = await lockBatch(tx, key)
    if (!batch) return problem('not-found')
    if (isStale(batch, version)) return problem('conflict')
    return await change({ tx, batch })
  })

const messageByState: Readonly<Record<BatchState, string>> = {
  open: 'This batch is open. Close it first',
  closed: 'This batch is closed already',
  submitted: 'This batch is with the lab already',
}

/** The problem if a batch cannot change to a state. */
const transitionProblem = ({ state }: LockedBatch, to: BatchState): Problem<'refused'> | undefined =>
  canTransitionBatch(state, to)
    ? undefined
    : problem('refused', state === to ? messageByTarget[to] : messageByState[state])

const messageByTarget: Readonly<Record<BatchState, string>> = { ...messageByState, open: 'This batch is open already' }

/** Closes a batch. Orders that are placed concurrently join it before it closes, or join the next batch. */
export const closeBatch = (deps: Deps, request: BatchChange): Promise<undefined | BatchProblem> =>
  withBatch(deps, request, async ({ tx, batch }) => {
    const stateProblem = transitionProblem(batch, 'closed')
    if (stateProblem) return stateProblem
    const { key, user } = request
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

const anotherOpenMessage = 'Another batch of this event is open. Close that one first'

const hasOpenBatch = async (tx: Transaction, { studioId, jobId }: BatchKey): Promise<boolean> => {
  const rows = await tx
    .selectFrom('batches')
    .select('id')
    .where('studio_id', '=', studioId)
    .where('job_id', '=', jobId)
    .where('state', '=', 'open')
    .limit(1)
    .execute()
  return rows.length > 0
}

/** Reopens a closed batch. A closing time that has passed is removed. */
export const reopenBatch = (deps: Deps, request: BatchChange): Promise<undefined | BatchProblem> =>
  withBatch(deps, request, async ({ tx, batch }) => {
    const stateProblem = transitionProblem(batch, 'open')
    if (stateProblem) return stateProblem
    const { key, user } = request
    if (await hasOpenBatch(tx, key)) return problem('refused', anotherOpenMessage)
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

/** The end of a day in the studio's time zone. */
const endOfDay = async (tx: Transaction, studioId: number, day: string): Promise<Date | undefined> => {
  const { rows } = await sql<{ at: Date }>`
    select (${day}::date + 1)::timestamp at time zone s.time_zone as at from studios s where s.id = ${studioId}`.execute(
    tx,
  )
  return rows[0]?.at
}

/** Sets the day on which an open batch closes automatically; null for none. */
export const setClosingDay = (
  deps: Deps,
  request: BatchChange & { readonly closesOn: string | null },
): Promise<undefined | BatchProblem> =>
  withBatch(deps, request, async ({ tx, batch }) => {
    const { key, user, closesOn } = request
    if (batch.state !== 'open') return problem('refused', messageByState[batch.state])
    if (closesOn !== null && !isCalendarDay(closesOn)) return problem('refused', 'There is no such day')
    const closesAt = closesOn === null ? null : ((await endOfDay(tx, key.studioId, closesOn)) ?? null)
    if (closesAt && closesAt <= deps.clock()) return problem('refused', 'Please choose a day that is still to come')
    await writeBatch(tx, deps, { key, change: { closes_at: closesAt } })
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

/** Submits a closed batch to the lab, all of its orders or none. Returns the packet's id. */
export const submitBatch = (deps: Deps, request: BatchChange): Promise<number | BatchProblem> =>
  withBatch(deps, request, async ({ tx, batch }) => {
    const stateProblem = transitionProblem(batch, 'submitted')
    if (stateProblem) return stateProblem
    const { key, user } = request
    const { studioId, batchId } = key
    const orders = await lockLabOrders(tx, key, sql`o.batch_id = ${batchId} and o.state = 'batched'`)
    if (orders.length === 0) return problem('refused', 'There is no order in this batch')
    const packetId = await submitToLab(tx, deps, { job: key, user, batchId, orders, blockerOf: labBlocker })
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

/** The limit of batches that are closed per transaction. */
const maxPerTransaction = 100

/** Closes batches whose closing time has passed. `skip locked` leaves the rows of a concurrent run to that run. */
export const closeDueBatches = async (deps: Deps): Promise<void> => {
  const closeDue = () =>
    inTransaction(deps.db, async (tx) => {
      const now = deps.clock()
      const { rows } = await sql<{ studio_id: number; id: number; name: string }>`
        with due as (
          select studio_id, id from batches where state = 'open' and closes_at <= ${now}::timestamptz
           order by closes_at limit ${maxPerTransaction} for update skip locked)
        update batches b set state = 'closed', closed_at = ${now}, closed_by = null, version = b.version + 1, updated_at = ${now}
          from due where b.studio_id = due.studio_id and b.id = due.id returning b.studio_id, b.id, b.name`.execute(tx)
      for (const { studio_id: studioId, id, name } of rows) {
        await recordAudit(tx, deps, { studioId, action: 'batch.closed', entityId: String(id), detail: { name } })
      }
      return rows.length
    })
  while ((await closeDue()) === maxPerTransaction);
}
