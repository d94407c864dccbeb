import { boolean, type Infer, is, nullable, optional, string, type } from 'superstruct'
import type { Cart, OrderedCart } from '#domain/cart/cart.ts'
import type { Stamp } from '#domain/cart/mutation.ts'
import { cartKey } from '../outbox/outbox-rows.ts'
import { saveConfirmedCart } from './confirmed-cart.ts'
import type { LocalDatabase } from './database.ts'
import { deleteDraft, deleteOrderMethod, readDraft } from './device-entries.ts'
import type { CartKey, ConfirmedCart } from './rows.ts'

/**
 * The order that a stored cart became, as the server's cart names it; undefined if it became none.
 */
export const orderReplacingCart = ({ cart }: ConfirmedCart, serverCart: Cart): OrderedCart | undefined =>
  serverCart.orderedCarts?.find(({ cartId }) => cartId === cart.id)

const orderNote = type({ orderNumber: nullable(string()), here: optional(boolean()) })
export type OrderNote = Infer<typeof orderNote>

const noteKey = ({ jobId, orderMethod }: CartKey): string => `ordered-elsewhere:${jobId}:${orderMethod}`

/**
 * The cart was ordered on another device of the session, or here and the response was lost: the server's cart replaces
 * it, the order can be opened here if its number is known, and a notice is shown until the customer dismisses it. Runs
 * inside a transaction over all cart tables.
 */
export const adoptOrderedCart = async (
  db: LocalDatabase,
  stamp: Stamp,
  { key, ordered, serverCart }: { key: CartKey; ordered: OrderedCart; serverCart: Cart },
): Promise<void> => {
  const { jobId } = key
  const { cartId, orderNumber } = ordered
  await saveConfirmedCart(db, stamp, { ...key, cart: serverCart, retiredCartId: cartId })
  const checkout = await db.checkouts.get(cartKey(key))
  await db.checkouts.delete(cartKey(key))
  if (orderNumber !== null && !(await db.orders.get(orderNumber)))
    await db.orders.add({ orderNumber, jobId, order: null, keptAt: stamp.now() })
  // If this device was paying, the response was lost: no other device ordered.
  await saveOrderNote(db, key, { orderNumber, here: checkout?.attempt ? true : undefined })
  await deleteOrderMethod(db, jobId)
}

/** Stores which order a cart became; `here` if this device placed it. */
export const saveOrderNote = async (db: LocalDatabase, key: CartKey, note: OrderNote): Promise<void> => {
  await db.drafts.put({ key: noteKey(key), value: note })
}

/**
 * The latest order that a cart with this key became; null if there is none or the customer dismissed its notice.
 * For a live query. `opened`: the order was shown on this device.
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

/** The customer has seen the notice. */
export const dismissOrderNote = (db: LocalDatabase, key: CartKey) => deleteDraft(db, noteKey(key))
