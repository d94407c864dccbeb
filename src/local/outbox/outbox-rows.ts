import type { Cart } from '#domain/cart/cart.ts'
import type { RecordedMutation } from '#domain/cart/mutation.ts'
import { type ReplayResult, replayMutations } from '#domain/cart/replay.ts'
import { upcastMutation } from '#domain/cart/upcast.ts'
import type { LocalDatabase } from '../store/database.ts'
import type { CartKey, OutboxRow } from '../store/rows.ts'

export const cartKey = ({ jobId, orderMethod }: CartKey): [number, CartKey['orderMethod']] => [jobId, orderMethod]

/** The outbox rows of one cart, in the order they were made. */
export const outboxRowsOf = (db: LocalDatabase, key: CartKey): Promise<OutboxRow[]> =>
  db.outbox.where('[jobId+orderMethod]').equals(cartKey(key)).sortBy('seq')

/** Whether the server must still settle a row; a rejected row waits for the customer. */
export const isPending = ({ state }: Pick<OutboxRow, 'state'>): boolean => state !== 'rejected'

/** The rows of a cart that the server must still settle, in order. */
export const pendingRowsOf = async (db: LocalDatabase, key: CartKey): Promise<OutboxRow[]> =>
  (await outboxRowsOf(db, key)).filter(isPending)

/** All carts of which this device stores something: a confirmed cart or outbox rows. */
export const knownCarts = async (db: LocalDatabase): Promise<CartKey[]> => {
  const confirmed = (await db.carts.toCollection().primaryKeys()).map(([jobId, orderMethod]) => ({
    jobId,
    orderMethod,
  }))
  const queued = (await db.outbox.toArray()).map(({ jobId, orderMethod }) => ({ jobId, orderMethod }))
  const unique = new Map([...confirmed, ...queued].map((key) => [cartKey(key).join(), key]))
  return [...unique.values()]
}

/**
 * Replays pending rows over the confirmed cart: the cart as the customer sees it. A mutation of an unknown version is
 * skipped, and stays stored.
 */
export const replayRows = (confirmed: Cart, rows: readonly OutboxRow[]): ReplayResult =>
  replayMutations(
    confirmed,
    rows.filter(isPending).flatMap((row) => upcastRecorded(row.recorded)),
  )

/** Up-casts a recorded mutation to the current version; empty if a newer build wrote it. */
export const upcastRecorded = ({ mutation: recorded, snapshot }: RecordedMutation): RecordedMutation[] => {
  const mutation = upcastMutation(recorded)
  return mutation === 'unknown-version' ? [] : [{ mutation, snapshot }]
}
