import { redeemCode } from '#contract/customer/session-calls.ts'
import { findOpenedCode } from '#local/session.ts'
import { isFinalFailure } from '#local/transport/failure-cause.ts'
import { callApi } from '#platform/api/api.ts'
import { database } from '#platform/database.ts'
import { storeRedeemedCode } from '#platform/session/store-redeemed-code.ts'
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
    if (openedCode) return { ok: true, url: urlAfterAccessCode({ ret, ...openedCode }) }
    return { ok: false, message: accessCodeError(response) }
  }
  const { jobId, subject } = response.data
  await storeRedeemedCode({ studioSlug, code, ...response.data })
  return { ok: true, url: urlAfterAccessCode({ studioSlug, jobId, subjectId: subject?.id ?? null, ret }) }
}
