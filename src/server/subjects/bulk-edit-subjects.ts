import { type RawBuilder, sql } from 'kysely'
import type { SelectedSubjects, SubjectEdit, SubjectEditResult } from '#contract/studio/subjects.ts'
import { fixFieldsMessage } from '#domain/shared/validators.ts'
import type { CustomField } from '#domain/subjects/custom-fields.ts'
import { maxSubjectFields } from '#domain/subjects/subject-details.ts'
import { type NormalisedField, normaliseField, subjectFieldError } from '#domain/subjects/subject-draft.ts'
import { lockJob } from '#server/jobs/store/find-job.ts'
import type { JobKey } from '../access/authorization/authorize.ts'
import type { User } from '../access/tokens/access-token.ts'
import { recordAudit } from '../audit/audit-log.ts'
import type { Transaction } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'
import type { Deps } from '../deps.ts'
import { type Problem, problem } from '../http/problem.ts'
import { assignAccessCodes } from './assign-access-codes.ts'
import { idsTable, isSelectedSubject } from './store/subject-filter.ts'
import { hideSubjects, showSubjects } from './subject-visibility.ts'

export type BulkEditInput = {
  readonly job: JobKey
  readonly selected: SelectedSubjects
  readonly edit: SubjectEdit
  readonly customFields: readonly CustomField[]
  readonly user: User
}

/** A bulk edit: the subjects that it changes, their previous values to store for an undo, and the statements to run. */
type BulkEdit = {
  readonly kind: Tables['subject_edits']['does']
  readonly fieldName: string | null
  /** Whether the edit would change subject `u`. */
  readonly wouldChange: RawBuilder<boolean>
  /** The current values of subject `u` that the edit replaces; `undo-bulk-edit.ts` restores them. */
  readonly previousValues: RawBuilder<unknown>
  readonly run: (tx: Transaction, deps: Deps, subjectIds: readonly number[]) => Promise<unknown>
}

const fieldCondition = (name: string) => sql`f.studio_id = u.studio_id and f.subject_id = u.id and f.name = ${name}`

