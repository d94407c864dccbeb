import { boolean, type Infer, is, nullable, optional, string, type } from 'superstruct'
import type { Cart, OrderedCart } from '#domain/cart/cart.ts'
import type { Stamp } from '#domain/cart/mutation.ts'
import { cartKey } from '../outbox/outbox-rows.ts'
import { deleteOrderMethod } from './chosen-order-method.ts'
import { saveConfirmedCart } from './confirmed-cart.ts'
import type { CartKey, ConfirmedCart, LocalDatabase } from './database.ts'
import { deleteDraft, readDraft } from './drafts.ts'

/** What became of this device's cart where the server answers another one: an order, of which another device of the visit knows. */
export const orderReplacingCart = ({ cart }: ConfirmedCart, found: Cart): OrderedCart | undefined =>
  found.orderedCarts?.find(({ cartId }) => cartId === cart.id)

const orderNote = type({ orderNumber: nullable(string()), here: optional(boolean()) })
export type OrderNote = Infer<typeof orderNote>

const noteKey = ({ jobId, orderMethod }: CartKey): string => `ordered-elsewhere:${jobId}:${orderMethod}`

/**
 * The cart was ordered on another device of the visit, or here and the answer was lost: what the server has now takes its place, the order can be opened from here, and
 * the customer is told until they have seen it. Runs inside a transaction over the whole database's carts.
 */
export const adoptOrderedCart = async (
  db: LocalDatabase,
  stamp: Stamp,
  { key, ordered, found }: { key: CartKey; ordered: OrderedCart; found: Cart },
): Promise<void> => {
  const { jobId } = key
  const { cartId, orderNumber } = ordered
  await saveConfirmedCart(db, stamp, { ...key, cart: found, retiredCartId: cartId })
  const checkout = await db.checkouts.get(cartKey(key))
  await db.checkouts.delete(cartKey(key))
  if (orderNumber !== null && !(await db.orders.get(orderNumber)))
    await db.orders.add({ orderNumber, jobId, order: null, keptAt: stamp.now() })
  // Where this device was paying, the answer was lost on its way: nobody else ordered.
  await saveOrderNote(db, key, { orderNumber, here: checkout?.attempt ? true : undefined })
  await deleteOrderMethod(db, jobId)
}

/** Notes which order a cart became; `here` where this device placed it. */
export const saveOrderNote = async (db: LocalDatabase, key: CartKey, note: OrderNote): Promise<void> => {
  await db.drafts.put({ key: noteKey(key), value: note })
}

/**
 * The order that this cart became last, until the customer dismisses it; for a live query. Null where there is none. `opened`: the order
 * was shown on this device.
 */
export const readOrderNote = async (
  db: LocalDatabase,
  key: CartKey,
): Promise<(OrderNote & { opened: boolean }) | null> => {
  const note = await readDraft(db, noteKey(key))
  if (!is(note, orderNote)) return null
  const stored = note.orderNumber === null ? undefined : await db.orders.get(note.orderNumber)
  return { ...note, opened: (stored?.order ?? null) !== null }
}

/** The customer has seen it. */
export const dismissOrderNote = (db: LocalDatabase, key: CartKey) => deleteDraft(db, noteKey(key))
