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
type WalkUpProblem = Problem<'not-found' | 'refused'>
type WalkUpRequest = { job: JobKey; user: User; input: WalkUpInput }

const isTaken = async (tx: Transaction, { studioId }: JobKey, codeText: string): Promise<boolean> => {
  const { rows } = await sql`select from access_codes where studio_id = ${studioId} and code = ${codeText}`.execute(tx)
  return rows.length > 0
}

const fieldsProblem = async (tx: Transaction, { job, input }: WalkUpRequest): Promise<WalkUpProblem | undefined> => {
  const card = readCard(input.code)
  const codeText = input.code.trim() !== '' && !card ? 'A code has 4 to 12 letters and digits' : undefined
  const takenMessage = card && (await isTaken(tx, job, card.code)) ? 'This code is somebody else’s already' : undefined
  const fields = {
    ...(input.firstName.trim() === '' && { firstName: [validationMessages.required] }),
    ...(input.lastName.trim() === '' && { lastName: [validationMessages.required] }),
    ...((codeText ?? takenMessage) && { code: [codeText ?? takenMessage ?? ''] }),
  }
  return Object.keys(fields).length > 0 ? problem('refused', fixFieldsMessage, { fields }) : undefined
}

/** Draws an unused access code for a subject without a card. */
const drawCode = async (tx: Transaction, { randomBytes }: Deps, job: JobKey): Promise<string> => {
  for (;;) {
    const codeText = accessCodeFrom(randomBytes(8))
    if (!(await isTaken(tx, job, codeText))) return codeText
  }
}

/** The group with this name, created if there is none. */
const ensureGroup = async (tx: Transaction, { studioId, jobId }: JobKey, name: string): Promise<number> => {
  const readGroup = () =>
    sql<{ id: number }>`
    select id from groups where studio_id = ${studioId} and job_id = ${jobId} and lower(name) = lower(${name})`.execute(
      tx,
    )
  const inserted = await sql<{ id: number }>`
    insert into groups (studio_id, job_id, name, position)
    select ${studioId}, ${jobId}, ${name}, coalesce(max(position) + 1, 0) from groups where studio_id = ${studioId} and job_id = ${jobId}
    on conflict do nothing returning id`.execute(tx)
  const [group] = inserted.rows.length > 0 ? inserted.rows : (await readGroup()).rows
  if (!group) throw new Error(`job ${jobId} has no group ${name}, and none could be made`)
  return group.id
}

const insertSubject = async (tx: Transaction, deps: Deps, { job, user, input }: WalkUpRequest): Promise<number> => {
  const { studioId, jobId } = job
  const [firstName, lastName] = [input.firstName.trim(), input.lastName.trim()]
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
  const codeText = readCard(input.code)?.code ?? (await drawCode(tx, deps, job))
  await tx
    .insertInto('access_codes')
    .values({ studio_id: studioId, code: codeText, job_id: jobId, subject_id: subjectId })
    .execute()
  const group = input.groupName.trim()
  if (group !== '') {
    const groupId = await ensureGroup(tx, job, group)
    await tx
      .insertInto('subject_groups')
      .values({ studio_id: studioId, subject_id: subjectId, group_id: groupId })
      .execute()
  }
  // The audit log does not repeat the name, so that it is deleted with the subject.
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

/** Adds a subject to the list and checks them in. Idempotent by key. */
export const addWalkUp = (deps: Deps, request: WalkUpRequest): Promise<MarkResult | WalkUpProblem> =>
  retryOnUniqueViolation(() =>
    inTransaction(deps.db, async (tx) => {
      const { job, user, input } = request
      const jobProblem = await shootProblem(tx, job)
      if (jobProblem) return jobProblem
      // A concurrent request for the same subject waits here and then finds it.
      await sql`select from jobs where studio_id = ${job.studioId} and id = ${job.jobId} for no key update`.execute(tx)
      const owner = await subjectOfMarkKey(tx, job, input.key)
      if (owner) return await markAnswer(tx, job, { key: input.key, subjectId: owner.subjectId })
      const invalid = await fieldsProblem(tx, request)
      if (invalid) return invalid
      const subjectId = await insertSubject(tx, deps, request)
      await insertCheckIn(tx, deps, { job, user, mark: { ...input, subjectId } })
      return await markAnswer(tx, job, { key: input.key, subjectId })
    }),
  )
