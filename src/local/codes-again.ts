import { confirmSubject, redeemCode } from '../contract/customer-find.ts'
import { problems } from '../contract/problems.ts'
import { verdict } from '../domain/verdict.ts'
import type { Ask, Failed } from './ask.ts'
import type { LocalDatabase, Refusal } from './database.ts'
import { sessionCount } from './session.ts'

/** `open`: the job's doors are open again; `later`: no answer yet; `refused`: only the customer has another code. */
export type DoorsAgain = { kind: 'open' } | { kind: 'later'; answer: Failed } | { kind: 'refused'; refusal: Refusal }

/**
 * Gives the server again what the customer gave it: every code kept for a job, then every person confirmed in it. Its carts are held
 * back until both came through: what is told of a person before their door is open is refused for good.
 */
export const openDoorsAgain = async (db: LocalDatabase, ask: Ask, jobId: number): Promise<DoorsAgain> => {
  const session = await sessionCount(db)
  const codes = await db.codes.where('jobId').equals(jobId).toArray()
  let opened = false
  let sentence: string = problems['code-needed'].sentence
  for (const { studioSlug, code } of codes) {
    const answer = await ask(redeemCode, { params: { slug: studioSlug }, query: { code } })
    if (answer.ok) {
      opened = true
      await db.codes.update([jobId, code], { studioId: answer.data.studioId })
    } else if (verdict(answer.status, answer.problem) === 'retry') return { kind: 'later', answer }
    else sentence = answer.errors[0] ?? sentence
  }
  if (!opened) return { kind: 'refused', refusal: { problem: 'code-needed', sentence } }
  const subjects = await db.subjects.where('jobId').equals(jobId).toArray()
  for (const { subjectId, proof } of subjects) {
    const answer = await ask(confirmSubject, { params: { jobId }, body: { subjectId, ...(proof && { proof }) } })
    // A person who is not shown any more is not the cart's problem: their lines answer for themselves.
    if (!answer.ok && verdict(answer.status, answer.problem) === 'retry') return { kind: 'later', answer }
  }
  await letCartsGo(db, jobId, session)
  return { kind: 'open' }
}

/** Unless the visit whose doors these were is over meanwhile. */
const letCartsGo = (db: LocalDatabase, jobId: number, session: number): Promise<void> =>
  db.transaction('rw', [db.sending, db.device], async () => {
    if ((await sessionCount(db)) !== session) return
    await db.sending.where('jobId').equals(jobId).modify({ doorsShut: false })
  })
