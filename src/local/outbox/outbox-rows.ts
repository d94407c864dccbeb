import type { CartKey, LocalDatabase, OutboxRow } from '../store/database.ts'

export const cartKey = ({ jobId, orderMethod }: CartKey): [number, CartKey['orderMethod']] => [jobId, orderMethod]

/** The outbox rows of one cart, in the order they were made. */
export const outboxRowsOf = (db: LocalDatabase, key: CartKey): Promise<OutboxRow[]> =>
  db.outbox.where('[jobId+orderMethod]').equals(cartKey(key)).sortBy('seq')

/** Whether the server has still to settle a row; a rejected one waits for the customer. */
export const isPending = ({ state }: Pick<OutboxRow, 'state'>): boolean => state !== 'refused'

/** The rows of a cart that the server has still to settle, in their order. */
export const pendingRowsOf = async (db: LocalDatabase, key: CartKey): Promise<OutboxRow[]> =>
  (await outboxRowsOf(db, key)).filter(isPending)

/** Every cart of which this device holds anything: a confirmed cart, or rows of the outbox. */
export const knownCarts = async (db: LocalDatabase): Promise<CartKey[]> => {
  const confirmed = (await db.carts.toCollection().primaryKeys()).map(([jobId, orderMethod]) => ({
    jobId,
    orderMethod,
  }))
  const waiting = (await db.outbox.toArray()).map(({ jobId, orderMethod }) => ({ jobId, orderMethod }))
  const unique = new Map([...confirmed, ...waiting].map((key) => [cartKey(key).join(), key]))
  return [...unique.values()]
}
