import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import type { CartKey, LocalDatabase } from './database.ts'

/** Keeps the order method the customer chose for an event, until they have ordered there. */
export const saveOrderMethod = async (db: LocalDatabase, { jobId, orderMethod }: CartKey): Promise<void> => {
  await db.device.put({ key: 'method', value: { jobId, orderMethod } })
}

/** The order method chosen for this event; null where none was, or one for another event since. */
export const readOrderMethod = async (db: LocalDatabase, jobId: number): Promise<OrderMethod | null> => {
  const fact = await db.device.get('method')
  return fact?.key === 'method' && fact.value.jobId === jobId ? fact.value.orderMethod : null
}

/** The choice has served: what comes after an order is chosen anew. Runs inside a transaction. */
export const deleteOrderMethod = async (db: LocalDatabase, jobId: number): Promise<void> => {
  if ((await readOrderMethod(db, jobId)) !== null) await db.device.delete('method')
}
