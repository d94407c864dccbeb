import { maxMutationsPerSync } from '#contract/customer/cart-calls.ts'
import { readConfirmedCart, readStoredCart } from '../store/confirmed-cart.ts'
import type { CartKey, LocalDatabase, OutboxRow, SendingState } from '../store/database.ts'
import { lostAccessOf } from '../store/job-access.ts'
import { sessionCount } from '../store/session-count.ts'
import { batchLimitOf, partitionHeldRows } from '../transport/bisect-batch.ts'
import type { SentBatch } from './apply-sync-result.ts'
import { inCartTransaction, sendingStateOf } from './enqueue.ts'

/** Lets a batch pass a slow connection within one request's timeout; a single mutation may be larger. */
const maxBatchCharacters = 64_000

/**
 * What is to be sent now; nothing where codes and people must go before it (`doorsShut`), or where only the server's health is asked for
 * (`asks`).
 */
type SyncBatch = SentBatch & { doorsShut: boolean; asks: boolean }

type WaitingCart = { key: CartKey; sending: SendingState; rows: OutboxRow[]; at: number }

/** Carts with something to send that do not wait for the customer, the longest waiting first; what goes next of each, and when. */
const waitingCarts = (db: LocalDatabase, now: number): Promise<WaitingCart[]> =>
  db.transaction('r', [db.outbox, db.sending, db.carts], async () => {
    const all = await db.outbox.where('state').anyOf('new', 'sent').sortBy('seq')
    const keys = new Map(all.map(({ jobId, orderMethod }) => [`${jobId} ${orderMethod}`, { jobId, orderMethod }]))
    const waiting: WaitingCart[] = []
    for (const key of keys.values()) {
      const ofCart = all.filter((row) => row.jobId === key.jobId && row.orderMethod === key.orderMethod)
      const sending = await sendingStateOf(db, key)
      if (sending.paused !== null) continue
      const at = dueAt(sending, now)
      const isHeld = ofCart.some(({ stumbled }) => stumbled)
      const { free, stumbled } = isHeld
        ? partitionHeldRows(await readConfirmedCart(db, key), ofCart)
        : { free: ofCart, stumbled: [] }
      const next = free.length > 0 || sending.doubt === 'asks' ? null : firstToTry(stumbled)
      waiting.push({ key, sending, rows: next ? [next] : free, at: next ? Math.max(at, retryDueAt(next, now)) : at })
    }
    return waiting
  })

/** When a cart is due. A clock that was moved back since would have it wait for as long as that: then it is due at once. */
const dueAt = ({ nextAt, waitsSince }: Pick<SendingState, 'nextAt' | 'waitsSince'>, now: number): number =>
  now < waitsSince ? now : nextAt

/** The same for a row that met a server error. */
const retryDueAt = ({ stumbled }: OutboxRow, now: number): number =>
  stumbled ? dueAt({ nextAt: stumbled.nextAt, waitsSince: stumbled.since }, now) : now

const firstToTry = (stumbled: readonly OutboxRow[]): OutboxRow | undefined =>
  [...stumbled].sort((one, other) => (one.stumbled?.nextAt ?? 0) - (other.stumbled?.nextAt ?? 0))[0]

/** When the next cart is due, in milliseconds since 1970; null when nothing waits. */
export const nextDue = async (db: LocalDatabase, now: number): Promise<number | null> => {
  const waiting = await waitingCarts(db, now)
  return waiting.length === 0 ? null : Math.min(...waiting.map(({ at }) => at))
}

/** Picks what goes out now and marks it sent, before anything leaves; null when nothing is due. */
export const claimSyncBatch = (db: LocalDatabase, now: number): Promise<SyncBatch | null> =>
  inCartTransaction(db, async () => {
    const due = (await waitingCarts(db, now)).find(({ at }) => at <= now)
    if (!due) return null
    const { key, sending } = due
    const session = await sessionCount(db)
    // How it goes on is written into this row, also where nothing was ever sent of the cart.
    await db.sending.put(sending)
    const nothing = { key, session, doorsShut: false, asks: false, cartId: null, rows: [] }
    if (await lostAccessOf(db, key.jobId)) return { ...nothing, doorsShut: true }
    const asks = sending.doubt === 'asks'
    const rows = asks ? [] : firstOf(due.rows, batchLimitOf(sending, maxMutationsPerSync))
    await db.outbox
      .where('seq')
      .anyOf(rows.map((row) => row.seq))
      .modify({ state: 'sent' })
    await db.sending.put({ ...sending, inFlight: true })
    const kept = await readStoredCart(db, key)
    return { ...nothing, asks, cartId: kept?.cart.id ?? null, rows }
  })

/** In order, from the first: as many as fit. */
const firstOf = (rows: OutboxRow[], limit: number): OutboxRow[] => {
  let characters = 0
  const fitting = rows.slice(0, limit).findIndex(({ recorded }) => {
    characters += JSON.stringify(recorded.mutation).length
    return characters > maxBatchCharacters
  })
  return rows.slice(0, fitting === -1 ? limit : Math.max(1, fitting))
}
