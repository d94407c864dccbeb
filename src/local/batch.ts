import { mostMutationsAtOnce } from '../contract/customer-cart.ts'
import { cartKey, rowsOf } from './cart-view.ts'
import type { CartKey, LocalDatabase, OutboxRow, Sending } from './database.ts'
import { shutDoorsOf } from './doors.ts'
import { keptCart } from './kept-cart.ts'
import { inCartTransaction, sendingOf } from './outbox.ts'
import { sessionCount } from './session.ts'
import type { Sent } from './settle.ts'

/** So that a batch passes a bad line within one request's patience; a single mutation may be larger. */
const mostCharacters = 64_000

/** What is to be sent now, and of which of the server's carts this device knows; nothing where codes and people must go before it (`doorsShut`). */
type Batch = Sent & { doorsShut: boolean; cartId: number | null }

type Waiting = { key: CartKey; sending: Sending }

/** Carts with something to send that do not wait for the customer, the longest waiting first. */
const waitingCarts = (db: LocalDatabase): Promise<Waiting[]> =>
  db.transaction('r', [db.outbox, db.sending], async () => {
    const rows = await db.outbox.where('state').anyOf('new', 'sent').sortBy('seq')
    const keys = new Map(rows.map(({ jobId, orderMethod }) => [`${jobId} ${orderMethod}`, { jobId, orderMethod }]))
    const waiting: Waiting[] = []
    for (const key of keys.values()) {
      const sending = await sendingOf(db, key)
      if (sending.paused === null) waiting.push({ key, sending })
    }
    return waiting
  })

/** When a cart is due. A clock that was moved back since would have it wait for as long as that: then it is due at once. */
const dueAt = ({ nextAt, waitsSince = 0 }: Sending, now: number): number => (now < waitsSince ? now : nextAt)

/** When the next cart is due, in milliseconds since 1970; null when nothing waits. */
export const nextDue = async (db: LocalDatabase, now: number): Promise<number | null> => {
  const waiting = await waitingCarts(db)
  return waiting.length === 0 ? null : Math.min(...waiting.map(({ sending }) => dueAt(sending, now)))
}

/** Picks what goes out now and marks it sent, before anything leaves; null when nothing is due. */
export const takeBatch = (db: LocalDatabase, now: number): Promise<Batch | null> =>
  inCartTransaction(db, async () => {
    const due = (await waitingCarts(db)).find(({ sending }) => dueAt(sending, now) <= now)
    if (!due) return null
    const { key, sending } = due
    const session = await sessionCount(db)
    // How it goes on is written into this row, also where nothing was ever sent of the cart.
    await db.sending.put(sending)
    if (await shutDoorsOf(db, key.jobId)) return { key, session, doorsShut: true, cartId: null, rows: [] }
    const all = (await rowsOf(db, key)).filter((row) => row.state !== 'refused')
    const rows = firstOf(all, sending.batchLimit || mostMutationsAtOnce)
    await db.outbox
      .where('seq')
      .anyOf(rows.map((row) => row.seq))
      .modify({ state: 'sent' })
    await db.sending.put({ ...sending, inFlight: true })
    const kept = await keptCart(db, key)
    return { key, session, doorsShut: false, cartId: kept?.cart.id ?? null, rows }
  })

/** In order, from the first: as many as fit. */
const firstOf = (rows: OutboxRow[], limit: number): OutboxRow[] => {
  let characters = 0
  const fitting = rows.slice(0, limit).findIndex(({ recorded }) => {
    characters += JSON.stringify(recorded.mutation).length
    return characters > mostCharacters
  })
  return rows.slice(0, fitting === -1 ? limit : Math.max(1, fitting))
}

/** Writes down how sending stands after an answer. Nothing when the device was finished meanwhile. */
export const updateSending = (db: LocalDatabase, key: CartKey, change: (sending: Sending) => Partial<Sending>) =>
  db.transaction('rw', db.sending, async () => {
    const sending = await db.sending.get(cartKey(key))
    if (sending) await db.sending.put({ ...sending, inFlight: false, ...change(sending) })
  })