const setField = (
  { studioId }: JobKey,
  { name, value, hasOptions, templateId, optionId }: NormalisedField,
): BulkEdit => ({
  kind: 'set-field',
  fieldName: name,
  wouldChange: sql`coalesce((select f.value from subject_fields f where ${fieldCondition(name)}), '') <> ${value}`,
  previousValues: sql`jsonb_build_object('field', (select to_jsonb(f) from subject_fields f where ${fieldCondition(name)}))`,
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

const isInGroup = (groupId: number) => sql`exists (
  select from subject_groups m where m.studio_id = u.studio_id and m.subject_id = u.id and m.group_id = ${groupId})`
const isInOtherGroup = (groupId: number) => sql`exists (
  select from subject_groups m where m.studio_id = u.studio_id and m.subject_id = u.id and m.group_id <> ${groupId})`

type GroupEdit = 'move-to-group' | 'add-to-group' | 'remove-from-group'

const editGroups = ({ studioId }: JobKey, groupId: number, groupEdit: GroupEdit): BulkEdit => ({
  kind: 'groups',
  fieldName: null,
  wouldChange: {
    'move-to-group': sql<boolean>`(not ${isInGroup(groupId)} or ${isInOtherGroup(groupId)})`,
    'add-to-group': sql<boolean>`not ${isInGroup(groupId)}`,
    'remove-from-group': sql<boolean>`${isInGroup(groupId)}`,
  }[groupEdit],
  previousValues: sql`jsonb_build_object('groups', (select coalesce(jsonb_agg(m.group_id), '[]') from subject_groups m
                where m.studio_id = u.studio_id and m.subject_id = u.id))`,
  run: async (tx, _deps, subjectIds) => {
    if (groupEdit !== 'add-to-group') {
      await sql`
        delete from subject_groups where studio_id = ${studioId} and subject_id in ${idsTable(subjectIds)}
           and (group_id = ${groupId}) = ${groupEdit === 'remove-from-group'}`.execute(tx)
    }
    if (groupEdit === 'remove-from-group') return
    await sql`
      insert into subject_groups (studio_id, subject_id, group_id)
      select ${studioId}::bigint, x.id, ${groupId}::bigint from ${idsTable(subjectIds)} x on conflict do nothing`.execute(
      tx,
    )
  },
})

const setVisibility = ({ studioId }: JobKey, action: 'hide' | 'show'): BulkEdit => ({
  kind: 'visibility',
  fieldName: null,
  wouldChange: sql`(u.hidden_at is null) = ${action === 'hide'}`,
  previousValues: sql`jsonb_build_object('hiddenAt', u.hidden_at, 'grants', (select coalesce(jsonb_agg(g.id), '[]') from session_grants g
                where g.studio_id = u.studio_id and g.subject_id = u.id and g.kind = 'subject' and g.revoked_at is null))`,
  run: (tx, deps, subjectIds) =>
    action === 'hide' ? hideSubjects(tx, deps, { studioId, subjectIds }) : showSubjects(tx, { studioId, subjectIds }),
})

const assignCodes = (job: JobKey): BulkEdit => ({
  kind: 'give-codes',
  fieldName: null,
  wouldChange: sql`not exists (select from access_codes c where c.studio_id = u.studio_id and c.subject_id = u.id)`,
  previousValues: sql`'{}'::jsonb`,
  run: (tx, deps, subjectIds) => assignAccessCodes(tx, deps, { job, subjectIds }),
})

/** Locks a group so that it cannot be deleted before the subjects are in it; false if the job has no such group. */
const lockGroup = async (tx: Transaction, { studioId, jobId }: JobKey, groupId: number): Promise<boolean> => {
  const row = await tx
    .selectFrom('groups')
    .select('id')
    .where('studio_id', '=', studioId)
    .where('job_id', '=', jobId)
    .where('id', '=', groupId)
    .forKeyShare()
    .executeTakeFirst()
  return row !== undefined
}

/** Whether one of the selected subjects already has the maximum number of fields, none of them with this name. */
const isFieldLimitReached = async (
  tx: Transaction,
  { job, selected }: BulkEditInput,
  name: string,
): Promise<boolean> => {
  const { rows } = await sql`
    select from subjects u where ${isSelectedSubject(job, selected)} and not exists (select from subject_fields f where ${fieldCondition(name)})
       and (select count(*) from subject_fields f
             where f.studio_id = u.studio_id and f.subject_id = u.id) >= ${maxSubjectFields} limit 1`.execute(tx)
  return rows.length > 0
}

const createBulkEdit = async (
  tx: Transaction,
  input: BulkEditInput,
): Promise<BulkEdit | Problem<'not-found' | 'refused'>> => {
  const { job, edit, customFields } = input
  if (edit.do === 'set-field') {
    const message = subjectFieldError(customFields, edit)
    if (message !== null) return problem('refused', fixFieldsMessage, { fields: { value: [message] } })
    if (edit.value !== '' && (await isFieldLimitReached(tx, input, edit.name)))
      return problem('refused', `One of these people has ${maxSubjectFields} fields already, which is the most`)
    return setField(job, normaliseField(customFields, edit))
  }
  if ('groupId' in edit) {
    if (!(await lockGroup(tx, job, edit.groupId))) return problem('not-found', 'This group is not there any more')
    return editGroups(job, edit.groupId, edit.do)
  }
  return edit.do === 'give-codes' ? assignCodes(job) : setVisibility(job, edit.do)
}

/** Locks the selected subjects that the edit would change. Returns their ids. */
const lockAffectedSubjects = async (
  tx: Transaction,
  { job, selected }: BulkEditInput,
  { wouldChange }: BulkEdit,
): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    select u.id from subjects u where ${isSelectedSubject(job, selected)} and ${wouldChange} order by u.id for update of u`.execute(
    tx,
  )
  return rows.map(({ id }) => id)
}

/** Stores the previous values of the subjects, so that the edit can be undone. Returns the id of the stored edit. */
const storePreviousValues = async (
  tx: Transaction,
  { clock }: Deps,
  { input, bulkEdit, subjectIds }: { input: BulkEditInput; bulkEdit: BulkEdit; subjectIds: readonly number[] },
): Promise<number> => {
  const { job, user } = input
  const { studioId, jobId } = job
  const { kind, fieldName, previousValues } = bulkEdit
  const { id } = await tx
    .insertInto('subject_edits')
    .values({
      studio_id: studioId,
      job_id: jobId,
      does: kind,
      field_name: fieldName,
      made_by: user.id,
      made_at: clock(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`
    insert into subject_edit_rows (studio_id, edit_id, subject_id, version_before, version_after, before)
    select u.studio_id, ${id}, u.id, u.version, u.version + 1, ${previousValues} from subjects u
     where u.studio_id = ${studioId} and u.id in ${idsTable(subjectIds)}`.execute(tx)
  return id
}

/** Increments the versions of subjects, so that a concurrent edit is rejected with a conflict. */
export const incrementSubjectVersions = async (
  tx: Transaction,
  { clock }: Pick<Deps, 'clock'>,
  { studioId, subjectIds }: { studioId: number; subjectIds: readonly number[] },
): Promise<void> => {
  await sql`
    update subjects set version = version + 1, updated_at = ${clock()}
     where studio_id = ${studioId} and id in ${idsTable(subjectIds)}`.execute(tx)
}

/**
 * Applies an edit to the selected subjects and stores their previous values for an undo. Subjects that the edit would
 * not change are skipped and not counted.
 */
export const bulkEditSubjects = async (
  tx: Transaction,
  deps: Deps,
  input: BulkEditInput,
): Promise<SubjectEditResult | Problem<'not-found' | 'refused'>> => {
  const { job, edit, user } = input
  const { studioId } = job
  await lockJob(tx, job)
  const bulkEdit = await createBulkEdit(tx, input)
  if (!('run' in bulkEdit)) return bulkEdit
  const subjectIds = await lockAffectedSubjects(tx, input, bulkEdit)
  if (subjectIds.length === 0) return { count: 0, editId: null }
  const editId = await storePreviousValues(tx, deps, { input, bulkEdit, subjectIds })
  await bulkEdit.run(tx, deps, subjectIds)
  await incrementSubjectVersions(tx, deps, { studioId, subjectIds })
  if (edit.do === 'hide' || edit.do === 'show') {
    const action = edit.do === 'hide' ? 'subject.hidden' : 'subject.shown'
    const detail = { count: subjectIds.length, editId }
    const [firstSubjectId = 0] = subjectIds
    const entityId = subjectIds.length === 1 ? String(firstSubjectId) : `edit ${editId}`
    await recordAudit(tx, deps, { studioId, action, entityId, detail, userId: user.id })
  }
  return { count: subjectIds.length, editId }
}
