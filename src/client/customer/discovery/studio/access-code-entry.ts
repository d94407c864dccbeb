import { failureCauseOf } from '#local/transport/failure-cause.ts'
import type { CallFailure } from '#local/transport/request.ts'
import { safeReturnPath, urls } from '#platform/urls.ts'

/** A code as it is sent: only letters and digits, upper case. */
export const normaliseAccessCode = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '').toUpperCase()

/** The error message for a failed code, phrased so that a parent can act on it. */
export const accessCodeError = (failed: Pick<CallFailure, 'status' | 'errors'>): string => {
  const cause = failureCauseOf(failed)
  const message = failed.errors.join('. ')
  if (cause === 'offline' || cause === 'unreachable')
    return `${message}. A code that is new to this phone needs a connection; yours stays in the field`
  if (cause === 'not-there' || failed.status === 400)
    return 'This code does not open anything here. Compare it with the card, letter by letter, and try again'
  return message
}

type OpenedAccess = { studioSlug: string; jobId: number; subjectId: number | null; ret: string | undefined }

/** The URL after a code is redeemed: `ret` if it is in this job, else the code's subject, else the search. */
export const urlAfterAccessCode = ({ studioSlug, jobId, subjectId, ret }: OpenedAccess): string => {
  const target = safeReturnPath(ret)
  const inThisEvent = target?.split('?')[0]?.startsWith(`/${encodeURIComponent(studioSlug)}/${jobId}/`)
  if (target && inThisEvent && !target.includes('/unavailable')) return target
  if (subjectId !== null) return urls.selectPackage({ studioSlug, jobId, subjectId })
  return urls.subjectSearch({ studioSlug, jobId })
}
