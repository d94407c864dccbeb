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
import type { JobKey } from '../access/authorization/authorize.ts'
import type { Transaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { type Problem, problem } from '../http/problem.ts'
import { assignAccessCodes } from './assign-access-codes.ts'
import { codeTakenMessage, findTakenValues, lockJobSubjects, referenceTakenMessage } from './lock-subjects.ts'

type Creating = {
  readonly job: JobKey
  readonly drafts: readonly NewSubject[]
  readonly known: readonly CustomField[]
  /** `new`: who brings no code is given one. */
  readonly codes: 'new' | 'none'
}

/** What cannot stay as it was sent, by place and field. */
const errorsIn = async (tx: Transaction, { job, drafts, known }: Creating): Promise<Record<string, string[]>> => {
  const references = drafts.map(({ reference }) => normaliseReference(reference))
  const codes = drafts.map(({ code }) => normaliseOptionalCode(code))
  const taken = await findTakenValues(tx, job, { references, codes })
  const errors = subjectListErrors(drafts)
  for (const [index, { fields = [] }] of drafts.entries()) {
    const [reference, code] = [references[index], codes[index]]
    if (reference && taken.references.has(reference)) errors[`${index}.reference`] = [referenceTakenMessage]
    if (code && taken.codes.has(code)) errors[`${index}.code`] = [codeTakenMessage]
    for (const field of fields) {
      const message = subjectFieldError(known, field)
      if (message !== null) errors[`${index}.fields.${field.name}`] = [message]
    }
  }
  return errors
}

const insertPeople = async (
  tx: Transaction,
  { clock }: Pick<Deps, 'clock'>,
  { job: { studioId, jobId }, drafts }: Creating,
): Promise<number[]> => {
  const now = clock()
  const people = drafts.map((draft, place) => {
    const [first, last] = [normaliseSubjectText(draft.firstName), normaliseSubjectText(draft.lastName)]
    const keys = { first_key: searchKey(first), last_key: searchKey(last) }
    return { place, first, last, ...keys, reference: normaliseReference(draft.reference) }
  })
  const { rows } = await sql<{ id: number }>`
    insert into subjects (studio_id, job_id, first_name, last_name, first_key, last_key, reference, created_at, updated_at)
    select ${studioId}, ${jobId}, x.first, x.last, x.first_key, x.last_key, x.reference, ${now}, ${now}
      from jsonb_to_recordset(${JSON.stringify(people)}::jsonb)
           as x(place int, first text, last text, first_key text, last_key text, reference text) order by x.place
    returning id`.execute(tx)
  return rows.map(({ id }) => id).sort((one, other) => one - other)
}

/** The job's groups of these names, however they are capitalised, made where they are missing; their ids by the name in small letters. */
const groupsNamed = async (
  tx: Transaction,
  { studioId, jobId }: JobKey,
  names: readonly string[],
): Promise<Map<string, number>> => {
  const wanted = [...new Map(names.map((name) => [name.toLowerCase(), name])).values()]
  if (wanted.length === 0) return new Map()
  await sql`
    insert into groups (studio_id, job_id, name, position)
    select ${studioId}, ${jobId}, x.name, x.place + (select coalesce(max(g.position), 0) from groups g
             where g.studio_id = ${studioId} and g.job_id = ${jobId})
      from jsonb_array_elements_text(${JSON.stringify(wanted)}::jsonb) with ordinality as x(name, place)
    on conflict (studio_id, job_id, lower(name)) do nothing`.execute(tx)
  const groups = await tx
    .selectFrom('groups')
    .select(['id', 'name'])
    .where('studio_id', '=', studioId)
    .where('job_id', '=', jobId)
    .execute()
  return new Map(groups.map(({ id, name }) => [name.toLowerCase(), id]))
}

const putInGroups = async (tx: Transaction, ids: readonly number[], { job, drafts }: Creating): Promise<void> => {
  const named = drafts.map(({ groups = [] }) => groups.map(normaliseSubjectText).filter((name) => name !== ''))
  const idByName = await groupsNamed(tx, job, named.flat())
  const members = named.flatMap((names, index) =>
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
  { job, drafts, known }: Creating,
): Promise<void> => {
  const fields = drafts.flatMap(({ fields: written = [] }, index) =>
    normaliseFields(known, written).map((field) => ({ subject: ids[index], ...field })),
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
  { ids, creating: { job, drafts, codes } }: { ids: readonly number[]; creating: Creating },
): Promise<void> => {
  const brought = drafts.flatMap(({ code }, index) => {
    const kept = normaliseOptionalCode(code)
    return kept === null ? [] : [{ subject: ids[index], code: kept }]
  })
  if (brought.length > 0) {
    await sql`
      insert into access_codes (studio_id, job_id, subject_id, code, created_at)
      select ${job.studioId}, ${job.jobId}, x.subject, x.code, ${deps.clock()}
        from jsonb_to_recordset(${JSON.stringify(brought)}::jsonb) as x(subject bigint, code text)`.execute(tx)
  }
  if (codes === 'none') return
  const subjectIds = ids.filter((_, index) => normaliseOptionalCode(drafts[index]?.code) === null)
  await assignAccessCodes(tx, deps, { job, subjectIds })
}

/** Makes people of a job, all or none; gives their ids in their order. */
export const createSubjects = async (
  tx: Transaction,
  deps: Deps,
  creating: Creating,
): Promise<number[] | Problem<'refused'>> => {
  await lockJobSubjects(tx, creating.job)
  const errors = await errorsIn(tx, creating)
  if (Object.keys(errors).length > 0) return problem('refused', fixFieldsMessage, { fields: errors })
  const ids = await insertPeople(tx, deps, creating)
  await putInGroups(tx, ids, creating)
  await writeFields(tx, ids, creating)
  await writeCodes(tx, deps, { ids, creating })
  return ids
}
