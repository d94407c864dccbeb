import { type DeviceFailure, withDatabaseRetry } from '../recovery/with-database-retry.ts'
import type { LocalDatabase } from './database.ts'

/** Stores a form's values as they are typed; `key` names the form and its object. Returns a failure only where the device fails. */
export const saveDraft = (db: LocalDatabase, key: string, value: unknown): Promise<DeviceFailure | undefined> =>
  withDatabaseRetry(db, () => db.drafts.put({ key, value }).then(() => undefined))

/** Returns the stored values, or undefined. Another build may have written them: validate before use. */
export const readDraft = async (db: LocalDatabase, key: string): Promise<unknown> => (await db.drafts.get(key))?.value

export const deleteDraft = (db: LocalDatabase, key: string): Promise<DeviceFailure | undefined> =>
  withDatabaseRetry(db, () => db.drafts.delete(key).then(() => undefined))
