import { redeemCode } from '#contract/customer/session-calls.ts'
import { findOpenedCode } from '#local/session.ts'
import { failureCauseOf, isFinalFailure } from '#local/transport/failure-cause.ts'
import type { CallFailure } from '#local/transport/request.ts'
import { callApi } from '#platform/api/api.ts'
import { database } from '#platform/database.ts'
import { storeRedeemedCode, urlOfCodeTarget } from '#platform/session/store-redeemed-code.ts'
import { safeReturnPath } from '#platform/urls.ts'

export type RedeemResult = { ok: true; url: string } | { ok: false; message: string }

type RedeemInput = {
  studioSlug: string
  code: string
  /** The URL that the customer wanted when the code was required. */
  ret: string | undefined
}

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
  return urlOfCodeTarget({ studioSlug, jobId, subjectId })
}

const redeemAtServer = async ({ studioSlug, code, ret }: RedeemInput): Promise<RedeemResult & { isFinal: boolean }> => {
  const response = await callApi(redeemCode, { params: { slug: studioSlug }, query: { code } })
  if (!response.ok) return { ok: false, message: accessCodeError(response), isFinal: isFinalFailure(response) }
  const { jobId, subject } = response.data
  await storeRedeemedCode({ studioSlug, code, ...response.data })
  return {
    ok: true,
    url: urlAfterAccessCode({ studioSlug, jobId, subjectId: subject?.id ?? null, ret }),
    isFinal: true,
  }
}

/** Milliseconds for which a code that was redeemed on this device before waits for the server. */
export const knownCodeTimeoutMs = 1_000

const afterTimeout = <Value>(value: Value): Promise<Value> =>
  new Promise((resolve) => setTimeout(resolve, knownCodeTimeoutMs, value))

/**
 * Redeems a code on the server, stores what it opens, and returns the next URL. If the server is unreachable or slow, a
 * code redeemed on this device before leads to the same job.
 */
export const redeemAccessCode = (input: RedeemInput): Promise<RedeemResult> => {
  const knownResult = findOpenedCode(database, input).then(
    (opened): RedeemResult | null => opened && { ok: true, url: urlAfterAccessCode({ ret: input.ret, ...opened }) },
    () => null,
  )
  const redemption = redeemAtServer(input).then(async ({ isFinal, ...result }): Promise<RedeemResult> => {
    return isFinal ? result : ((await knownResult) ?? result)
  })
  return Promise.race([redemption, knownResult.then((known) => (known ? afterTimeout(known) : redemption))])
}
