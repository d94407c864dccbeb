import { type RawBuilder, sql } from 'kysely'
import type { SelectedSubjects, SubjectEdit, SubjectEditResult } from '#contract/studio/subjects.ts'
import { fixFieldsMessage } from '#domain/shared/validators.ts'
import type { CustomField } from '#domain/subjects/custom-fields.ts'
import { maxSubjectFields } from '#domain/subjects/subject-details.ts'
import { type NormalisedField, normaliseField, subjectFieldError } from '#domain/subjects/subject-draft.ts'
import type { JobKey } from '../access/authorization/authorize.ts'
import type { User } from '../access/tokens/access-token.ts'
import { recordAudit } from '../audit/audit-log.ts'
import type { Transaction } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'
import type { Deps } from '../deps.ts'
import { type Problem, problem } from '../http/problem.ts'
import { assignAccessCodes } from './assign-access-codes.ts'
import { lockJobSubjects } from './lock-subjects.ts'
import { idsTable, isSelectedSubject } from './subject-filter.ts'
import { hideSubjects, showSubjects } from './subject-visibility.ts'

export type BulkEditInput = {
  readonly job: JobKey
  readonly whom: SelectedSubjects
  readonly edit: SubjectEdit
  readonly known: readonly CustomField[]
  readonly user: User
}

/** A kind of bulk edit: which subjects it changes, their values before, and how to run it. */
type BulkEdit = {
  readonly does: Tables['subject_edits']['does']
  readonly fieldName: string | null
  /** Whether it would change subject `u`. */
  readonly changes: RawBuilder<boolean>
  /** The values of subject `u` that it changes; `undo-bulk-edit.ts` reads them. */
  readonly before: RawBuilder<unknown>
  readonly run: (tx: Transaction, deps: Deps, subjectIds: readonly number[]) => Promise<unknown>
}

const fieldCondition = (name: string) => sql`f.studio_id = u.studio_id and f.subject_id = u.id and f.name = ${name}`

const setField = (
  { studioId }: JobKey,
  { name, value, hasOptions, templateId, optionId }: NormalisedField,
): BulkEdit => ({
  does: 'set-field',
  fieldName: name,
  changes: sql`coalesce((select f.value from subject_fields f where ${fieldCondition(name)}), '') <> ${value}`,
  before: sql`jsonb_build_object('field', (select to_jsonb(f) from subject_fields f where ${fieldCondition(name)}))`,
  run: (tx, _deps, subjectIds) =>
    value === ''
      ? sql`delete from subject_fields where studio_id = ${studioId} and name = ${name}
               and subject_id in ${idsTable(subjectIds)}`.execute(tx)
      : sql`
          insert into subject_fields (studio_id, subject_id, name, value, has_options, template_id, option_id)
          select ${studioId}::bigint, x.id, ${name}::text, ${value}::text, ${hasOptions}::boolean, ${templateId}::bigint,
                 ${optionId}::bigint
            from ${idsTable(subjectIds)} x
          on conflict (studio_id, subject_id, name) do update
            set value = excluded.value, has_options = excluded.has_options, template_id = excluded.template_id,
                option_id = excluded.option_id`.execute(tx),
})

const isIn = (groupId: number) => sql`exists (
  select from subject_groups m where m.studio_id = u.studio_id and m.subject_id = u.id and m.group_id = ${groupId})`
const isInAnother = (groupId: number) => sql`exists (
  select from subject_groups m where m.studio_id = u.studio_id and m.subject_id = u.id and m.group_id <> ${groupId})`

type GroupEdit = 'move-to-group' | 'add-to-group' | 'remove-from-group'

const regroup = ({ studioId }: JobKey, groupId: number, how: GroupEdit): BulkEdit => ({
  does: 'groups',
  fieldName: null,
  changes: {
    'move-to-group': sql<boolean>`(not ${isIn(groupId)} or ${isInAnother(groupId)})`,
    'add-to-group': sql<boolean>`not ${isIn(groupId)}`,
    'remove-from-group': sql<boolean>`${isIn(groupId)}`,
  }[how],
  before: sql`jsonb_build_object('groups', (select coalesce(jsonb_agg(m.group_id), '[]') from subject_groups m
                where m.studio_id = u.studio_id and m.subject_id = u.id))`,
  run: async (tx, _deps, subjectIds) => {
    if (how !== 'add-to-group') {
      await sql`
        delete from subject_groups where studio_id = ${studioId} and subject_id in ${idsTable(subjectIds)}
           and (group_id = ${groupId}) = ${how === 'remove-from-group'}`.execute(tx)
    }
    if (how === 'remove-from-group') return
    await sql`
      insert into subject_groups (studio_id, subject_id, group_id)
      select ${studioId}::bigint, x.id, ${groupId}::bigint from ${idsTable(subjectIds)} x on conflict do nothing`.execute(
      tx,
    )
  },
})

const setVisibility = ({ studioId }: JobKey, to: 'hide' | 'show'): BulkEdit => ({
  does: 'visibility',
  fieldName: null,
  changes: sql`(u.hidden_at is null) = ${to === 'hide'}`,
  before: sql`jsonb_build_object('hiddenAt', u.hidden_at, 'grants', (select coalesce(jsonb_agg(g.id), '[]') from session_grants g
                where g.studio_id = u.studio_id and g.subject_id = u.id and g.kind = 'subject' and g.revoked_at is null))`,
  run: (tx, deps, subjectIds) =>
    to === 'hide' ? hideSubjects(tx, deps, { studioId, subjectIds }) : showSubjects(tx, { studioId, subjectIds }),
})

