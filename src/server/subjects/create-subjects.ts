import { sql } from 'kysely'
import type { NewSubject } from '#contract/studio/subjects.ts'
import { fixFieldsMessage } from '#domain/shared/validators.ts'
import type { CustomField } from '#domain/subjects/custom-fields.ts'
import {
  normaliseFields,
  normaliseOptionalCode,
  normaliseReference,
  normaliseSubjectText,
  subjectFieldError,
  subjectListErrors,
} from '#domain/subjects/subject-draft.ts'
import { searchKey } from '#domain/subjects/subject-search.ts'
import { lockJob } from '#server/jobs/store/find-job.ts'
import type { JobKey } from '../access/authorization/authorize.ts'
import type { Transaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { type Problem, problem } from '../http/problem.ts'
import { assignAccessCodes } from './assign-access-codes.ts'
import { codeTakenMessage, findTakenValues, referenceTakenMessage } from './taken-values.ts'

export type CreationInput = {
  readonly job: JobKey
  readonly drafts: readonly NewSubject[]
  readonly customFields: readonly CustomField[]
  /** With `new`, subjects without a code get one. */
  readonly codes: 'new' | 'none'
  readonly createdAt: Date
}

/** Locks the job. Returns a problem with the validation errors of drafts by index and field. */
export const validateDrafts = async (
  tx: Transaction,
  { job, drafts, customFields }: CreationInput,
): Promise<Problem<'refused'> | undefined> => {
  await lockJob(tx, job)
  const references = drafts.map(({ reference }) => normaliseReference(reference))
  const codes = drafts.map(({ code }) => normaliseOptionalCode(code))
  const takenValues = await findTakenValues(tx, job, { references, codes })
  const errors = subjectListErrors(drafts)
  for (const [index, { fields = [] }] of drafts.entries()) {
    const [reference, code] = [references[index], codes[index]]
    if (reference && takenValues.references.has(reference)) errors[`${index}.reference`] = [referenceTakenMessage]
    if (code && takenValues.codes.has(code)) errors[`${index}.code`] = [codeTakenMessage]
    for (const field of fields) {
      const message = subjectFieldError(customFields, field)
      if (message !== null) errors[`${index}.fields.${field.name}`] = [message]
    }
  }
  return Object.keys(errors).length > 0 ? problem('refused', fixFieldsMessage, { fields: errors }) : undefined
}

const insertNames = async (
  tx: Transaction,
  { job: { studioId, jobId }, drafts, createdAt }: CreationInput,
  state: 'listed' | 'staged',
): Promise<number[]> => {
  const nameRows = drafts.map((draft, position) => {
    const [first, last] = [normaliseSubjectText(draft.firstName), normaliseSubjectText(draft.lastName)]
    const keys = { first_key: searchKey(first), last_key: searchKey(last) }
    return { position, first, last, ...keys, reference: normaliseReference(draft.reference) }
  })
  const { rows } = await sql<{ id: number }>`
    insert into subjects (studio_id, job_id, first_name, last_name, first_key, last_key, reference, state, created_at, updated_at)
    select ${studioId}, ${jobId}, x.first, x.last, x.first_key, x.last_key, x.reference, ${state}, ${createdAt}, ${createdAt}
      from jsonb_to_recordset(${JSON.stringify(nameRows)}::jsonb)
           as x(position int, first text, last text, first_key text, last_key text, reference text) order by x.position
    returning id`.execute(tx)
  return rows.map(({ id }) => id).sort((a, b) => a - b)
}

/** Returns the ids of all groups of the job by lower-case name, after creating the missing ones of these names. */
const ensureGroups = async (
  tx: Transaction,
  { job: { studioId, jobId }, createdAt }: CreationInput,
  names: readonly string[],
): Promise<Map<string, number>> => {
  const distinctNames = [...new Map(names.map((name) => [name.toLowerCase(), name])).values()]
  if (distinctNames.length === 0) return new Map()
  await sql`
    insert into groups (studio_id, job_id, name, position, created_at)
    select ${studioId}, ${jobId}, x.name, x.position + (select coalesce(max(g.position), 0) from groups g
             where g.studio_id = ${studioId} and g.job_id = ${jobId}), ${createdAt}
      from jsonb_array_elements_text(${JSON.stringify(distinctNames)}::jsonb) with ordinality as x(name, position)
    on conflict (studio_id, job_id, lower(name)) do nothing`.execute(tx)
  const groups = await tx
    .selectFrom('groups')
    .select(['id', 'name'])
    .where('studio_id', '=', studioId)
    .where('job_id', '=', jobId)
    .execute()
  return new Map(groups.map(({ id, name }) => [name.toLowerCase(), id]))
}

const insertGroups = async (tx: Transaction, ids: readonly number[], input: CreationInput): Promise<void> => {
  const { job, drafts } = input
  const groupNames = drafts.map(({ groups = [] }) => groups.map(normaliseSubjectText).filter((name) => name !== ''))
  const idByName = await ensureGroups(tx, input, groupNames.flat())
  const members = groupNames.flatMap((names, index) =>
    names.map((name) => ({ subject: ids[index], group: idByName.get(name.toLowerCase()) })),
  )
  if (members.length === 0) return
  await sql`
    insert into subject_groups (studio_id, subject_id, group_id)
    select distinct ${job.studioId}::bigint, x.subject, x."group"
      from jsonb_to_recordset(${JSON.stringify(members)}::jsonb) as x(subject bigint, "group" bigint)`.execute(tx)
}

const writeFields = async (
  tx: Transaction,
  ids: readonly number[],
  { job, drafts, customFields }: CreationInput,
): Promise<void> => {
  const fields = drafts.flatMap(({ fields: draftFields = [] }, index) =>
    normaliseFields(customFields, draftFields).map((field) => ({ subject: ids[index], ...field })),
  )
  if (fields.length === 0) return
  await sql`
    insert into subject_fields (studio_id, subject_id, name, value, has_options, template_id, option_id)
    select ${job.studioId}, x.subject, x.name, x.value, x."hasOptions", x."templateId", x."optionId"
      from jsonb_to_recordset(${JSON.stringify(fields)}::jsonb)
           as x(subject bigint, name text, value text, "hasOptions" boolean, "templateId" bigint, "optionId" bigint)`.execute(
    tx,
  )
}

const writeCodes = async (
  tx: Transaction,
  deps: Deps,
  { ids, input: { job, drafts, codes, createdAt } }: { ids: readonly number[]; input: CreationInput },
): Promise<void> => {
  const draftCodes = drafts.flatMap(({ code }, index) => {
    const normalizedCode = normaliseOptionalCode(code)
    return normalizedCode === null ? [] : [{ subject: ids[index], code: normalizedCode }]
  })
  if (draftCodes.length > 0) {
    await sql`
      insert into access_codes (studio_id, job_id, subject_id, code, created_at)
      select ${job.studioId}, ${job.jobId}, x.subject, x.code, ${createdAt}
        from jsonb_to_recordset(${JSON.stringify(draftCodes)}::jsonb) as x(subject bigint, code text)`.execute(tx)
  }
  if (codes === 'none') return
  const subjectIds = ids.filter((_, index) => normaliseOptionalCode(drafts[index]?.code) === null)
  await assignAccessCodes(tx, deps, { job, subjectIds })
}

/** Inserts valid drafts as subjects; returns their ids in order. Staged subjects are invisible until their state is `listed`. */
export const insertSubjects = async (
  tx: Transaction,
  deps: Deps,
  { input, state }: { input: CreationInput; state: 'listed' | 'staged' },
): Promise<number[]> => {
  const ids = await insertNames(tx, input, state)
  await insertGroups(tx, ids, input)
  await writeFields(tx, ids, input)
  await writeCodes(tx, deps, { ids, input })
  return ids
}
