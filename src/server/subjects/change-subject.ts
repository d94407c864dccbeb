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
import type { User } from '../access/tokens/access-token.ts'
import { recordAudit } from '../audit/audit-log.ts'
import type { Transaction } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'
import type { Deps } from '../deps.ts'
import { type Problem, problem } from '../http/problem.ts'
import { isStale } from '../http/stale.ts'
import { codeTakenMessage, findTakenValues, lockJobSubjects, referenceTakenMessage } from './lock-subjects.ts'
import type { SubjectKey } from './read-subject.ts'
import { hideSubjects, showSubjects } from './subject-visibility.ts'

type Change = Infer<(typeof patchSubject)['body']>
type Locked = Pick<Selectable<Tables['subjects']>, 'first_name' | 'last_name' | 'hidden_at' | 'version'>

type Changing = {
  readonly key: SubjectKey
  readonly change: Change
  readonly known: readonly CustomField[]
  readonly user: User
}

const lock = (tx: Transaction, { studioId, jobId, subjectId }: SubjectKey): Promise<Locked | undefined> =>
  tx
    .selectFrom('subjects')
    .select(['first_name', 'last_name', 'hidden_at', 'version'])
    .where('studio_id', '=', studioId)
    .where('job_id', '=', jobId)
    .where('id', '=', subjectId)
    .where('state', '=', 'listed')
    .forUpdate()
    .executeTakeFirst()

const missingGroup = 'One of these groups is not there any more'
const missingImage = 'This picture is not there any more'

const areGroups = async (
  tx: Transaction,
  { studioId, jobId }: SubjectKey,
  ids: readonly number[],
): Promise<boolean> => {
  if (ids.length === 0) return true
  const found = await tx
    .selectFrom('groups')
    .select('id')
    .where('studio_id', '=', studioId)
    .where('job_id', '=', jobId)
    .where('id', 'in', ids)
    .execute()
  return found.length === new Set(ids).size
}

const isImage = async (tx: Transaction, { studioId, subjectId }: SubjectKey, imageId: number): Promise<boolean> => {
  const found = await tx
    .selectFrom('image_lookups')
    .select('id')
    .where('studio_id', '=', studioId)
    .where('subject_id', '=', subjectId)
    .where('kind', '=', 'hosted-individual')
    .where('superseded_at', 'is', null)
    .where('id', '=', imageId)
    .executeTakeFirst()
  return found !== undefined
}

/** What cannot stay as it was sent, by field. */
const errorsIn = async (
  tx: Transaction,
  { key, change, known }: Changing,
  before: Locked,
): Promise<Record<string, string[]>> => {
  const { firstName = before.first_name, lastName = before.last_name, reference, code } = change
  const errors = subjectErrors({ firstName, lastName, code })
  const wanted = {
    references: [normaliseReference(reference)],
    codes: [normaliseOptionalCode(code)],
    except: key.subjectId,
  }
  const taken = await findTakenValues(tx, key, wanted)
  if (taken.references.size > 0) errors.reference = [referenceTakenMessage]
  if (taken.codes.size > 0) errors.code = [codeTakenMessage]
  for (const field of change.fields ?? []) {
    const message = subjectFieldError(known, field)
    if (message !== null) errors[`fields.${field.name}`] = [message]
  }
  if (change.groupIds && !(await areGroups(tx, key, change.groupIds))) errors.groupIds = [missingGroup]
  if (change.primaryImageId && !(await isImage(tx, key, change.primaryImageId))) errors.primaryImageId = [missingImage]
  return errors
}

const writePerson = async (tx: Transaction, { clock }: Deps, { key, change }: Changing): Promise<void> => {
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

/** A field that stays keeps its id, and whose word it is. */
const writeFields = async (tx: Transaction, { key, change, known }: Changing): Promise<void> => {
  if (!change.fields) return
  const { studioId, subjectId } = key
  const fields = JSON.stringify(normaliseFields(known, change.fields))
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

const writeGroups = async (tx: Transaction, { key, change }: Changing): Promise<void> => {
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

const writeCode = async (tx: Transaction, { clock }: Deps, { key, change }: Changing): Promise<void> => {
  if (change.code === undefined) return
  const { studioId, jobId, subjectId } = key
  const code = normaliseOptionalCode(change.code)
  const owned = tx.deleteFrom('access_codes').where('studio_id', '=', studioId).where('subject_id', '=', subjectId)
  await (code === null ? owned : owned.where('code', '<>', code)).execute()
  if (code === null) return
  await tx
    .insertInto('access_codes')
    .values({ studio_id: studioId, job_id: jobId, subject_id: subjectId, code, created_at: clock() })
    // Of their own, it stays. Of somebody else's since it was looked for, it throws: nobody is to go without.
    .onConflict((conflict) => conflict.columns(['studio_id', 'job_id', 'subject_id']).doNothing())
    .execute()
}

const writeVisibility = async (
  tx: Transaction,
  deps: Deps,
  { changing: { key, change, user }, before }: { changing: Changing; before: Locked },
): Promise<void> => {
  const { isHidden } = change
  if (isHidden === undefined || isHidden === (before.hidden_at !== null)) return
  const { studioId, subjectId } = key
  const people = { studioId, subjectIds: [subjectId] }
  await (isHidden ? hideSubjects(tx, deps, people) : showSubjects(tx, people))
  const action = isHidden ? 'subject.hidden' : 'subject.shown'
  await recordAudit(tx, deps, { studioId, action, entityId: String(subjectId), detail: { count: 1 }, userId: user.id })
}

/** Changes what is named of a person, as they were seen in a version; all of it or nothing. Throws where another takes their code at this moment. */
export const changeSubject = async (
  tx: Transaction,
  deps: Deps,
  changing: Changing,
): Promise<undefined | Problem<'not-found' | 'conflict' | 'refused'>> => {
  await lockJobSubjects(tx, changing.key)
  const before = await lock(tx, changing.key)
  if (!before) return problem('not-found')
  if (isStale(before, changing.change.version)) return problem('conflict')
  const errors = await errorsIn(tx, changing, before)
  if (Object.keys(errors).length > 0) return problem('refused', fixFieldsMessage, { fields: errors })
  await writePerson(tx, deps, changing)
  await writeFields(tx, changing)
  await writeGroups(tx, changing)
  await writeCode(tx, deps, changing)
  await writeVisibility(tx, deps, { changing, before })
  return undefined
}
