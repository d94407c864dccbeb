import type { Order } from '#contract/customer/order-calls.ts'
import { emptyCart } from '#domain/cart/cart.ts'
import { cartProblemMessages } from '#domain/cart/cart-rules.ts'
import type { Stamp } from '#domain/cart/mutation.ts'
import { saveCartSummary } from './outbox/enqueue.ts'
import { cartKey, pendingRowsOf } from './outbox/outbox-rows.ts'
import { rejectUnlessSuperseded } from './outbox/supersede.ts'
import { saveOrderNote } from './store/cart-became-order.ts'
import { readStoredCart, saveConfirmedCart } from './store/confirmed-cart.ts'
import type { LocalDatabase } from './store/database.ts'
import { deleteOrderMethod } from './store/device-entries.ts'
import type { CartKey, PaymentAttempt, StoredCheckout } from './store/rows.ts'

const storedCheckout = async (
  db: LocalDatabase,
  stamp: Stamp,
  { jobId, orderMethod }: CartKey,
): Promise<StoredCheckout> => {
  const existing = await db.checkouts.get([jobId, orderMethod])
  if (existing) return existing
  const created = { jobId, orderMethod, checkoutId: stamp.newId(), attempt: null }
  await db.checkouts.add(created)
  return created
}

/** The id of this cart's checkout, the same until the cart is ordered. */
export const checkoutIdFor = (db: LocalDatabase, stamp: Stamp, key: CartKey): Promise<string> =>
  db.transaction('rw', db.checkouts, async () => (await storedCheckout(db, stamp, key)).checkoutId)

export type StartedPaymentAttempt = { checkoutId: string; attempt: PaymentAttempt; resumed: boolean }

/**
 * Stores a payment attempt before it is sent. While the outcome of an earlier attempt is unknown, returns that one
 * (`resumed`): the caller asks for its outcome and starts no second payment.
 */
export const startPaymentAttempt = (
  db: LocalDatabase,
  stamp: Stamp,
  {
    paymentToken,
    totalCents,
    cartVersion,
    ...key
  }: CartKey & Pick<PaymentAttempt, 'paymentToken' | 'totalCents' | 'cartVersion'>,
): Promise<StartedPaymentAttempt> =>
  db.transaction('rw', db.checkouts, async () => {
    const checkout = await storedCheckout(db, stamp, key)
    const { checkoutId } = checkout
    if (checkout.attempt) return { checkoutId, attempt: checkout.attempt, resumed: true }
    const attempt = { attemptId: stamp.newId(), paymentToken, totalCents, cartVersion, startedAt: stamp.now() }
    await db.checkouts.put({ ...checkout, attempt })
    return { checkoutId, attempt, resumed: false }
  })

/** Returns the payment attempt whose outcome is unknown, or null. */
export const currentPaymentAttempt = async (
  db: LocalDatabase,
  key: CartKey,
): Promise<{ checkoutId: string; attempt: PaymentAttempt } | null> => {
  const checkout = await db.checkouts.get(cartKey(key))
  return checkout?.attempt ? { checkoutId: checkout.checkoutId, attempt: checkout.attempt } : null
}

/**
 * Ends an attempt that failed for good (declined, totals changed): the next tap starts a new attempt of the same
 * checkout.
 */
export const endPaymentAttempt = async (db: LocalDatabase, key: CartKey): Promise<void> => {
  await db.checkouts.update(cartKey(key), { attempt: null })
}

/**
 * Records that the cart became an order: empties the device's cart and stores the order, to be shown offline. Mutations
 * the server has not settled are marked rejected (deleted if a later one replaces them), so that the customer retries or
 * discards them.
 */
export const markOrdered = (
  db: LocalDatabase,
  stamp: Stamp,
  { orderNumber, order, ...key }: CartKey & { orderNumber: string; order: Order | null },
): Promise<void> =>
  db.transaction(
    'rw',
    [db.carts, db.outbox, db.sending, db.checkouts, db.orders, db.device, db.drafts],
    async (): Promise<void> => {
      const { jobId, orderMethod } = key
      const confirmed = await readStoredCart(db, key)
      const cart = emptyCart(jobId, orderMethod)
      await saveConfirmedCart(db, stamp, { jobId, orderMethod, cart, retiredCartId: confirmed?.cart.id ?? null })
      const rejection = { problem: 'cart-closed', message: cartProblemMessages['cart-closed'] }
      const pendingRows = await pendingRowsOf(db, key)
      for (const row of pendingRows) await rejectUnlessSuperseded(db, row, rejection)
      await db.sending.delete([jobId, orderMethod])
      await db.checkouts.delete([jobId, orderMethod])
      await db.orders.put({ orderNumber, jobId, order, keptAt: stamp.now() })
      await saveCartSummary(db, cart)
      await saveOrderNote(db, key, { orderNumber, here: true })
      await deleteOrderMethod(db, jobId)
    },
  )
