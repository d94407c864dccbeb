import { sql } from 'kysely'
import type { Infer } from 'superstruct'
import type { MarkResult, addWalkUp as walkUpCall } from '#contract/studio/shoots.ts'
import { fixFieldsMessage, validationMessages } from '#domain/shared/validators.ts'
import { accessCodeFrom } from '#domain/subjects/access-code.ts'
import { readCard } from '#domain/subjects/attendance.ts'
import { searchKey } from '#domain/subjects/subject-search.ts'
import type { JobKey } from '../access/authorization/authorize.ts'
import type { User } from '../access/tokens/access-token.ts'
import { recordAudit } from '../audit/audit-log.ts'
import type { Transaction } from '../database/database.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { retryOnUniqueViolation } from '../database/retry-on-unique-violation.ts'
import type { Deps } from '../deps.ts'
import { type Problem, problem } from '../http/problem.ts'
import { insertCheckIn, markAnswer, shootProblem, subjectOfMarkKey } from './attendance-marks.ts'

type WalkUpInput = Infer<(typeof walkUpCall)['body']>
type Refused = Problem<'not-found' | 'refused'>
type Newcomer = { job: JobKey; user: User; told: WalkUpInput }

const isTaken = async (tx: Transaction, { studioId }: JobKey, code: string): Promise<boolean> => {
  const { rows } = await sql`select from access_codes where studio_id = ${studioId} and code = ${code}`.execute(tx)
  return rows.length > 0
}

const objection = async (tx: Transaction, { job, told }: Newcomer): Promise<Refused | undefined> => {
  const card = readCard(told.code)
  const code = told.code.trim() !== '' && !card ? 'A code has 4 to 12 letters and digits' : undefined
  const taken = card && (await isTaken(tx, job, card.code)) ? 'This code is somebody else’s already' : undefined
  const fields = {
    ...(told.firstName.trim() === '' && { firstName: [validationMessages.required] }),
    ...(told.lastName.trim() === '' && { lastName: [validationMessages.required] }),
    ...((code ?? taken) && { code: [code ?? taken ?? ''] }),
  }
  return Object.keys(fields).length > 0 ? problem('refused', fixFieldsMessage, { fields }) : undefined
}

/** A code of their own for who has no card. */
const freeCode = async (tx: Transaction, { randomBytes }: Deps, job: JobKey): Promise<string> => {
  for (;;) {
    const code = accessCodeFrom(randomBytes(8))
    if (!(await isTaken(tx, job, code))) return code
  }
}

/** The group of a name, made where there is none. */
const groupOf = async (tx: Transaction, { studioId, jobId }: JobKey, name: string): Promise<number> => {
  const find = () =>
    sql<{ id: number }>`
    select id from groups where studio_id = ${studioId} and job_id = ${jobId} and lower(name) = lower(${name})`.execute(
      tx,
    )
  const made = await sql<{ id: number }>`
    insert into groups (studio_id, job_id, name, position)
    select ${studioId}, ${jobId}, ${name}, coalesce(max(position) + 1, 0) from groups where studio_id = ${studioId} and job_id = ${jobId}
    on conflict do nothing returning id`.execute(tx)
  const [group] = made.rows.length > 0 ? made.rows : (await find()).rows
  if (!group) throw new Error(`job ${jobId} has no group ${name}, and none could be made`)
  return group.id
}

const insertSubject = async (tx: Transaction, deps: Deps, { job, user, told }: Newcomer): Promise<number> => {
  const { studioId, jobId } = job
  const [firstName, lastName] = [told.firstName.trim(), told.lastName.trim()]
  const now = deps.clock()
  const { id: subjectId } = await tx
    .insertInto('subjects')
    .values({
      studio_id: studioId,
      job_id: jobId,
      first_name: firstName,
      last_name: lastName,
      first_key: searchKey(firstName),
      last_key: searchKey(lastName),
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const code = readCard(told.code)?.code ?? (await freeCode(tx, deps, job))
  await tx
    .insertInto('access_codes')
    .values({ studio_id: studioId, code, job_id: jobId, subject_id: subjectId })
    .execute()
  const group = told.groupName.trim()
  if (group !== '') {
    const groupId = await groupOf(tx, job, group)
    await tx
      .insertInto('subject_groups')
      .values({ studio_id: studioId, subject_id: subjectId, group_id: groupId })
      .execute()
  }
  // Who it is stands with the person, and goes with them.
  const detail = { jobId }
  await recordAudit(tx, deps, {
    studioId,
    action: 'subject.walked-up',
    entityId: String(subjectId),
    detail,
    userId: user.id,
  })
  return subjectId
}

/** Puts somebody on the list who was not, and checks them in; told again under the same key, once. */
export const addWalkUp = (deps: Deps, newcomer: Newcomer): Promise<MarkResult | Refused> =>
  retryOnUniqueViolation(() =>
    inTransaction(deps.db, async (tx) => {
      const { job, user, told } = newcomer
      const refused = await shootProblem(tx, job)
      if (refused) return refused
      // Whoever tells of the same person at the same moment waits here, and finds them made.
      await sql`select from jobs where studio_id = ${job.studioId} and id = ${job.jobId} for no key update`.execute(tx)
      const owner = await subjectOfMarkKey(tx, job, told.key)
      if (owner) return await markAnswer(tx, job, { key: told.key, subjectId: owner.subjectId })
      const wrong = await objection(tx, newcomer)
      if (wrong) return wrong
      const subjectId = await insertSubject(tx, deps, newcomer)
      await insertCheckIn(tx, deps, { job, user, told: { ...told, subjectId } })
      return await markAnswer(tx, job, { key: told.key, subjectId })
    }),
  )
