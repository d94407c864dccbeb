import { redeemCode } from '#contract/customer/discovery-calls.ts'
import { findOpenedCode, saveAccessCode, saveConfirmedSubject } from '#local/session.ts'
import { isFinalFailure } from '#local/transport/failure-cause.ts'
import { callApi } from '#platform/api/api.ts'
import { notifyCacheUpdate } from '#platform/api/cache-updates.ts'
import { clearQueryCache } from '#platform/api/use-query.ts'
import { database } from '#platform/database.ts'
import { prefetchSubject } from '#platform/service-worker/prefetch.ts'
import { accessCodeError, urlAfterAccessCode } from './access-code-entry.ts'

export type RedeemResult = { ok: true; address: string } | { ok: false; sentence: string }

type Wish = {
  studioSlug: string
  code: string
  /** The URL that the customer wanted when the code was required. */
  ret: string | undefined
}

/**
 * Redeems a code on the server, stores what it opens, and returns the next URL. If the server is unreachable, a code
 * redeemed on this device before leads to the same job.
 */
export const redeemAccessCode = async ({ studioSlug, code, ret }: Wish): Promise<RedeemResult> => {
  const answer = await callApi(redeemCode, { params: { slug: studioSlug }, query: { code } })
  if (!answer.ok) {
    const before = isFinalFailure(answer)
      ? null
      : await findOpenedCode(database, { studioSlug, code }).catch(() => null)
    if (before) return { ok: true, address: urlAfterAccessCode({ studioSlug, ret, ...before }) }
    return { ok: false, sentence: accessCodeError(answer) }
  }
  const { studioId, jobId, subject } = answer.data
  await saveAccessCode(database, { studioSlug, studioId, jobId, code, subjectId: subject?.id ?? null })
  if (subject) await saveConfirmedSubject(database, { jobId, subjectId: subject.id })
  clearQueryCache()
  notifyCacheUpdate(null)
  if (subject) prefetchSubject({ studioSlug, studioId, jobId, subjectId: subject.id })
  return { ok: true, address: urlAfterAccessCode({ studioSlug, jobId, subjectId: subject?.id ?? null, ret }) }
}
