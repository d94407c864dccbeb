import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import { type DeviceFailure, withDatabaseRetry } from '../recovery/with-database-retry.ts'
import type { LocalDatabase } from './database.ts'
import type { CartKey } from './rows.ts'

/** Stores the order method that the customer chose for a job, until they order. */
export const saveOrderMethod = async (db: LocalDatabase, { jobId, orderMethod }: CartKey): Promise<void> => {
  await db.device.put({ key: 'method', value: { jobId, orderMethod } })
}

/** The order method chosen for this job; null if none was chosen, or one was chosen for another job since. */
export const readOrderMethod = async (db: LocalDatabase, jobId: number): Promise<OrderMethod | null> => {
  const entry = await db.device.get('method')
  return entry?.key === 'method' && entry.value.jobId === jobId ? entry.value.orderMethod : null
}

/** Deletes the choice after an order: the next one is chosen again. Runs inside a transaction. */
export const deleteOrderMethod = async (db: LocalDatabase, jobId: number): Promise<void> => {
  if ((await readOrderMethod(db, jobId)) !== null) await db.device.delete('method')
}

/** The number of sessions this device has had, to recognise responses to an earlier session. */
export const sessionCount = async (db: LocalDatabase): Promise<number> => {
  const entry = await db.device.get('session')
  return entry?.key === 'session' ? entry.value : 0
}

export const incrementSessionCount = async (db: LocalDatabase): Promise<void> => {
  await db.device.put({ key: 'session', value: (await sessionCount(db)) + 1 })
}

/**
 * Stores a value under a key, such as the unsent input of a form. Returns a failure if the device is full or its
 * database does not reopen.
 */
export const saveDraft = (db: LocalDatabase, key: string, value: unknown): Promise<DeviceFailure | undefined> =>
  withDatabaseRetry(db, () => db.drafts.put({ key, value }).then(() => undefined))

/** Returns the stored value; undefined if there is none. Another build may have written it: validate it before use. */
export const readDraft = async (db: LocalDatabase, key: string): Promise<unknown> => (await db.drafts.get(key))?.value

/** Deletes the stored value, if any. Fails like `saveDraft`. */
export const deleteDraft = (db: LocalDatabase, key: string): Promise<DeviceFailure | undefined> =>
  withDatabaseRetry(db, () => db.drafts.delete(key).then(() => undefined))
