import { maxMutationsPerSync } from '#contract/customer/cart-calls.ts'
import { readConfirmedCart, readStoredCart } from '../store/confirmed-cart.ts'
import type { LocalDatabase } from '../store/database.ts'
import { sessionCount } from '../store/device-entries.ts'
import { lostAccessOf } from '../store/job-access.ts'
import type { CartKey, OutboxRow, SendingState } from '../store/rows.ts'
import { batchLimitOf, partitionHeldRows } from '../transport/bisect-batch.ts'
import type { SentBatch } from './apply-sync-result.ts'
import { inCartTransaction, sendingStateOf } from './enqueue.ts'

/** Lets a batch pass a slow connection within one request's timeout; a single mutation may be larger. */
const maxBatchCharacters = 64_000

/**
 * The mutations to send now. `base`: the etag of the stored cart, to get only what has changed since. Empty if stored
 * codes and subjects must be sent first (`isAccessLost`), or if an empty request only probes whether the server works
 * (`isProbe`).
 */
type SyncBatch = SentBatch & { isAccessLost: boolean; isProbe: boolean; base: string | undefined }

type WaitingCart = { key: CartKey; sending: SendingState; rows: OutboxRow[]; unanswered: string[]; at: number }

/**
 * Carts with pending mutations that do not wait for the customer, the oldest mutation first; with the rows to send next,
 * and when.
 */
const waitingCarts = (db: LocalDatabase, now: number): Promise<WaitingCart[]> =>
  db.transaction('r', [db.outbox, db.sending, db.carts], async () => {
    const pendingRows = await db.outbox.where('state').anyOf('new', 'sent').sortBy('seq')
    const keys = new Map(
      pendingRows.map(({ jobId, orderMethod }) => [`${jobId} ${orderMethod}`, { jobId, orderMethod }]),
    )
    const carts: WaitingCart[] = []
    for (const key of keys.values()) {
      const cartRows = pendingRows.filter((row) => row.jobId === key.jobId && row.orderMethod === key.orderMethod)
      const sending = await sendingStateOf(db, key)
      if (sending.paused !== null) continue
      const cartDueAt = dueAt(sending, now)
      const hasHeldRows = cartRows.some(({ serverErrors }) => serverErrors)
      const { free, failed } = hasHeldRows
        ? partitionHeldRows(await readConfirmedCart(db, key), cartRows)
        : { free: cartRows, failed: [] }
      const rowToTry = free.length > 0 || sending.diagnosis === 'probing' ? null : firstToTry(failed)
      carts.push({
        ...{ key, sending, rows: rowToTry ? [rowToTry] : free },
        unanswered: cartRows.filter(({ state }) => state === 'sent').map(({ mutationId }) => mutationId),
        at: rowToTry ? Math.max(cartDueAt, retryDueAt(rowToTry, now)) : cartDueAt,
      })
    }
    return carts
  })

/** When a cart is due. If the clock was set back since `nextAt` was stored, the cart is due at once. */
const dueAt = ({ nextAt, waitsSince }: Pick<SendingState, 'nextAt' | 'waitsSince'>, now: number): number =>
  now < waitsSince ? now : nextAt

/** When a row that failed with a server error is due. */
const retryDueAt = ({ serverErrors }: OutboxRow, now: number): number =>
  serverErrors ? dueAt({ nextAt: serverErrors.nextAt, waitsSince: serverErrors.since }, now) : now

const firstToTry = (failed: readonly OutboxRow[]): OutboxRow | undefined =>
  [...failed].sort((a, b) => (a.serverErrors?.nextAt ?? 0) - (b.serverErrors?.nextAt ?? 0))[0]

/** When the next cart is due, in milliseconds since 1970; null when nothing waits. */
export const nextDue = async (db: LocalDatabase, now: number): Promise<number | null> => {
  const carts = await waitingCarts(db, now)
  return carts.length === 0 ? null : Math.min(...carts.map(({ at }) => at))
}

/** Picks the rows to send now and marks them as sent before the request is made; null when nothing is due. */
export const claimSyncBatch = (db: LocalDatabase, now: number): Promise<SyncBatch | null> =>
  inCartTransaction(db, async () => {
    const due = (await waitingCarts(db, now)).find(({ at }) => at <= now)
    if (!due) return null
    const { key, sending } = due
    const session = await sessionCount(db)
    // Later updates need this row, even if nothing of the cart was ever sent.
    await db.sending.put(sending)
    const emptyBatch = { key, session, isAccessLost: false, isProbe: false, rows: [], sentBefore: [] }
    if (await lostAccessOf(db, key.jobId))
      return { ...emptyBatch, isAccessLost: true, stored: undefined, base: undefined }
    const isProbe = sending.diagnosis === 'probing'
    const rows = isProbe ? [] : takeFitting(due.rows, batchLimitOf(sending, maxMutationsPerSync))
    await db.outbox
      .where('seq')
      .anyOf(rows.map((row) => row.seq))
      .modify({ state: 'sent' })
    await db.sending.put({ ...sending, inFlight: true })
    const stored = await readStoredCart(db, key)
    const sentBefore = due.unanswered
      .filter((id) => rows.every(({ mutationId }) => mutationId !== id))
      .slice(0, maxMutationsPerSync)
    // After a failure the whole cart is asked for: the changes in the last response may not have fitted the stored cart.
    const base = sending.attempts === 0 ? stored?.etag : undefined
    return { ...emptyBatch, isProbe, stored, rows, sentBefore, base }
  })

/** The first rows, in order, as many as fit into one request. */
const takeFitting = (rows: OutboxRow[], limit: number): OutboxRow[] => {
  let characters = 0
  const overflowIndex = rows.slice(0, limit).findIndex(({ recorded }) => {
    characters += JSON.stringify(recorded.mutation).length
    return characters > maxBatchCharacters
  })
  return rows.slice(0, overflowIndex === -1 ? limit : Math.max(1, overflowIndex))
}
