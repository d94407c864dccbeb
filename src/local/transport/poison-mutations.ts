import { backoffDelay } from '#domain/shared/retry-policy.ts'
import type { SentBatch } from '../outbox/apply-sync-result.ts'
import { cartKey, isPending, pendingRowsOf } from '../outbox/outbox-rows.ts'
import { updateSending } from '../outbox/sending-state.ts'
import { rejectUnlessSuperseded } from '../outbox/supersede.ts'
import type { LocalDatabase } from '../store/database.ts'
import type { CartKey, OutboxRow, Rejection } from '../store/rows.ts'

const maxServerErrors = 3

const notAcceptedRejection: Rejection = {
  problem: 'not-taken',
  message: 'The studio couldn’t accept this change; everything else is saved. Try again later, or discard it',
}

type BisectDeps = { db: LocalDatabase; clock: () => number; random: () => number }

/** Stores that a batch failed with a server error, and what to send next to find the cause. */
export const bisectAfterServerError = async (
  deps: BisectDeps,
  { key, rows, isProbe }: SentBatch & { isProbe: boolean },
): Promise<void> => {
  const { db } = deps
  const [first, ...others] = rows
  if (isProbe || !first) return await recordServerDown(deps, key)
  if (first.serverErrors) return await recordServerError(deps, key, first)
  const sending = await db.sending.get(cartKey(key))
  const isFound = sending?.diagnosis === 'bisecting' && others.length === 0
  if (isFound) return await recordServerError(deps, key, first)
  await updateSending(db, key, ({ attempts, diagnosis }) => ({
    // Retries are silent.
    ...{ attempts: Math.max(1, attempts), nextAt: 0 },
    ...(diagnosis === 'bisecting' ? { suspects: rows.length } : { diagnosis: 'probing' }),
  }))
}

/** Not even an empty request succeeded, so no mutation is the cause. */
const recordServerDown = async ({ db, clock, random }: BisectDeps, key: CartKey): Promise<void> => {
  const firstError = { count: 1, nextAt: clock(), since: clock() }
  await failedRowsOf(db, key).modify({ serverErrors: firstError })
  await updateSending(db, key, ({ attempts }) => {
    const delayMs = backoffDelay(attempts + 1, random())
    return { attempts: attempts + 1, nextAt: clock() + delayMs, waitsSince: clock(), suspects: undefined }
  })
}

const failedRowsOf = (db: LocalDatabase, key: CartKey) =>
  db.outbox
    .where('[jobId+orderMethod]')
    .equals(cartKey(key))
    .and((row) => isPending(row) && row.serverErrors !== undefined)

const recordServerError = async ({ db, clock, random }: BisectDeps, key: CartKey, row: OutboxRow): Promise<void> => {
  const count = (row.serverErrors?.count ?? 0) + 1
  const since = clock()
  await db.outbox.update(row.seq, { serverErrors: { count, since, nextAt: since + backoffDelay(count, random()) } })
  const next = count < maxServerErrors ? {} : ({ diagnosis: 'probing' } as const)
  await updateSending(db, key, () => ({ nextAt: 0, suspects: undefined, ...next }))
}

/**
 * The empty request succeeded, so the server is healthy: mutations that met too many server errors are set aside. The
 * rest of the failed batch is bisected; if none of it is pending any more, the bisection ends, so that no later
 * mutation is suspected.
 */
export const confirmServerHealthy = async (db: LocalDatabase, key: CartKey): Promise<void> => {
  for (const row of await failedRowsOf(db, key).toArray())
    if ((row.serverErrors?.count ?? 0) >= maxServerErrors) await rejectUnlessSuperseded(db, row, notAcceptedRejection)
  const pendingRows = await pendingRowsOf(db, key)
  const hasSuspects = pendingRows.some(({ state, serverErrors }) => state === 'sent' && !serverErrors)
  await updateSending(db, key, () => ({ nextAt: 0, diagnosis: hasSuspects ? 'bisecting' : undefined }))
}
