import { sql } from 'kysely'
import type { Infer } from 'superstruct'
import type { MarkResult, addWalkUp as walkUpCall } from '#contract/studio/shoots.ts'
import { fixFieldsMessage, validationMessages } from '#domain/shared/validators.ts'
import { readCard } from '#domain/subjects/attendance.ts'
import { accessCodeFrom } from '#domain/subjects/subject-draft.ts'
import { searchKey } from '#domain/subjects/subject-search.ts'
import { lockJob } from '#server/jobs/store/find-job.ts'
import type { JobKey } from '../access/authorization/authorize.ts'
import type { User } from '../access/tokens/access-token.ts'
import { recordAudit } from '../audit/audit-log.ts'
import type { Transaction } from '../database/database.ts'
import { inTransaction } from '../database/database.ts'
import { retryOnUniqueViolation } from '../database/statement-errors.ts'
import type { Deps } from '../deps.ts'
import { type Problem, problem } from '../http/problem.ts'
import { findMarkOwner, insertCheckIn, readMarkResult, shootProblem } from './attendance-marks.ts'

type WalkUpInput = Infer<(typeof walkUpCall)['body']>
type WalkUpProblem = Problem<'not-found' | 'refused'>
type WalkUpRequest = { job: JobKey; user: User; input: WalkUpInput }

const isCodeTaken = async (tx: Transaction, { studioId }: JobKey, code: string): Promise<boolean> => {
  const rows = await tx
    .selectFrom('access_codes')
    .select('code')
    .where('studio_id', '=', studioId)
    .where('code', '=', code)
    .execute()
  return rows.length > 0
}

const fieldsProblem = async (tx: Transaction, { job, input }: WalkUpRequest): Promise<WalkUpProblem | undefined> => {
  const card = readCard(input.code)
  const formatMessage = input.code.trim() !== '' && !card ? 'A code has 4 to 12 letters and digits' : undefined
  const takenMessage =
    card && (await isCodeTaken(tx, job, card.code)) ? 'This code already belongs to someone else' : undefined
  const fields = {
    ...(input.firstName.trim() === '' && { firstName: [validationMessages.required] }),
    ...(input.lastName.trim() === '' && { lastName: [validationMessages.required] }),
    ...((formatMessage ?? takenMessage) && { code: [formatMessage ?? takenMessage ?? ''] }),
  }
  return Object.keys(fields).length > 0 ? problem('refused', fixFieldsMessage, { fields }) : undefined
}

/** Draws an unused access code for a subject without a card. */
const drawCode = async (tx: Transaction, { randomBytes }: Deps, job: JobKey): Promise<string> => {
  for (;;) {
    const code = accessCodeFrom(randomBytes(8))
    if (!(await isCodeTaken(tx, job, code))) return code
  }
}

/** Finds the group with this name, or creates it. */
const ensureGroup = async (tx: Transaction, { studioId, jobId }: JobKey, name: string): Promise<number> => {
  const readGroup = () =>
    sql<{ id: number }>`
    select id from groups where studio_id = ${studioId} and job_id = ${jobId} and lower(name) = lower(${name})`.execute(
      tx,
    )
  const insertion = await sql<{ id: number }>`
    insert into groups (studio_id, job_id, name, position)
    select ${studioId}, ${jobId}, ${name}, coalesce(max(position) + 1, 0) from groups where studio_id = ${studioId} and job_id = ${jobId}
    on conflict do nothing returning id`.execute(tx)
  const [group] = insertion.rows.length > 0 ? insertion.rows : (await readGroup()).rows
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
  const code = readCard(input.code)?.code ?? (await drawCode(tx, deps, job))
  await tx
    .insertInto('access_codes')
    .values({ studio_id: studioId, code, job_id: jobId, subject_id: subjectId })
    .execute()
  const group = input.groupName.trim()
  if (group !== '') {
    const groupId = await ensureGroup(tx, job, group)
    await tx
      .insertInto('subject_groups')
      .values({ studio_id: studioId, subject_id: subjectId, group_id: groupId })
      .execute()
  }
  // The audit log does not contain the name, so that no name remains after the subject is deleted.
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
      await lockJob(tx, job)
      const owner = await findMarkOwner(tx, job, input.key)
      if (owner) return await readMarkResult(tx, job, { key: input.key, subjectId: owner.subjectId })
      const invalidFields = await fieldsProblem(tx, request)
      if (invalidFields) return invalidFields
      const subjectId = await insertSubject(tx, deps, request)
      await insertCheckIn(tx, deps, { job, user, mark: { ...input, subjectId } })
      return await readMarkResult(tx, job, { key: input.key, subjectId })
    }),
  )
