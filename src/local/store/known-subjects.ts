import type { LocalDatabase } from './database.ts'

/** The subjects of a job that were confirmed on this device, or for which a choice was begun; for a live query. */
export const knownSubjects = async (db: LocalDatabase, jobId: number): Promise<number[]> => {
  const confirmed = await db.subjects.where('jobId').equals(jobId).toArray()
  const begun = `choosing:${jobId}:`
  const drafts = await db.drafts.where('key').startsWith(begun).primaryKeys()
  const ids = [...confirmed.map((one) => one.subjectId), ...drafts.map((key) => Number(key.slice(begun.length)))]
  return [...new Set(ids)].filter((id) => Number.isSafeInteger(id) && id > 0)
}
