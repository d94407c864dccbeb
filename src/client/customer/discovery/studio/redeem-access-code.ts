import { redeemCode } from '#contract/customer/discovery-calls.ts'
import { openedBefore, rememberCode, rememberSubject } from '#local/session.ts'
import { isDefinite } from '#local/transport/failure-cause.ts'
import { ask } from '#platform/api/api.ts'
import { announceChange } from '#platform/api/cache-updates.ts'
import { forgetAnswers } from '#platform/api/use-query.ts'
import { local } from '#platform/database.ts'
import { warmPerson } from '#platform/service-worker/prefetch.ts'
import { afterCode, codeTrouble } from './access-code-entry.ts'

export type Redeemed = { ok: true; address: string } | { ok: false; sentence: string }

type Wish = {
  studioSlug: string
  code: string
  /** Where the person wanted to go when the code was asked for. */
  ret: string | undefined
}

/**
 * Gives the code to the server, remembers on the device what it opens, and answers where to go. Where the server does not answer, a code
 * that was opened on this device before leads to what it opened then.
 */
export const redeem = async ({ studioSlug, code, ret }: Wish): Promise<Redeemed> => {
  const answer = await ask(redeemCode, { params: { slug: studioSlug }, query: { code } })
  if (!answer.ok) {
    const before = isDefinite(answer) ? null : await openedBefore(local, { studioSlug, code }).catch(() => null)
    if (before) return { ok: true, address: afterCode({ studioSlug, ret, ...before }) }
    return { ok: false, sentence: codeTrouble(answer) }
  }
  const { studioId, jobId, subject } = answer.data
  await rememberCode(local, { studioSlug, studioId, jobId, code, subjectId: subject?.id ?? null })
  if (subject) await rememberSubject(local, { jobId, subjectId: subject.id })
  forgetAnswers()
  announceChange(null)
  if (subject) warmPerson({ studioSlug, studioId, jobId, subjectId: subject.id })
  return { ok: true, address: afterCode({ studioSlug, jobId, subjectId: subject?.id ?? null, ret }) }
}
