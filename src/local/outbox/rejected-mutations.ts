import { cartProblemMessage } from '#domain/cart/cart-rules.ts'
import type { Mutation, Stamp } from '#domain/cart/mutation.ts'
import { replayMutations } from '#domain/cart/replay.ts'
import { type DeviceFailure, withDatabaseRetry } from '../recovery/with-database-retry.ts'
import { readConfirmedCart } from '../store/confirmed-cart.ts'
import type { CartKey, LocalDatabase, OutboxRow, Rejection } from '../store/database.ts'
import { allowAccessRetry } from '../store/job-access.ts'
import { dropMissingBackground, missingBackgroundOf } from './drop-missing-background.ts'
import { inCartTransaction, newOutboxRow } from './enqueue.ts'
import { pendingRowsOf } from './outbox-rows.ts'
import { rebaseLineFields } from './rebase-line-fields.ts'
import { replayRows, upcastRecorded } from './replay-rows.ts'

/** Mutations of a job that the server would not take, in the order they were made. */
export const rejectedMutations = async (db: LocalDatabase, jobId: number): Promise<OutboxRow[]> => {
  const rows = await db.outbox.where('jobId').equals(jobId).sortBy('seq')
  return rows.filter((row) => row.state === 'refused')
}

/** Answers a problem only where the device fails. */
const inRetriedTransaction = (db: LocalDatabase, work: () => Promise<void>): Promise<DeviceFailure | undefined> =>
  withDatabaseRetry(db, () => inCartTransaction(db, work).then(() => undefined))

/** The customer lets it go, with all that was refused for the same line, and what else they did to one whose adding it is. */
export const discardRejected = (db: LocalDatabase, mutationId: string): Promise<DeviceFailure | undefined> =>
  inRetriedTransaction(db, async () => {
    const refused = await rejectedOfSameLine(db, mutationId)
    // Also what has left: wherever it arrives there is no such line.
    const rows = [...refused, ...(await changedSince(db, refused))]
    await db.outbox.bulkDelete(rows.map((row) => row.seq))
  })

/**
 * The customer wants it tried again: under new ids, since the server keeps its answer to the old ones, and after all else, with what
 * else they did to a line whose adding it is. What was refused for its background goes without it: a line that is not in the cart can be
 * given no other. What cannot be in the cart as the customer sees it stays refused, and says why.
 */
export const retryRejected = (
  db: LocalDatabase,
  stamp: Stamp,
  mutationId: string,
): Promise<DeviceFailure | undefined> =>
  inRetriedTransaction(db, async () => {
    const refused = await rejectedOfSameLine(db, mutationId)
    const rows = [...refused, ...(await changedSince(db, refused))].sort((one, other) => one.seq - other.seq)
    // What has left may be under way: it stays as it is, and is told once more behind the line.
    await db.outbox.bulkDelete(rows.filter(({ state }) => state !== 'sent').map((row) => row.seq))
    const key = rows.find((row) => row.mutationId === mutationId)
    if (!key) return
    const gone = rows.map(missingBackgroundOf).find((one) => one !== null) ?? null
    const said = await rebaseLineFields(
      db,
      key,
      rows.map(({ recorded }) => recorded),
    )
    const again = said.map(({ mutation, snapshot }) => {
      const bare = gone === null ? mutation : dropMissingBackground(mutation, gone)
      return newOutboxRow(key, { mutation: { ...bare, id: stamp.newId() }, snapshot })
    })
    const refusal = await rejectionOf(db, key, again)
    if (refusal) await db.outbox.bulkPut(rows.map((row) => (row === key ? { ...row, refusal } : row)))
    else await db.outbox.bulkAdd(again)
  })

/** Why any of these cannot be in the cart as the customer sees it; null where all can, as far as this build can tell. */
const rejectionOf = async (
  db: LocalDatabase,
  key: CartKey,
  again: Omit<OutboxRow, 'seq'>[],
): Promise<Rejection | null> => {
  const seen = replayRows(await readConfirmedCart(db, key), await pendingRowsOf(db, key)).cart
  const [first] = replayMutations(
    seen,
    again.flatMap(({ recorded }) => upcastRecorded(recorded)),
  ).refused
  return first ? { problem: first.problem, message: cartProblemMessage(first.problem, seen.state) } : null
}

/** The customer has helped (or wants to try): what was paused of the event is sent again, whichever way it was ordered. */
export const resumeCart = (db: LocalDatabase, key: CartKey): Promise<DeviceFailure | undefined> =>
  inRetriedTransaction(db, async () => {
    await allowAccessRetry(db, key.jobId)
    await db.sending.where('jobId').equals(key.jobId).modify({ paused: null, nextAt: 0 })
  })

/** A line whose adding was refused takes its other changes along: alone they speak of nothing. */
const rejectedOfSameLine = async (db: LocalDatabase, mutationId: string): Promise<OutboxRow[]> => {
  const row = await db.outbox.where('mutationId').equals(mutationId).first()
  if (!row) return []
  if (row.lineId === null) return [row]
  return (await rejectedMutations(db, row.jobId)).filter((one) => one.lineId === row.lineId)
}

/** What waits of a line whose adding was refused: told before that, it would speak of nothing. Taken out before, the line is wanted now. */
const changedSince = async (db: LocalDatabase, refused: readonly OutboxRow[]): Promise<OutboxRow[]> => {
  const added = refused.find(({ recorded }) => recorded.mutation.do === 'line.add')
  if (!added) return []
  const isOfLine = ({ seq, lineId }: OutboxRow): boolean => seq > added.seq && lineId === added.lineId
  return (await pendingRowsOf(db, added)).filter((row) => isOfLine(row) && isChange(row.recorded.mutation))
}

const isChange = (mutation: Mutation): boolean =>
  mutation.do === 'line.customise' ||
  mutation.do === 'line.accept' ||
  (mutation.do === 'line.quantity' && mutation.quantity > 0)
