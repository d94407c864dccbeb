import type { LocalDatabase } from './database.ts'

/** Keeps what somebody is typing, as they type it; `key` names the form and what it is about. */
export const saveDraft = async (db: LocalDatabase, key: string, value: unknown): Promise<void> => {
  await db.drafts.put({ key, value })
}

/** What was typed, or undefined. An older build may have written it: look before you use it. */
export const readDraft = async (db: LocalDatabase, key: string): Promise<unknown> => (await db.drafts.get(key))?.value

export const dropDraft = async (db: LocalDatabase, key: string): Promise<void> => {
  await db.drafts.delete(key)
}
