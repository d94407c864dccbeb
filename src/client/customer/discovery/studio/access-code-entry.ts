import { unreachableMessage } from '#local/transport/failure-cause.ts'
import { safeReturnPath } from '#platform/urls.ts'
import type { RedeemResult } from './redeem-access-code.ts'

/** A code that could not be opened, and what to do. */
export type CodeFailure = { code: string; message: string }

/** A code as it is sent: only letters and digits, upper case. */
export const normaliseAccessCode = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '').toUpperCase()

/** Redeems a typed code, with code loaded on demand, for the URL that was wanted before the code was required. */
export const loadAndRedeem = (studioSlug: string, typedCode: string): Promise<RedeemResult> =>
  import('./redeem-access-code.ts')
    .then(({ redeemAccessCode }) =>
      redeemAccessCode({
        studioSlug,
        code: normaliseAccessCode(typedCode),
        ret: safeReturnPath(new URLSearchParams(window.location.search).get('ret')),
      }),
    )
    .catch(() => ({ ok: false, message: unreachableMessage() }))
