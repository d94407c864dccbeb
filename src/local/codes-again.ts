import { confirmSubject, redeemCode } from '../contract/customer-find.ts'
import { problems } from '../contract/problems.ts'
import { verdict } from '../domain/verdict.ts'
import type { Ask, Failed } from './ask.ts'
import type { LocalDatabase, Refusal } from './database.ts'
import { sessionCount } from './session.ts'

/** `open`: the job's doors are open again; `later`: no answer yet; `refused`: only the customer has another code. */
export type DoorsAgain = { kind: 'open' } | { kind: 'later'; answer: Failed } | { kind: 'refused'; refusal: Refusal }

/** Told as a job's doors are answered for in a new session: what was cached of it for the old one must go. */
export type SessionChanged = (jobId: number) => Promise<void>

/** The jobs whose doors are still shut since the visit was taken up again. */
export const shutJobs = async (db: LocalDatabase): Promise<number[]> => {
  const fact = await db.device.get('shut')
  return fact?.key === 'shut' ? fact.value : []
}

/**
 * Gives the server again what the customer gave it: every code kept for a job, then every person confirmed in it. Its carts are held
 * back until both came through: what is told of a person before their door is open is refused for good. What the device keeps of the
 * job to show stays that long too, for a network that is gone again meanwhile.
 */
export const openDoorsAgain = async (
  db: LocalDatabase,
  ask: Ask,
  { jobId, sessionChanged }: { jobId: number; sessionChanged: SessionChanged | undefined },
): Promise<DoorsAgain> => {
  const session = await sessionCount(db)
  const doors = await giveAgain(db, ask, jobId)
  if (doors.kind === 'later') return doors
  if ((await shutJobs(db)).includes(jobId)) await sessionChanged?.(jobId)
  await noteDoors(db, { jobId, session, open: doors.kind === 'open' })
  return doors
}

const giveAgain = async (db: LocalDatabase, ask: Ask, jobId: number): Promise<DoorsAgain> => {
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
  return { kind: 'open' }
}

/** Lets the carts behind open doors go. Not where the visit whose doors these were is over meanwhile. */
const noteDoors = (
  db: LocalDatabase,
  { jobId, session, open }: { jobId: number; session: number; open: boolean },
): Promise<void> =>
  db.transaction('rw', [db.sending, db.device], async () => {
    if ((await sessionCount(db)) !== session) return
    if (open) await db.sending.where('jobId').equals(jobId).modify({ doorsShut: false })
    const shut = await shutJobs(db)
    if (shut.includes(jobId)) await db.device.put({ key: 'shut', value: shut.filter((one) => one !== jobId) })
  })
