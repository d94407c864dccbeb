import type { Order } from '#contract/customer/order-calls.ts'
import type { Stamp } from '#domain/cart/mutation.ts'
import type { LocalDatabase } from './database.ts'
import type { StoredOrder } from './rows.ts'

/**
 * Stores the latest state of an order, which this device then shows without a connection: one that was placed here, or
 * found by its number and e-mail.
 */
export const saveOrder = async (db: LocalDatabase, stamp: Stamp, order: Order): Promise<void> => {
  const { orderNumber, jobId } = order
  await db.orders.put({ orderNumber, jobId, order, keptAt: stamp.now() })
}

/**
 * Reads an order of this device; undefined if it was neither placed nor found here. Its details are null until the
 * first response with them has been stored.
 */
export const readOrder = (db: LocalDatabase, orderNumber: string): Promise<StoredOrder | undefined> =>
  db.orders.get(orderNumber)
