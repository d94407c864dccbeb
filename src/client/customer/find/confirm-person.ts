import { confirmSubject, type GrantedSubject } from '../../../contract/customer-find.ts'
import type { FoundSubject } from '../../../contract/find-people.ts'
import type { Answered } from '../../../local/ask.ts'
import { keptStudioId, rememberSubject } from '../../../local/visits.ts'
import { ask } from '../../device/ask.ts'
import { announceChange } from '../../device/changes.ts'
import { local } from '../../device/local.ts'
import { warmPerson } from '../../device/warm.ts'
import type { CustomerRoute } from '../../shell/urls.ts'

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
