import type { Order } from '#contract/customer/checkout-calls.ts'
import { emptyCart } from '#domain/cart/cart.ts'
import { cartProblemSentences } from '#domain/cart/cart-rules.ts'
import type { Stamp } from '#domain/cart/mutation.ts'
import { rememberCart } from './outbox/enqueue.ts'
import { setAside } from './outbox/supersede.ts'
import { noteOrder } from './store/cart-became-order.ts'
import { cartKey, waitingRowsOf } from './store/cart-view.ts'
import { dropMethod } from './store/chosen-order-method.ts'
import { keepCart, keptCart } from './store/confirmed-cart.ts'
import type { Attempt, CartKey, KeptCheckout, KeptOrder, LocalDatabase } from './store/database.ts'

const kept = async (db: LocalDatabase, stamp: Stamp, { jobId, orderMethod }: CartKey): Promise<KeptCheckout> => {
  const known = await db.checkouts.get([jobId, orderMethod])
  if (known) return known
  const made = { jobId, orderMethod, checkoutId: stamp.newId(), attempt: null }
  await db.checkouts.add(made)
  return made
}

/** The id of this cart's checkout, the same until the cart is ordered. */
export const checkoutIdFor = (db: LocalDatabase, stamp: Stamp, key: CartKey): Promise<string> =>
  db.transaction('rw', db.checkouts, async () => (await kept(db, stamp, key)).checkoutId)

export type AttemptStarted = { checkoutId: string; attempt: Attempt; resumed: boolean }

/**
 * Writes a payment down before anything of it leaves. While an earlier one's outcome is unknown that one is given back (`resumed`):
 * ask for its outcome, never pay beside it.
 */
export const startAttempt = (
  db: LocalDatabase,
  stamp: Stamp,
  {
    paymentToken,
    totalCents,
    cartVersion,
    ...key
  }: CartKey & Pick<Attempt, 'paymentToken' | 'totalCents' | 'cartVersion'>,
): Promise<AttemptStarted> =>
  db.transaction('rw', db.checkouts, async () => {
    const checkout = await kept(db, stamp, key)
    const { checkoutId } = checkout
    if (checkout.attempt) return { checkoutId, attempt: checkout.attempt, resumed: true }
    const attempt = { attemptId: stamp.newId(), paymentToken, totalCents, cartVersion, startedAt: stamp.now() }
    await db.checkouts.put({ ...checkout, attempt })
    return { checkoutId, attempt, resumed: false }
  })

/** The payment whose outcome is not known, for whoever opens the checkout again. */
export const currentAttempt = async (
  db: LocalDatabase,
  key: CartKey,
): Promise<{ checkoutId: string; attempt: Attempt } | null> => {
  const checkout = await db.checkouts.get(cartKey(key))
  return checkout?.attempt ? { checkoutId: checkout.checkoutId, attempt: checkout.attempt } : null
}

/** A definite no (declined, totals changed): the next tap makes a new attempt of the same checkout. */
export const endAttempt = async (db: LocalDatabase, key: CartKey): Promise<void> => {
  await db.checkouts.update(cartKey(key), { attempt: null })
}

/**
 * The cart became an order: the device's cart is empty again, the order stays to be shown without a network. What had not been
 * sent by then is set aside, to be put into a new cart or dropped; it is never lost silently.
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
      const confirmed = await keptCart(db, key)
      const cart = emptyCart(jobId, orderMethod)
      await keepCart(db, stamp, { jobId, orderMethod, cart, retiredCartId: confirmed?.cart.id ?? null })
      const refusal = { problem: 'cart-closed', sentence: cartProblemSentences['cart-closed'] }
      const waiting = await waitingRowsOf(db, key)
      for (const row of waiting) await setAside(db, row, refusal)
      await db.sending.delete([jobId, orderMethod])
      await db.checkouts.delete([jobId, orderMethod])
      await db.orders.put({ orderNumber, jobId, order, keptAt: stamp.now() })
      await rememberCart(db, cart)
      await noteOrder(db, key, { orderNumber, here: true })
      await dropMethod(db, jobId)
    },
  )

/** Keeps the newest known state of an order this device may see. */
export const keepOrder = async (db: LocalDatabase, stamp: Stamp, order: Order): Promise<void> => {
  const { orderNumber, jobId } = order
  await db.orders.put({ orderNumber, jobId, order, keptAt: stamp.now() })
}

export const readOrder = (db: LocalDatabase, orderNumber: string): Promise<KeptOrder | undefined> =>
  db.orders.get(orderNumber)
