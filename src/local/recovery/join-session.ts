import type { Cart } from '#domain/cart/cart.ts'
import type { Stamp } from '#domain/cart/mutation.ts'
import { knownCarts, outboxRowsOf } from '../outbox/outbox-rows.ts'
import { replayRows } from '../outbox/replay-rows.ts'
import { saveOrderMethod } from '../store/chosen-order-method.ts'
import { readConfirmedCart } from '../store/confirmed-cart.ts'
import type { CartKey, LocalDatabase } from '../store/database.ts'
import { saveJobAccess } from '../store/job-access.ts'
import { resetForNewSession } from './recover-session.ts'

const holdsSomething = ({ cartPackages, cartOrderServicesDetails: services }: Cart): boolean =>
  [cartPackages, services.cartOrderServices, services.retouches, services.personalizations].some(
    ({ length }) => length > 0,
  )

/**
 * A cart of this device's own with something in it, sent or not, or that waits for the customer or for a payment; null where there is
 * none. Nothing of one's own is ever put into another visit's cart, nor left behind unasked: a device that has such a cart joins none.
 */
export const findOwnCart = async (db: LocalDatabase): Promise<CartKey | null> => {
  for (const key of await knownCarts(db)) {
    const rows = await outboxRowsOf(db, key)
    if (rows.length > 0 || holdsSomething(replayRows(await readConfirmedCart(db, key), rows).cart)) return key
  }
  const paying = await db.checkouts.filter(({ attempt }) => attempt !== null).first()
  return paying ? { jobId: paying.jobId, orderMethod: paying.orderMethod } : null
}

/**
 * This device goes on with another one's visit: what it knew of the server's carts is over, the codes and people it was given go to the
 * server again, and orders it made stay here to be shown. The event it joined is open to it as it is to the other device.
 */
export const joinSession = (db: LocalDatabase, stamp: Stamp, { jobId, orderMethod }: CartKey): Promise<void> =>
  db.transaction('rw', db.tables, async () => {
    await resetForNewSession(db, stamp)
    await saveJobAccess(db, jobId, null)
    await saveOrderMethod(db, { jobId, orderMethod })
  })
