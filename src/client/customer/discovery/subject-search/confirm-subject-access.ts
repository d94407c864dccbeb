import { confirmSubject } from '#contract/customer/discovery-calls.ts'
import type { SubjectSearchResult } from '#contract/customer/find-subjects.ts'
import type { GrantedSubject } from '#contract/shapes/job-structs.ts'
import { ignoring } from '#domain/shared/ignoring.ts'
import { saveConfirmedSubject, storedStudioId } from '#local/session.ts'
import type { CallResult } from '#local/transport/request.ts'
import { callApi } from '#platform/api/api.ts'
import { notifyCacheUpdate } from '#platform/api/cache-updates.ts'
import { database } from '#platform/database.ts'
import { prefetchSubject } from '#platform/service-worker/prefetch.ts'
import type { CustomerRoute } from '#platform/urls.ts'

/** "This is the person I am ordering for": creates the grant and stores the opened subject on the device. */
export const confirmSubjectAccess = async (
  { studioSlug, jobId }: CustomerRoute,
  { id: subjectId, proof }: Pick<SubjectSearchResult, 'id' | 'proof'>,
): Promise<CallResult<GrantedSubject>> => {
  const response = await callApi(confirmSubject, { params: { jobId }, body: { subjectId, proof } })
  if (!response.ok) return response
  await saveConfirmedSubject(database, { jobId, subjectId, proof }).catch(console.warn)
  notifyCacheUpdate(null)
  const studioId = await ignoring('only the prefetch needs it', () => storedStudioId(database, jobId))
  prefetchSubject({ studioSlug, studioId, jobId, subjectId })
  return response
}
