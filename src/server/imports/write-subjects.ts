import { sql } from 'kysely'
import { groupKey, type SubjectDetails } from '#domain/subjects/subject-details.ts'
import { searchKey } from '#domain/subjects/subject-search.ts'
import type { JobKey } from '../access/authorization/authorize.ts'
import type { Transaction } from '../database/database.ts'
import { readGroups } from './known-subjects.ts'

/** A subject with its new details. */
export type SubjectWrite = { readonly id: number; readonly details: SubjectDetails }
/** A subject with its new details and the details before. */
export type SubjectRewrite = SubjectWrite & { readonly before: SubjectDetails }

/** Reserves ids for new subjects. */
export const reserveSubjectIds = async (tx: Transaction, count: number): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('subjects', 'id')) as id from generate_series(1, ${count}::integer)`.execute(
    tx,
  )
  return rows.map(({ id }) => Number(id))
}

/** The ids of groups by their keys. Creates missing groups and returns their ids as `createdIds`. */
export const ensureGroups = async (
  tx: Transaction,
  job: JobKey,
  names: Iterable<string>,
): Promise<{ idByKey: ReadonlyMap<string, number>; createdIds: number[] }> => {
  const existing = await readGroups(tx, job)
  const idByKey = new Map([...existing].map(([name, id]) => [groupKey(name), id]))
  const missingGroups = [...new Map([...names].map((name) => [groupKey(name), name]))].filter(
    ([key]) => !idByKey.has(key),
  )
  if (missingGroups.length === 0) return { idByKey, createdIds: [] }
  const { studioId, jobId } = job
  const rows = missingGroups.map(([, name], index) => ({
    studio_id: studioId,
    job_id: jobId,
    name,
    position: existing.size + index + 1,
  }))
  const createdGroups = await tx
    .insertInto('groups')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .returning(['id', 'name'])
    .execute()
  for (const [name, id] of await readGroups(tx, job)) idByKey.set(groupKey(name), id)
  return { idByKey, createdIds: createdGroups.map(({ id }) => id) }
}

type SubjectWrites = {
  readonly job: JobKey
  readonly subjects: readonly SubjectWrite[]
  readonly idByKey: ReadonlyMap<string, number>
}

const nameRows = (subjects: readonly SubjectWrite[]) =>
  JSON.stringify(
    subjects.map(({ id, details: { firstName, lastName, reference } }) => ({
      ...{ id, first_name: firstName, last_name: lastName, reference },
      ...{ first_key: searchKey(firstName), last_key: searchKey(lastName) },
    })),
  )

const insertFields = async (tx: Transaction, { job, subjects }: SubjectWrites): Promise<void> => {
  const fields = subjects.flatMap(({ id, details }) => details.fields.map((field) => ({ id, ...field })))
  if (fields.length === 0) return
  // A changed value is no longer the option that was chosen from a list.
  await sql`
    insert into subject_fields as f (studio_id, subject_id, name, value, template_id)
    select ${job.studioId}::bigint, r.id, r.name, r.value, d.id
      from jsonb_to_recordset(${JSON.stringify(fields)}::jsonb) as r (id bigint, name text, value text)
      left join defined_fields d on lower(d.name) = lower(r.name) and d.archived_at is null
    on conflict (studio_id, subject_id, name) do update
      set value = excluded.value, option_id = null, template_id = coalesce(f.template_id, excluded.template_id)
     where f.value <> excluded.value`.execute(tx)
}

const insertGroups = async (tx: Transaction, { job, subjects, idByKey }: SubjectWrites): Promise<void> => {
  const members = subjects.flatMap(({ id, details }) =>
    details.groups.map((name) => ({ subject_id: id, group_id: idByKey.get(groupKey(name)) })),
  )
  if (members.length === 0) return
  await sql`
    insert into subject_groups (studio_id, subject_id, group_id)
    select ${job.studioId}::bigint, r.subject_id, r.group_id
      from jsonb_to_recordset(${JSON.stringify(members)}::jsonb) as r (subject_id bigint, group_id bigint)
    on conflict do nothing`.execute(tx)
}

const insertCodes = async (tx: Transaction, { job, subjects }: SubjectWrites): Promise<void> => {
  const codes = subjects.flatMap(({ id, details }) => (details.code === null ? [] : [{ id, code: details.code }]))
  if (codes.length === 0) return
  await sql`
    insert into access_codes (studio_id, code, job_id, subject_id)
    select ${job.studioId}::bigint, r.code, ${job.jobId}::bigint, r.id
      from jsonb_to_recordset(${JSON.stringify(codes)}::jsonb) as r (id bigint, code text)
    on conflict (studio_id, job_id, subject_id) do nothing`.execute(tx)
}

const insertDetails = async (tx: Transaction, writes: SubjectWrites): Promise<void> => {
  await insertFields(tx, writes)
  await insertGroups(tx, writes)
  await insertCodes(tx, writes)
}

/** Inserts subjects under reserved ids. The caller has checked that their references and codes are free. */
export const insertSubjects = async (tx: Transaction, writes: SubjectWrites): Promise<void> => {
  const { job, subjects } = writes
  if (subjects.length === 0) return
  await sql`
    insert into subjects (studio_id, id, job_id, first_name, last_name, first_key, last_key, reference)
    select ${job.studioId}::bigint, r.id, ${job.jobId}::bigint, r.first_name, r.last_name, r.first_key, r.last_key, r.reference
      from jsonb_to_recordset(${nameRows(subjects)}::jsonb) as r
        (id bigint, first_name text, last_name text, first_key text, last_key text, reference text)`.execute(tx)
  await insertDetails(tx, writes)
}

/** Deletes the fields, groups and codes that the subjects no longer have. */
const deleteDetails = async (
  tx: Transaction,
  { studioId }: JobKey,
  subjects: readonly SubjectRewrite[],
  writes: SubjectWrites,
) => {
  const fields = subjects.flatMap(({ id, before, details }) => {
    const names = new Set(details.fields.map(({ name }) => name))
    return before.fields.flatMap(({ name }) => (names.has(name) ? [] : { id, name }))
  })
  const members = subjects.flatMap(({ id, before, details }) => {
    const keys = new Set(details.groups.map(groupKey))
    const removed = before.groups.filter((name) => !keys.has(groupKey(name)))
    return removed.map((name) => ({ id, group_id: writes.idByKey.get(groupKey(name)) }))
  })
  const changedCodes = subjects.filter(({ before, details }) => before.code !== details.code).map(({ id }) => id)
  await sql`
    delete from subject_fields f using jsonb_to_recordset(${JSON.stringify(fields)}::jsonb) as r (id bigint, name text)
     where f.studio_id = ${studioId} and f.subject_id = r.id and f.name = r.name`.execute(tx)
  await sql`
    delete from subject_groups m using jsonb_to_recordset(${JSON.stringify(members)}::jsonb) as r (id bigint, group_id bigint)
     where m.studio_id = ${studioId} and m.subject_id = r.id and m.group_id = r.group_id`.execute(tx)
  await sql`delete from access_codes where studio_id = ${studioId} and subject_id = any(${changedCodes}::bigint[])`.execute(
    tx,
  )
}

/** Replaces all details of subjects that a list can contain. */
export const rewriteSubjects = async (
  tx: Transaction,
  { subjects, ...context }: Omit<SubjectWrites, 'subjects'> & { readonly subjects: readonly SubjectRewrite[] },
): Promise<void> => {
  if (subjects.length === 0) return
  const writes = { subjects, ...context }
  await deleteDetails(tx, context.job, subjects, writes)
  await sql`
    update subjects u set first_name = r.first_name, last_name = r.last_name, first_key = r.first_key, last_key = r.last_key,
           reference = r.reference, version = u.version + 1, updated_at = now()
      from jsonb_to_recordset(${nameRows(subjects)}::jsonb) as r
        (id bigint, first_name text, last_name text, first_key text, last_key text, reference text)
     where u.studio_id = ${context.job.studioId} and u.id = r.id`.execute(tx)
  await insertDetails(tx, writes)
}
