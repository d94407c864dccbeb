import { type Selectable, sql } from 'kysely'
import type { Infer } from 'superstruct'
import type { patchSubject } from '#contract/studio/subjects.ts'
import { fixFieldsMessage } from '#domain/shared/validators.ts'
import type { CustomField } from '#domain/subjects/custom-fields.ts'
import {
  normaliseFields,
  normaliseOptionalCode,
  normaliseReference,
  normaliseSubjectText,
  subjectErrors,
  subjectFieldError,
} from '#domain/subjects/subject-draft.ts'
import { searchKey } from '#domain/subjects/subject-search.ts'
import { lockJob } from '#server/jobs/store/find-job.ts'
import type { User } from '../access/tokens/access-token.ts'
import { recordAudit } from '../audit/audit-log.ts'
import type { Transaction } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'
import type { Deps } from '../deps.ts'
import { isStale, type Problem, problem } from '../http/problem.ts'
import type { SubjectKey } from './read-subject.ts'
import { hideSubjects, showSubjects } from './subject-visibility.ts'
import { codeTakenMessage, findTakenValues, referenceTakenMessage } from './taken-values.ts'

type SubjectPatch = Infer<(typeof patchSubject)['body']>
type LockedSubject = Pick<Selectable<Tables['subjects']>, 'first_name' | 'last_name' | 'hidden_at' | 'version'>

type SubjectChange = {
  readonly key: SubjectKey
  readonly change: SubjectPatch
  readonly customFields: readonly CustomField[]
  readonly user: User
}

const lockSubject = (tx: Transaction, { studioId, jobId, subjectId }: SubjectKey): Promise<LockedSubject | undefined> =>
  tx
    .selectFrom('subjects')
    .select(['first_name', 'last_name', 'hidden_at', 'version'])
    .where('studio_id', '=', studioId)
    .where('job_id', '=', jobId)
    .where('id', '=', subjectId)
    .where('state', '=', 'listed')
    .forUpdate()
    .executeTakeFirst()

const missingGroupMessage = 'One of these groups is not there any more'
const missingImageMessage = 'This image is no longer there'

const groupsExist = async (
  tx: Transaction,
  { studioId, jobId }: SubjectKey,
  ids: readonly number[],
): Promise<boolean> => {
  if (ids.length === 0) return true
  const rows = await tx
    .selectFrom('groups')
    .select('id')
    .where('studio_id', '=', studioId)
    .where('job_id', '=', jobId)
    .where('id', 'in', ids)
    .execute()
  return rows.length === new Set(ids).size
}

const isImageOfSubject = async (
  tx: Transaction,
  { studioId, subjectId }: SubjectKey,
  imageId: number,
): Promise<boolean> => {
  const rows = await tx
    .selectFrom('image_lookups')
    .select('id')
    .where('studio_id', '=', studioId)
    .where('subject_id', '=', subjectId)
    .where('kind', '=', 'hosted-individual')
    .where('superseded_at', 'is', null)
    .where('id', '=', imageId)
    .executeTakeFirst()
  return rows !== undefined
}

const readFieldValues = async (tx: Transaction, { studioId, subjectId }: SubjectKey): Promise<Map<string, string>> => {
  const rows = await tx
    .selectFrom('subject_fields')
    .select(['name', 'value'])
    .where('studio_id', '=', studioId)
    .where('subject_id', '=', subjectId)
    .execute()
  return new Map(rows.map(({ name, value }) => [name, value]))
}

/** The errors of changed fields. An unchanged value is valid even if the job's options no longer include it. */
const validateFields = async (
  tx: Transaction,
  { key, change, customFields }: SubjectChange,
): Promise<Record<string, string[]>> => {
  if (!change.fields) return {}
  const savedValues = await readFieldValues(tx, key)
  return Object.fromEntries(
    change.fields.flatMap((field) => {
      const isUnchanged = savedValues.get(field.name) === field.value
      const message = isUnchanged ? null : subjectFieldError(customFields, field)
      return message === null ? [] : [[`fields.${field.name}`, [message]]]
    }),
  )
}

/** Returns the validation errors of a change by field. */
const validateChange = async (
  tx: Transaction,
  input: SubjectChange,
  current: LockedSubject,
): Promise<Record<string, string[]>> => {
  const { key, change } = input
  const { firstName = current.first_name, lastName = current.last_name, reference, code } = change
  const errors = subjectErrors({ firstName, lastName, code })
  const uniqueValues = {
    references: [normaliseReference(reference)],
    codes: [normaliseOptionalCode(code)],
    exceptId: key.subjectId,
  }
  const takenValues = await findTakenValues(tx, key, uniqueValues)
  if (takenValues.references.size > 0) errors.reference = [referenceTakenMessage]
  if (takenValues.codes.size > 0) errors.code = [codeTakenMessage]
  Object.assign(errors, await validateFields(tx, input))
  if (change.groupIds && !(await groupsExist(tx, key, change.groupIds))) errors.groupIds = [missingGroupMessage]
  if (change.primaryImageId && !(await isImageOfSubject(tx, key, change.primaryImageId)))
    errors.primaryImageId = [missingImageMessage]
  return errors
}

