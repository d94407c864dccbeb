import { subHours } from 'date-fns/subHours'
import { type RawBuilder, sql } from 'kysely'
import type { JobKey } from '../access/authorization/authorize.ts'
import type { User } from '../access/tokens/access-token.ts'
import { recordAudit } from '../audit/audit-log.ts'
import type { Transaction } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'
import type { Deps } from '../deps.ts'
import { type Problem, problem } from '../http/problem.ts'
import { incrementSubjectVersions } from './bulk-edit-subjects.ts'
import { idsTable } from './store/subject-filter.ts'
import { revokeGrants } from './subject-visibility.ts'

const undoHours = 24

export type EditKey = JobKey & { readonly editId: number }

type UndoInput = { readonly key: EditKey; readonly fieldName: string | null; readonly subjectIds: readonly number[] }

/** The stored rows `r` of the subjects to restore. */
const editRowsOf = ({ key: { studioId, editId }, subjectIds }: UndoInput): RawBuilder<unknown> => sql`
  subject_edit_rows r where r.studio_id = ${studioId} and r.edit_id = ${editId} and r.subject_id in ${idsTable(subjectIds)}`

const restoreField = async (tx: Transaction, _deps: Deps, input: UndoInput): Promise<void> => {
  const { key, fieldName, subjectIds } = input
  await sql`
    delete from subject_fields where studio_id = ${key.studioId} and name = ${fieldName}
       and subject_id in ${idsTable(subjectIds)}`.execute(tx)
  await sql`
    insert into subject_fields
    select f.* from (select r.before -> 'field' as field from ${editRowsOf(input)}) k
     cross join lateral jsonb_populate_record(null::subject_fields, k.field) f
     where jsonb_typeof(k.field) = 'object'`.execute(tx)
}

/** Restores the groups of subjects, except groups that were deleted meanwhile. */
const restoreGroups = async (tx: Transaction, _deps: Deps, input: UndoInput): Promise<void> => {
  const { studioId } = input.key
  await sql`
    delete from subject_groups where studio_id = ${studioId} and subject_id in ${idsTable(input.subjectIds)}`.execute(
    tx,
  )
  await sql`
    insert into subject_groups (studio_id, subject_id, group_id)
    select ${studioId}::bigint, k.subject_id, g.id
      from (select r.subject_id, jsonb_array_elements_text(r.before -> 'groups')::bigint as id from ${editRowsOf(input)}) k
      join groups g on g.studio_id = ${studioId} and g.id = k.id`.execute(tx)
}

/**
 * Restores grants that hiding revoked, unless the session has a newer one. Subjects that are hidden again lose the grants that were created
 * meanwhile.
 */
const restoreVisibility = async (tx: Transaction, deps: Deps, input: UndoInput): Promise<void> => {
  const { studioId } = input.key
  await sql`
    update subjects u set hidden_at = k.hidden_at
      from (select r.subject_id, (r.before ->> 'hiddenAt')::timestamptz as hidden_at from ${editRowsOf(input)}) k
     where u.studio_id = ${studioId} and u.id = k.subject_id`.execute(tx)
  await sql`
    update session_grants g set revoked_at = null
      from (select jsonb_array_elements_text(r.before -> 'grants')::bigint as id from ${editRowsOf(input)}) k
     where g.studio_id = ${studioId} and g.id = k.id and g.revoked_at is not null
       and not exists (select from session_grants n where n.studio_id = g.studio_id and n.session_id = g.session_id
                          and n.job_id = g.job_id and n.kind = g.kind and n.subject_id = g.subject_id and n.revoked_at is null)`.execute(
    tx,
  )
  const hiddenSubjects = await sql<{ id: number }>`
    select u.id from subjects u
     where u.studio_id = ${studioId} and u.id in ${idsTable(input.subjectIds)} and u.hidden_at is not null`.execute(tx)
  await revokeGrants(tx, deps, { studioId, subjectIds: hiddenSubjects.rows.map(({ id }) => id) })
}

