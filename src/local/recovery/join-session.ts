import type { Cart } from '#domain/cart/cart.ts'
import type { Stamp } from '#domain/cart/mutation.ts'
import { knownCarts, outboxRowsOf, replayRows } from '../outbox/outbox-rows.ts'
import { readConfirmedCart } from '../store/confirmed-cart.ts'
import type { LocalDatabase } from '../store/database.ts'
import { saveOrderMethod } from '../store/device-entries.ts'
import { saveJobAccess } from '../store/job-access.ts'
import type { CartKey } from '../store/rows.ts'
import { resetForNewSession } from './recover-session.ts'

const hasContent = ({ cartPackages, cartOrderServicesDetails: services }: Cart): boolean =>
  [cartPackages, services.cartOrderServices, services.retouches, services.personalizations].some(
    ({ length }) => length > 0,
  )

/**
 * Returns a cart of this device that has content, mutations in the outbox, or a payment without an outcome; null if there
 * is none. A device with such a cart joins no other session, so that its content is neither mixed into the other cart
 * nor lost without asking.
 */
export const findOwnCart = async (db: LocalDatabase): Promise<CartKey | null> => {
  for (const key of await knownCarts(db)) {
    const rows = await outboxRowsOf(db, key)
    if (rows.length > 0 || hasContent(replayRows(await readConfirmedCart(db, key), rows).cart)) return key
  }
  const payingCheckout = await db.checkouts.filter(({ attempt }) => attempt !== null).first()
  return payingCheckout ? { jobId: payingCheckout.jobId, orderMethod: payingCheckout.orderMethod } : null
}

/**
 * This device continues the session of another one: what it knew of the server's carts is obsolete, its codes and
 * subjects are sent again, and its orders stay stored. It has access to the joined job, as the other device has.
 */
export const joinSession = (db: LocalDatabase, stamp: Stamp, { jobId, orderMethod }: CartKey): Promise<void> =>
  db.transaction('rw', db.tables, async () => {
    await resetForNewSession(db, stamp)
    await saveJobAccess(db, jobId, null)
    await saveOrderMethod(db, { jobId, orderMethod })
  })
