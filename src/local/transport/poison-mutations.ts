import { backoffDelay } from '#domain/shared/retry-policy.ts'
import type { SentBatch } from '../outbox/apply-sync-result.ts'
import { cartKey, isPending, pendingRowsOf } from '../outbox/outbox-rows.ts'
import { updateSending } from '../outbox/sending-state.ts'
import { rejectUnlessSuperseded } from '../outbox/supersede.ts'
import type { CartKey, LocalDatabase, OutboxRow, Rejection } from '../store/database.ts'

const maxServerErrors = 3

const notAcceptedRejection: Rejection = {
  problem: 'not-taken',
  message: 'The studio could not take this, though all else arrived. Try again in a while, or let it go',
}

type BisectDeps = { db: LocalDatabase; clock: () => number; random: () => number }

/** Writes down that what was sent met such an answer, and what is to be done about it. */
export const bisectAfterServerError = async (
  parts: BisectDeps,
  { key, rows, asks }: SentBatch & { asks: boolean },
): Promise<void> => {
  const { db } = parts
  const [first, ...others] = rows
  if (asks || !first) return await recordServerDown(parts, key)
  if (first.stumbled) return await recordServerError(parts, key, first)
  const sending = await db.sending.get(cartKey(key))
  const isFound = sending?.doubt === 'narrows' && others.length === 0
  if (isFound) return await recordServerError(parts, key, first)
  await updateSending(db, key, ({ attempts, doubt: before }) => ({
    // What failed once is tried again quietly.
    ...{ attempts: Math.max(1, attempts), nextAt: 0 },
    ...(before === 'narrows' ? { suspects: rows.length } : { doubt: 'asks' }),
  }))
}

/** Not even an empty request came through: then nothing that was sent is to blame. */
const recordServerDown = async ({ db, clock, random }: BisectDeps, key: CartKey): Promise<void> => {
  const again = { times: 1, nextAt: clock(), since: clock() }
  await failedRowsOf(db, key).modify({ stumbled: again })
  await updateSending(db, key, ({ attempts }) => {
    const wait = backoffDelay(attempts + 1, random())
    return { attempts: attempts + 1, nextAt: clock() + wait, waitsSince: clock(), suspects: undefined }
  })
}

const failedRowsOf = (db: LocalDatabase, key: CartKey) =>
  db.outbox
    .where('[jobId+orderMethod]')
    .equals(cartKey(key))
    .and((row) => isPending(row) && row.stumbled !== undefined)

const recordServerError = async ({ db, clock, random }: BisectDeps, key: CartKey, row: OutboxRow): Promise<void> => {
  const times = (row.stumbled?.times ?? 0) + 1
  const since = clock()
  await db.outbox.update(row.seq, { stumbled: { times, since, nextAt: since + backoffDelay(times, random()) } })
  const next = times < maxServerErrors ? {} : ({ doubt: 'asks' } as const)
  await updateSending(db, key, () => ({ nextAt: 0, suspects: undefined, ...next }))
}

/**
 * The empty request succeeded, so the server is healthy: mutations that met too many server errors are set aside. The rest of the failed
 * batch is bisected; where none of it is waiting any more, the doubt ends, so that no later mutation is suspected.
 */
export const confirmServerHealthy = async (db: LocalDatabase, key: CartKey): Promise<void> => {
  for (const row of await failedRowsOf(db, key).toArray())
    if ((row.stumbled?.times ?? 0) >= maxServerErrors) await rejectUnlessSuperseded(db, row, notAcceptedRejection)
  const waiting = await pendingRowsOf(db, key)
  const isInDoubt = waiting.some(({ state, stumbled }) => state === 'sent' && !stumbled)
  await updateSending(db, key, () => ({ nextAt: 0, doubt: isInDoubt ? 'narrows' : undefined }))
}
