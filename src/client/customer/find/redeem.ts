import { redeemCode } from '../../../contract/customer-find.ts'
import { rememberCode, rememberSubject } from '../../../local/visits.ts'
import { ask } from '../../device/ask.ts'
import { announceChange } from '../../device/changes.ts'
import { local } from '../../device/local.ts'
import { forgetAnswers } from '../../device/use-ask.ts'
import { warmPerson } from '../../device/warm.ts'
import { afterCode, codeTrouble } from './code.ts'

export type Redeemed = { ok: true; address: string } | { ok: false; sentence: string }

type Wish = {
  studioSlug: string
  studioName: string | null
  code: string
  /** Where the person wanted to go when the code was asked for. */
  ret: string | undefined
}

/** Gives the code to the server, remembers on the device what it opens, and answers where to go. */
export const redeem = async ({ studioSlug, studioName, code, ret }: Wish): Promise<Redeemed> => {
  const answer = await ask(redeemCode, { params: { slug: studioSlug }, query: { code } })
  if (!answer.ok) return { ok: false, sentence: codeTrouble(answer) }
  const { studioId, jobId, subject } = answer.data
  await rememberCode(local, { studioSlug, studioName, studioId, jobId, code })
  if (subject) await rememberSubject(local, { jobId, subjectId: subject.id })
  forgetAnswers()
  announceChange(null)
  if (subject) warmPerson({ studioSlug, studioId, jobId, subjectId: subject.id })
  return { ok: true, address: afterCode({ studioSlug, jobId, subjectId: subject?.id ?? null, ret }) }
}
