import type { OnSessionChanged } from '#local/recovery/restore-access.ts'
import { database } from '../database.ts'

/**
 * Fetches a job's cached responses again in a new session, for all its opened subjects: the connection may be lost
 * soon, and the customer was promised that this works offline.
 */
export const refreshCache: OnSessionChanged = async (jobId) => {
  const code = await database.codes.where({ jobId }).first()
  const subjects = await database.subjects.where({ jobId }).toArray()
  const { refreshPrefetchedJob } = await import('./prefetch.ts')
  const job = code && { studioSlug: code.studioSlug, studioId: code.studioId, jobId }
  refreshPrefetchedJob(
    jobId,
    job,
    subjects.map(({ subjectId }) => subjectId),
  )
}
