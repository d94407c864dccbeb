import { cartProblemMessage } from '#domain/cart/cart-rules.ts'
import { isRemoval } from '#domain/cart/coalesce-mutations.ts'
import type { Mutation, Stamp } from '#domain/cart/mutation.ts'
import { replayMutations } from '#domain/cart/replay.ts'
import { type DeviceFailure, withDatabaseRetry } from '../recovery/with-database-retry.ts'
import { readConfirmedCart } from '../store/confirmed-cart.ts'
import type { LocalDatabase } from '../store/database.ts'
import { allowAccessRetry } from '../store/job-access.ts'
import type { CartKey, OutboxRow, Rejection } from '../store/rows.ts'
import { inCartTransaction, newOutboxRow } from './enqueue.ts'
import { pendingRowsOf, replayRows, upcastRecorded } from './outbox-rows.ts'
import { rebaseLineFields } from './rebase-line-fields.ts'

/** Mutations of a job that the server rejected, in the order in which they were made. */
export const rejectedMutations = async (db: LocalDatabase, jobId: number): Promise<OutboxRow[]> => {
  const rows = await db.outbox.where('jobId').equals(jobId).sortBy('seq')
  return rows.filter((row) => row.state === 'rejected')
}

/** Returns a failure only if the device fails. */
const inRetriedTransaction = (db: LocalDatabase, work: () => Promise<void>): Promise<DeviceFailure | undefined> =>
  withDatabaseRetry(db, () => inCartTransaction(db, work).then(() => undefined))

/**
 * The customer discards a rejected mutation: deletes all rejected mutations of its line, and later changes of a line
 * whose add was rejected.
 */
export const discardRejected = (db: LocalDatabase, mutationId: string): Promise<DeviceFailure | undefined> =>
  inRetriedTransaction(db, async () => {
    const rejectedRows = await rejectedOfSameLine(db, mutationId)
    // Includes sent rows: the server has no such line.
    const rows = [...rejectedRows, ...(await laterChanges(db, rejectedRows))]
    await db.outbox.bulkDelete(rows.map((row) => row.seq))
  })

/** The missing background because of which a change was rejected; null if it was rejected for another reason. */
const missingBackgroundOf = ({ recorded: { mutation }, rejection }: OutboxRow): number | null =>
  rejection?.problem === 'background-gone' && 'greenScreenBackgroundId' in mutation
    ? mutation.greenScreenBackgroundId
    : null

/** Removes a missing background from a change; everything else stays as it was filled in. */
const dropMissingBackground = (mutation: Mutation, missingBackgroundId: number): Mutation =>
  'greenScreenBackgroundId' in mutation && mutation.greenScreenBackgroundId === missingBackgroundId
    ? { ...mutation, greenScreenBackgroundId: null }
    : mutation

/**
 * The customer retries a rejected mutation: it gets a new id, since the server records its result by id, and moves to
 * the end, with later changes of a line whose add was rejected. A missing background is dropped, because a line outside
 * the cart cannot get another. If the cart rules reject it, it stays rejected with the reason.
 */
export const retryRejected = (
  db: LocalDatabase,
  stamp: Stamp,
  mutationId: string,
): Promise<DeviceFailure | undefined> =>
  inRetriedTransaction(db, async () => {
    const rejectedRows = await rejectedOfSameLine(db, mutationId)
    const rows = [...rejectedRows, ...(await laterChanges(db, rejectedRows))].sort((a, b) => a.seq - b.seq)
    // Sent rows may be in flight: they stay, and are repeated after the line.
    await db.outbox.bulkDelete(rows.filter(({ state }) => state !== 'sent').map((row) => row.seq))
    const retriedRow = rows.find((row) => row.mutationId === mutationId)
    if (!retriedRow) return
    const missingBackgroundId = rows.map(missingBackgroundOf).find((backgroundId) => backgroundId !== null) ?? null
    const rebased = await rebaseLineFields(
      db,
      retriedRow,
      rows.map(({ recorded }) => recorded),
    )
    const newRows = rebased.map(({ mutation, snapshot }) => {
      const cleaned = missingBackgroundId === null ? mutation : dropMissingBackground(mutation, missingBackgroundId)
      return newOutboxRow(retriedRow, { mutation: { ...cleaned, id: stamp.newId() }, snapshot })
    })
    const rejection = await rejectionOf(db, retriedRow, newRows)
    if (rejection) await db.outbox.bulkPut(rows.map((row) => (row === retriedRow ? { ...row, rejection } : row)))
    else await db.outbox.bulkAdd(newRows)
  })

/**
 * The first reason why these rows cannot be in the cart as the customer sees it; null if all can, as far as this build
 * knows.
 */
const rejectionOf = async (
  db: LocalDatabase,
  key: CartKey,
  newRows: Omit<OutboxRow, 'seq'>[],
): Promise<Rejection | null> => {
  const visibleCart = replayRows(await readConfirmedCart(db, key), await pendingRowsOf(db, key)).cart
  const [firstRejection] = replayMutations(
    visibleCart,
    newRows.flatMap(({ recorded }) => upcastRecorded(recorded)),
  ).rejected
  return firstRejection
    ? { problem: firstRejection.problem, message: cartProblemMessage(firstRejection.problem, visibleCart.state) }
    : null
}

/** The customer resolved the problem or retries: the paused carts of the job are sent again, for both order methods. */
export const resumeCart = (db: LocalDatabase, key: CartKey): Promise<DeviceFailure | undefined> =>
  inRetriedTransaction(db, async () => {
    await allowAccessRetry(db, key.jobId)
    await db.sending.where('jobId').equals(key.jobId).modify({ paused: null, nextAt: 0 })
  })

/**
 * The rejected mutation with this id, and all other rejected mutations of its line: if the add was rejected, they refer
 * to no line without it.
 */
const rejectedOfSameLine = async (db: LocalDatabase, mutationId: string): Promise<OutboxRow[]> => {
  const row = await db.outbox.where('mutationId').equals(mutationId).first()
  if (!row) return []
  if (row.lineId === null) return [row]
  return (await rejectedMutations(db, row.jobId)).filter((candidate) => candidate.lineId === row.lineId)
}

/**
 * Pending changes of a line whose add was rejected: sent before the retried add, they would refer to no line. A pending
 * removal is not among them: it stays before the add, so that it does not remove the retried line.
 */
const laterChanges = async (db: LocalDatabase, rejectedRows: readonly OutboxRow[]): Promise<OutboxRow[]> => {
  const addRow = rejectedRows.find(({ recorded }) => recorded.mutation.do === 'line.add')
  if (!addRow) return []
  const isOfLine = ({ seq, lineId }: OutboxRow): boolean => seq > addRow.seq && lineId === addRow.lineId
  return (await pendingRowsOf(db, addRow)).filter((row) => isOfLine(row) && isChange(row.recorded.mutation))
}

/** Whether the mutation changes an existing line. */
const isChange = (mutation: Mutation): boolean =>
  'lineId' in mutation && mutation.do !== 'line.add' && !isRemoval(mutation)