const writeNames = async (tx: Transaction, { clock }: Deps, { key, change }: SubjectChange): Promise<void> => {
  const { firstName, lastName, reference, primaryImageId } = change
  const [first, last] = [firstName, lastName].map((name) =>
    name === undefined ? undefined : normaliseSubjectText(name),
  )
  await tx
    .updateTable('subjects')
    .set(({ eb }) => ({
      ...(first !== undefined && { first_name: first, first_key: searchKey(first) }),
      ...(last !== undefined && { last_name: last, last_key: searchKey(last) }),
      ...(reference !== undefined && { reference: normaliseReference(reference) }),
      ...(primaryImageId !== undefined && { primary_image_id: primaryImageId }),
      updated_at: clock(),
      version: eb('version', '+', 1),
    }))
    .where('studio_id', '=', key.studioId)
    .where('id', '=', key.subjectId)
    .execute()
}

/** Writes the fields of a subject. A field that exists keeps its id and its source. */
const writeFields = async (tx: Transaction, { key, change, customFields }: SubjectChange): Promise<void> => {
  if (!change.fields) return
  const { studioId, subjectId } = key
  const fields = JSON.stringify(normaliseFields(customFields, change.fields))
  const rows = sql`jsonb_to_recordset(${fields}::jsonb)
    as x(name text, value text, "hasOptions" boolean, "templateId" bigint, "optionId" bigint)`
  await sql`
    delete from subject_fields where studio_id = ${studioId} and subject_id = ${subjectId}
       and name not in (select x.name from ${rows})`.execute(tx)
  await sql`
    insert into subject_fields (studio_id, subject_id, name, value, has_options, template_id, option_id)
    select ${studioId}::bigint, ${subjectId}::bigint, x.name, x.value, x."hasOptions", x."templateId", x."optionId" from ${rows}
    on conflict (studio_id, subject_id, name) do update
      set value = excluded.value, has_options = excluded.has_options, template_id = excluded.template_id,
          option_id = excluded.option_id`.execute(tx)
}

const writeGroups = async (tx: Transaction, { key, change }: SubjectChange): Promise<void> => {
  if (!change.groupIds) return
  const { studioId, subjectId } = key
  await tx.deleteFrom('subject_groups').where('studio_id', '=', studioId).where('subject_id', '=', subjectId).execute()
  const members = [...new Set(change.groupIds)].map((group_id) => ({
    studio_id: studioId,
    subject_id: subjectId,
    group_id,
  }))
  if (members.length > 0) await tx.insertInto('subject_groups').values(members).execute()
}

const writeCode = async (tx: Transaction, { clock }: Deps, { key, change }: SubjectChange): Promise<void> => {
  if (change.code === undefined) return
  const { studioId, jobId, subjectId } = key
  const code = normaliseOptionalCode(change.code)
  const ownCodes = tx.deleteFrom('access_codes').where('studio_id', '=', studioId).where('subject_id', '=', subjectId)
  await (code === null ? ownCodes : ownCodes.where('code', '<>', code)).execute()
  if (code === null) return
  await tx
    .insertInto('access_codes')
    .values({ studio_id: studioId, job_id: jobId, subject_id: subjectId, code, created_at: clock() })
    // The subject's own code stays. If another subject took the code meanwhile, the insert throws, so that no subject
    // is left without a code.
    .onConflict((conflict) => conflict.columns(['studio_id', 'job_id', 'subject_id']).doNothing())
    .execute()
}

const writeVisibility = async (
  tx: Transaction,
  deps: Deps,
  { input: { key, change, user }, current }: { input: SubjectChange; current: LockedSubject },
): Promise<void> => {
  const { isHidden } = change
  if (isHidden === undefined || isHidden === (current.hidden_at !== null)) return
  const { studioId, subjectId } = key
  const subjects = { studioId, subjectIds: [subjectId] }
  await (isHidden ? hideSubjects(tx, deps, subjects) : showSubjects(tx, subjects))
  const action = isHidden ? 'subject.hidden' : 'subject.shown'
  await recordAudit(tx, deps, { studioId, action, entityId: String(subjectId), detail: { count: 1 }, userId: user.id })
}

/**
 * Changes the given fields of a subject if its version is current; all or nothing. Throws if another subject takes the
 * code concurrently.
 */
export const changeSubject = async (
  tx: Transaction,
  deps: Deps,
  input: SubjectChange,
): Promise<undefined | Problem<'not-found' | 'conflict' | 'refused'>> => {
  await lockJob(tx, input.key)
  const current = await lockSubject(tx, input.key)
  if (!current) return problem('not-found')
  if (isStale(current, input.change.version)) return problem('conflict')
  const errors = await validateChange(tx, input, current)
  if (Object.keys(errors).length > 0) return problem('refused', fixFieldsMessage, { fields: errors })
  await writeNames(tx, deps, input)
  await writeFields(tx, input)
  await writeGroups(tx, input)
  await writeCode(tx, deps, input)
  await writeVisibility(tx, deps, { input, current })
  return undefined
}
