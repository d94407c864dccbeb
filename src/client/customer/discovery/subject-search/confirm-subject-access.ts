import { confirmSubject, type GrantedSubject } from '#contract/customer/discovery-calls.ts'
import type { FoundSubject } from '#contract/customer/find-subjects.ts'
import { keptStudioId, rememberSubject } from '#local/session.ts'
import type { Answered } from '#local/transport/request.ts'
import { ask } from '#platform/api/api.ts'
import { announceChange } from '#platform/api/cache-updates.ts'
import { local } from '#platform/database.ts'
import { warmPerson } from '#platform/service-worker/prefetch.ts'
import type { CustomerRoute } from '#platform/urls.ts'

/** "This is the person I am ordering for": makes the grant, and remembers on the device who was opened. */
export const confirmPerson = async (
  { studioSlug, jobId }: CustomerRoute,
  { id: subjectId, proof }: Pick<FoundSubject, 'id' | 'proof'>,
): Promise<Answered<GrantedSubject>> => {
  const answer = await ask(confirmSubject, { params: { jobId }, body: { subjectId, ...(proof && { proof }) } })
  if (!answer.ok) return answer
  await rememberSubject(local, { jobId, subjectId, proof }).catch(console.warn)
  announceChange(null)
  const studioId = await keptStudioId(local, jobId).catch(() => undefined)
  warmPerson({ studioSlug, studioId, jobId, subjectId })
  return answer
}
