import { Dexie } from 'dexie'
import { type Cart, emptyCart } from '#domain/cart/cart.ts'
import type { Stamp } from '#domain/cart/mutation.ts'
import { cartKey } from '../outbox/outbox-rows.ts'
import type { LocalDatabase } from './database.ts'
import type { CartKey, ConfirmedCart } from './rows.ts'

/**
 * The cart that was read last for each key, by database: reading a cart of two hundred lines takes a tenth of a second
 * on a slow phone.
 */
const cacheByDatabase = new WeakMap<LocalDatabase, Map<string, ConfirmedCart>>()

/** The id of the last write of a cart; undefined if none is stored. */
const lastWriteIdOf = async (db: LocalDatabase, key: CartKey): Promise<string | undefined> => {
  const [jobId, orderMethod] = cartKey(key)
  const writings = await db.carts
    .where('[jobId+orderMethod+writing]')
    .between([jobId, orderMethod, Dexie.minKey], [jobId, orderMethod, Dexie.maxKey])
    .limit(1)
    .keys()
  return (writings[0] as unknown as [number, string, string] | undefined)?.[2] // the parts of the index, which Dexie's types do not describe
}

/** The last confirmed cart; read from the database only if it was written since. */
export const readStoredCart = async (db: LocalDatabase, key: CartKey): Promise<ConfirmedCart | undefined> => {
  const cacheKey = cartKey(key).join()
  const cachedCarts = cacheByDatabase.get(db) ?? new Map<string, ConfirmedCart>()
  cacheByDatabase.set(db, cachedCarts)
  const writeId = await lastWriteIdOf(db, key)
  const cached = cachedCarts.get(cacheKey)
  if (writeId !== undefined && cached?.writing === writeId) return cached
  const stored = await db.carts.get(cartKey(key))
  if (stored) cachedCarts.set(cacheKey, stored)
  else cachedCarts.delete(cacheKey)
  return stored
}

/** The last confirmed cart; empty if there is none. */
export const readConfirmedCart = async (db: LocalDatabase, key: CartKey): Promise<Cart> =>
  (await readStoredCart(db, key))?.cart ?? emptyCart(key.jobId, key.orderMethod)

/**
 * Stores the server's cart in place of the previous one. `newEtag`: its etag, if the server sent one; without it, the
 * stored etag is deleted. Runs inside a transaction.
 */
export const saveConfirmedCart = async (
  db: LocalDatabase,
  { newId }: Stamp,
  {
    jobId,
    orderMethod,
    cart,
    retiredCartId,
    newEtag: etag,
  }: Omit<ConfirmedCart, 'writing' | 'etag'> & { newEtag?: string | undefined },
): Promise<void> => {
  await db.carts.put({ jobId, orderMethod, cart, retiredCartId, writing: newId(), etag })
}

/** A payment with an unknown outcome may have turned this cart into an order; its lines must not be added again. */
export const isPaying = async (db: LocalDatabase, key: CartKey): Promise<boolean> =>
  ((await db.checkouts.get(cartKey(key)))?.attempt ?? null) !== null
