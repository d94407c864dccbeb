import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import type { CartKey, LocalDatabase } from './database.ts'

/** Stores the order method that the customer chose for a job, until they order. */
export const saveOrderMethod = async (db: LocalDatabase, { jobId, orderMethod }: CartKey): Promise<void> => {
  await db.device.put({ key: 'method', value: { jobId, orderMethod } })
}

/** The order method chosen for this event; null where none was, or one for another event since. */
export const readOrderMethod = async (db: LocalDatabase, jobId: number): Promise<OrderMethod | null> => {
  const fact = await db.device.get('method')
  return fact?.key === 'method' && fact.value.jobId === jobId ? fact.value.orderMethod : null
}

/** Deletes the choice after an order: the next one is chosen again. Runs inside a transaction. */
export const deleteOrderMethod = async (db: LocalDatabase, jobId: number): Promise<void> => {
  if ((await readOrderMethod(db, jobId)) !== null) await db.device.delete('method')
}
