import type { SessionChanged } from '../../local/codes-again.ts'
import { dropCatalogue } from '../../local/drop-catalogue.ts'
import { local } from './local.ts'

/**
 * What was cached of an event for a visit that is over goes, and is fetched again for the new one at once: the network that brought it
 * may be gone in a minute, and the parent was told that all of this works without.
 */
export const renewCatalogue: SessionChanged = async (jobId) => {
  await dropCatalogue(jobId)
  const code = await local.codes.where({ jobId }).first()
  if (!code) return
  const people = await local.subjects.where({ jobId }).toArray()
  const { warmEvent, warmPerson } = await import('./warm.ts')
  const event = { studioSlug: code.studioSlug, studioId: code.studioId, jobId }
  if (people.length === 0) warmEvent(event)
  for (const { subjectId } of people) warmPerson({ ...event, subjectId })
}
