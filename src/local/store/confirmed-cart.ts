import { Dexie } from 'dexie'
import { type Cart, emptyCart } from '#domain/cart/cart.ts'
import type { Stamp } from '#domain/cart/mutation.ts'
import { cartKey } from '../outbox/outbox-rows.ts'
import type { CartKey, ConfirmedCart, LocalDatabase } from './database.ts'

/** What was read last of each cart, by database: a cart of two hundred lines takes a slow phone a tenth of a second to read. */
const readBefore = new WeakMap<LocalDatabase, Map<string, ConfirmedCart>>()

/** The id of the last write of a cart; undefined where none is stored. */
const writingOf = async (db: LocalDatabase, key: CartKey): Promise<string | undefined> => {
  const [jobId, orderMethod] = cartKey(key)
  const writings = await db.carts
    .where('[jobId+orderMethod+writing]')
    .between([jobId, orderMethod, Dexie.minKey], [jobId, orderMethod, Dexie.maxKey])
    .limit(1)
    .keys()
  return (writings[0] as unknown as [number, string, string] | undefined)?.[2] // the parts of the index, of which Dexie's types know nothing
}

/** What the server last answered of a cart; read from the disk only where somebody has written it since. */
export const readStoredCart = async (db: LocalDatabase, key: CartKey): Promise<ConfirmedCart | undefined> => {
  const name = cartKey(key).join()
  const known = readBefore.get(db) ?? new Map<string, ConfirmedCart>()
  readBefore.set(db, known)
  const writing = await writingOf(db, key)
  const before = known.get(name)
  if (writing !== undefined && before?.writing === writing) return before
  const kept = await db.carts.get(cartKey(key))
  if (kept) known.set(name, kept)
  else known.delete(name)
  return kept
}

/** The cart the server last answered; empty where it has answered none. */
export const readConfirmedCart = async (db: LocalDatabase, key: CartKey): Promise<Cart> =>
  (await readStoredCart(db, key))?.cart ?? emptyCart(key.jobId, key.orderMethod)

/** Keeps what the server answered, in place of what was kept before. Runs inside a transaction. */
export const saveConfirmedCart = async (
  db: LocalDatabase,
  { newId }: Stamp,
  { jobId, orderMethod, cart, retiredCartId }: Omit<ConfirmedCart, 'writing'>,
): Promise<void> => {
  await db.carts.put({ jobId, orderMethod, cart, retiredCartId, writing: newId() })
}

/** A payment whose outcome is unknown may just have made this cart an order; its lines must not come back as new ones. */
export const isPaying = async (db: LocalDatabase, key: CartKey): Promise<boolean> =>
  ((await db.checkouts.get(cartKey(key)))?.attempt ?? null) !== null
