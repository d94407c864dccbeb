import { failureCauseOf } from '#local/transport/failure-cause.ts'
import type { CallFailure } from '#local/transport/request.ts'
import { safeReturnPath, urls } from '#platform/urls.ts'

/** A code as it is sent: only letters and digits, upper case. */
export const normaliseAccessCode = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '').toUpperCase()

/** The error message for a failed code, phrased so that a parent can act on it. */
export const accessCodeError = (failure: Pick<CallFailure, 'status' | 'errors'>): string => {
  const cause = failureCauseOf(failure)
  const message = failure.errors.join('. ')
  if (cause === 'offline' || cause === 'unreachable') return `${message}. Your code stays in the field`
  if (cause === 'not-found' || failure.status === 400)
    return 'We don’t recognize that code. Check each letter on your card'
  return message
}

type RedeemedAccess = { studioSlug: string; jobId: number; subjectId: number | null; ret: string | undefined }

/**
 * The URL after a code is redeemed: `ret` if it is in this job and not its unavailable screen, else the code's subject,
 * else the search.
 */
export const urlAfterAccessCode = ({ studioSlug, jobId, subjectId, ret }: RedeemedAccess): string => {
  const target = safeReturnPath(ret)
  const isInThisJob = target?.split('?')[0]?.startsWith(`/${encodeURIComponent(studioSlug)}/${jobId}/`)
  if (target && isInThisJob && !target.includes('/unavailable')) return target
  if (subjectId !== null) return urls.selectPackage({ studioSlug, jobId, subjectId })
  return urls.subjectSearch({ studioSlug, jobId })
}
