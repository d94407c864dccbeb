import { redeemCode } from '#contract/customer/session-calls.ts'
import { findOpenedCode, saveAccessCode, saveConfirmedSubject } from '#local/session.ts'
import { isFinalFailure } from '#local/transport/failure-cause.ts'
import { callApi } from '#platform/api/api.ts'
import { notifyCacheUpdate } from '#platform/api/cache-updates.ts'
import { clearQueryCache } from '#platform/api/use-query.ts'
import { database } from '#platform/database.ts'
import { prefetchSubject } from '#platform/service-worker/prefetch.ts'
import { accessCodeError, urlAfterAccessCode } from './access-code-entry.ts'

export type RedeemResult = { ok: true; url: string } | { ok: false; message: string }

type RedeemInput = {
  studioSlug: string
  code: string
  /** The URL that the customer wanted when the code was required. */
  ret: string | undefined
}

/**
 * Redeems a code on the server, stores what it opens, and returns the next URL. If the server is unreachable, a code
 * redeemed on this device before leads to the same job.
 */
export const redeemAccessCode = async ({ studioSlug, code, ret }: RedeemInput): Promise<RedeemResult> => {
  const response = await callApi(redeemCode, { params: { slug: studioSlug }, query: { code } })
  if (!response.ok) {
    const openedCode = isFinalFailure(response)
      ? null
      : await findOpenedCode(database, { studioSlug, code }).catch(() => null)
    if (openedCode) return { ok: true, url: urlAfterAccessCode({ studioSlug, ret, ...openedCode }) }
    return { ok: false, message: accessCodeError(response) }
  }
  const { studioId, jobId, subject } = response.data
  await saveAccessCode(database, { studioSlug, studioId, jobId, code, subjectId: subject?.id ?? null })
  if (subject) await saveConfirmedSubject(database, { jobId, subjectId: subject.id })
  clearQueryCache()
  notifyCacheUpdate(null)
  if (subject) prefetchSubject({ studioSlug, studioId, jobId, subjectId: subject.id })
  return { ok: true, url: urlAfterAccessCode({ studioSlug, jobId, subjectId: subject?.id ?? null, ret }) }
}