const assignCodes = (job: JobKey): BulkEdit => ({
  does: 'give-codes',
  fieldName: null,
  changes: sql`not exists (select from access_codes c where c.studio_id = u.studio_id and c.subject_id = u.id)`,
  before: sql`'{}'::jsonb`,
  run: (tx, deps, subjectIds) => assignAccessCodes(tx, deps, { job, subjectIds }),
})

const isGroup = async (tx: Transaction, { studioId, jobId }: JobKey, groupId: number): Promise<boolean> => {
  const row = await tx
    .selectFrom('groups')
    .select('id')
    .where('studio_id', '=', studioId)
    .where('job_id', '=', jobId)
    .where('id', '=', groupId)
    // Keeps the group until the subjects are in it.
    .forKeyShare()
    .executeTakeFirst()
  return row !== undefined
}

/** Whether one of the subjects has the maximum number of fields and none with this name. */
const hasNoRoomFor = async (tx: Transaction, { job, whom }: BulkEditInput, name: string): Promise<boolean> => {
  const { rows } = await sql`
    select from subjects u where ${isSelectedSubject(job, whom)} and not exists (select from subject_fields f where ${fieldCondition(name)})
       and (select count(*) from subject_fields f
             where f.studio_id = u.studio_id and f.subject_id = u.id) >= ${maxSubjectFields} limit 1`.execute(tx)
  return rows.length > 0
}

const bulkEditOf = async (
  tx: Transaction,
  input: BulkEditInput,
): Promise<BulkEdit | Problem<'not-found' | 'refused'>> => {
  const { job, edit, known } = input
  if (edit.do === 'set-field') {
    const message = subjectFieldError(known, edit)
    if (message !== null) return problem('refused', fixFieldsMessage, { fields: { value: [message] } })
    if (edit.value !== '' && (await hasNoRoomFor(tx, input, edit.name)))
      return problem('refused', `One of these people has ${maxSubjectFields} fields already, which is the most`)
    return setField(job, normaliseField(known, edit))
  }
  if ('groupId' in edit) {
    if (!(await isGroup(tx, job, edit.groupId))) return problem('not-found', 'This group is not there any more')
    return regroup(job, edit.groupId, edit.do)
  }
  return edit.do === 'give-codes' ? assignCodes(job) : setVisibility(job, edit.do)
}

const lockChanged = async (tx: Transaction, { job, whom }: BulkEditInput, { changes }: BulkEdit): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    select u.id from subjects u where ${isSelectedSubject(job, whom)} and ${changes} order by u.id for update of u`.execute(
    tx,
  )
  return rows.map(({ id }) => id)
}

/** Stores the values before, so that the edit can be undone. */
const storeBefore = async (
  tx: Transaction,
  { clock }: Deps,
  { input, bulkEdit, ids }: { input: BulkEditInput; bulkEdit: BulkEdit; ids: readonly number[] },
): Promise<number> => {
  const { job, user } = input
  const { studioId, jobId } = job
  const { does, fieldName, before } = bulkEdit
  const { id } = await tx
    .insertInto('subject_edits')
    .values({ studio_id: studioId, job_id: jobId, does, field_name: fieldName, made_by: user.id, made_at: clock() })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`
    insert into subject_edit_rows (studio_id, edit_id, subject_id, version_before, version_after, before)
    select u.studio_id, ${id}, u.id, u.version, u.version + 1, ${before} from subjects u
     where u.studio_id = ${studioId} and u.id in ${idsTable(ids)}`.execute(tx)
  return id
}

/** Increments the versions of subjects, so that concurrent edits get a conflict. */
export const bumpSubjectVersions = async (
  tx: Transaction,
  { clock }: Pick<Deps, 'clock'>,
  { studioId, subjectIds }: { studioId: number; subjectIds: readonly number[] },
): Promise<void> => {
  await sql`
    update subjects set version = version + 1, updated_at = ${clock()}
     where studio_id = ${studioId} and id in ${idsTable(subjectIds)}`.execute(tx)
}

/**
 * Applies an edit to many subjects and stores how to undo it. Subjects that would not change are skipped and not
 * counted.
 */
export const bulkEditSubjects = async (
  tx: Transaction,
  deps: Deps,
  input: BulkEditInput,
): Promise<SubjectEditResult | Problem<'not-found' | 'refused'>> => {
  const { job, edit, user } = input
  const { studioId } = job
  await lockJobSubjects(tx, job)
  const bulkEdit = await bulkEditOf(tx, input)
  if (!('run' in bulkEdit)) return bulkEdit
  const ids = await lockChanged(tx, input, bulkEdit)
  if (ids.length === 0) return { count: 0, editId: null }
  const editId = await storeBefore(tx, deps, { input, bulkEdit, ids })
  await bulkEdit.run(tx, deps, ids)
  await bumpSubjectVersions(tx, deps, { studioId, subjectIds: ids })
  if (edit.do === 'hide' || edit.do === 'show') {
    const action = edit.do === 'hide' ? 'subject.hidden' : 'subject.shown'
    const detail = { count: ids.length, editId }
    const [only = 0] = ids
    const entityId = ids.length === 1 ? String(only) : `edit ${editId}`
    await recordAudit(tx, deps, { studioId, action, entityId, detail, userId: user.id })
  }
  return { count: ids.length, editId }
}
