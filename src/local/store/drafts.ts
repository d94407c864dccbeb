import { type DeviceFailure, withDatabaseRetry } from '../recovery/with-database-retry.ts'
import type { LocalDatabase } from './database.ts'

/** Keeps what somebody is typing, as they type it; `key` names the form and what it is about. Answers a problem only where the device fails. */
export const saveDraft = (db: LocalDatabase, key: string, value: unknown): Promise<DeviceFailure | undefined> =>
  withDatabaseRetry(db, () => db.drafts.put({ key, value }).then(() => undefined))

/** What was typed, or undefined. An older build may have written it: look before you use it. */
export const readDraft = async (db: LocalDatabase, key: string): Promise<unknown> => (await db.drafts.get(key))?.value

export const deleteDraft = (db: LocalDatabase, key: string): Promise<DeviceFailure | undefined> =>
  withDatabaseRetry(db, () => db.drafts.delete(key).then(() => undefined))
