import { type DeviceFailure, withDatabaseRetry } from '../recovery/with-database-retry.ts'
import type { LocalDatabase } from './database.ts'

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