const deleteCodes = async (tx: Transaction, _deps: Deps, { key, subjectIds }: UndoInput): Promise<void> => {
  await sql`
    delete from access_codes where studio_id = ${key.studioId} and subject_id in ${idsTable(subjectIds)}`.execute(tx)
}

type Restore = (tx: Transaction, deps: Deps, input: UndoInput) => Promise<void>

const restoreByKind: Record<Tables['subject_edits']['does'], Restore> = {
  'set-field': restoreField,
  groups: restoreGroups,
  visibility: restoreVisibility,
  'give-codes': deleteCodes,
}

/** Gives the row of the previous edit the new version of its subject, so that the previous edit can be undone next. */
const reconnectPreviousEdit = async (
  tx: Transaction,
  { key: { studioId, editId }, subjectIds }: UndoInput,
): Promise<void> => {
  await sql`
    update subject_edit_rows b set version_after = u.version
      from subject_edit_rows r join subjects u on u.studio_id = r.studio_id and u.id = r.subject_id
     where r.studio_id = ${studioId} and r.edit_id = ${editId} and r.subject_id in ${idsTable(subjectIds)}
       and b.studio_id = r.studio_id and b.subject_id = r.subject_id and b.version_after = r.version_before`.execute(tx)
}

const lockEdit = (tx: Transaction, { studioId, jobId, editId }: EditKey) =>
  tx
    .selectFrom('subject_edits')
    .select(['does', 'field_name', 'made_at', 'undone_at'])
    .where('studio_id', '=', studioId)
    .where('job_id', '=', jobId)
    .where('id', '=', editId)
    .forUpdate()
    .executeTakeFirst()

/** Locks the subjects of an edit. Returns the subjects that are unchanged since the edit, and the number of changed ones. */
const lockUnchanged = async (
  tx: Transaction,
  { studioId, editId }: EditKey,
): Promise<{ subjectIds: number[]; changedCount: number }> => {
  const { rows } = await sql<{ id: number; isUnchanged: boolean }>`
    select u.id, u.version = r.version_after as "isUnchanged"
      from subject_edit_rows r join subjects u on u.studio_id = r.studio_id and u.id = r.subject_id
     where r.studio_id = ${studioId} and r.edit_id = ${editId} order by u.id for update of u`.execute(tx)
  const subjectIds = rows.filter(({ isUnchanged }) => isUnchanged).map(({ id }) => id)
  return { subjectIds, changedCount: rows.length - subjectIds.length }
}

/** Restores the subjects of an edit, except subjects that were changed later. Idempotent. */
export const undoBulkEdit = async (
  tx: Transaction,
  deps: Deps,
  { key, user }: { key: EditKey; user: User },
): Promise<{ count: number; left: number } | Problem<'not-found' | 'refused'>> => {
  const edit = await lockEdit(tx, key)
  if (!edit) return problem('not-found')
  if (edit.undone_at !== null) return { count: 0, left: 0 }
  if (edit.made_at <= subHours(deps.clock(), undoHours)) {
    return problem('refused', 'This was too long ago to be undone')
  }
  const { studioId, editId } = key
  const { subjectIds, changedCount } = await lockUnchanged(tx, key)
  const input = { key, fieldName: edit.field_name, subjectIds }
  await restoreByKind[edit.does](tx, deps, input)
  await incrementSubjectVersions(tx, deps, { studioId, subjectIds })
  await reconnectPreviousEdit(tx, input)
  await tx
    .updateTable('subject_edits')
    .set({ undone_at: deps.clock() })
    .where('studio_id', '=', studioId)
    .where('id', '=', editId)
    .execute()
  if (edit.does === 'visibility') {
    const detail = { count: subjectIds.length, editId }
    await recordAudit(tx, deps, {
      studioId,
      action: 'subject.undone',
      entityId: `edit ${editId}`,
      detail,
      userId: user.id,
    })
  }
  return { count: subjectIds.length, left: changedCount }
}

/** Deletes edits that can no longer be undone. */
export const purgeBulkEdits = async ({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> => {
  await db.deleteFrom('subject_edits').where('made_at', '<=', subHours(clock(), undoHours)).execute()
}
