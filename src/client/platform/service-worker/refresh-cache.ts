import type { SessionChanged } from '#local/recovery/restore-access.ts'
import { database } from '../database.ts'

/**
 * What was cached of an event for a visit that is over is asked for again in the new one, with everybody who was opened in it: the network
 * that brought it may be gone in a minute, and the parent was told that all of this works without.
 */
export const refreshCache: SessionChanged = async (jobId) => {
  const code = await database.codes.where({ jobId }).first()
  const people = await database.subjects.where({ jobId }).toArray()
  const { refreshPrefetchedJob } = await import('./prefetch.ts')
  const event = code && { studioSlug: code.studioSlug, studioId: code.studioId, jobId }
  refreshPrefetchedJob(
    jobId,
    event,
    people.map(({ subjectId }) => subjectId),
  )
}
