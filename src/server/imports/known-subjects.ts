import { type RawBuilder, sql } from 'kysely'
import type { ExistingSubject } from '#domain/imports/import-plan.ts'
import { type SubjectDetails, sortDetails } from '#domain/subjects/subject-details.ts'
import type { JobKey } from '../access/authorization/authorize.ts'
import type { Db, Transaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { pauseMs } from '../queue/queue.ts'

/** The details of subjects `u` of a job; `condition` also contains the sort order and, if needed, the lock. */
const readDetails = async (
  db: Db | Transaction,
  { studioId, jobId }: JobKey,
  condition: RawBuilder<unknown>,
): Promise<ExistingSubject[]> => {
  const { rows } = await sql<{ id: number; details: SubjectDetails }>`
    select u.id, json_build_object(
        'firstName', u.first_name, 'lastName', u.last_name, 'reference', u.reference,
        'code', (select c.code from access_codes c where c.studio_id = u.studio_id and c.subject_id = u.id),
        'groups', (select coalesce(json_agg(g.name), '[]') from subject_groups m
                     join groups g on g.studio_id = m.studio_id and g.id = m.group_id
                    where m.studio_id = u.studio_id and m.subject_id = u.id),
        'fields', (select coalesce(json_agg(json_build_object('name', f.name, 'value', f.value)), '[]') from subject_fields f
                    where f.studio_id = u.studio_id and f.subject_id = u.id)) as details
      from subjects u
     where u.studio_id = ${studioId} and u.job_id = ${jobId} and u.state = 'listed' and ${condition}`.execute(db)
  return rows.map(({ id, details }) => ({ id, details: sortDetails(details) }))
}

/** The page size, so small that no request waits long for the database. */
const pageSize = 200

/**
 * Yields the listed subjects of a job in pages, with a pause after each page. Hidden subjects are included, so that an import does not
 * create them a second time.
 */
export async function* readSubjectPages(
  { db, wait }: Pick<Deps, 'db' | 'wait'>,
  job: JobKey,
): AsyncGenerator<ExistingSubject[]> {
  for (let lastId = 0; ; ) {
    const page = await readDetails(db, job, sql`u.id > ${lastId} order by u.id limit ${pageSize}`)
    yield page
    if (page.length < pageSize) return
    lastId = page.at(-1)?.id ?? lastId
    await wait(pauseMs)
  }
}

/** Locks subjects by id and returns their details. */
export const lockSubjects = async (
  tx: Transaction,
  job: JobKey,
  ids: readonly number[],
): Promise<Map<number, SubjectDetails>> => {
  const subjects = await readDetails(tx, job, sql`u.id = any(${[...ids]}::bigint[]) order by u.id for update of u`)
  return new Map(subjects.map(({ id, details }) => [id, details]))
}

/** The ids of a job's groups by name. */
export const readGroups = async (db: Db | Transaction, { studioId, jobId }: JobKey): Promise<Map<string, number>> => {
  const rows = await db
    .selectFrom('groups')
    .select(['id', 'name'])
    .where('studio_id', '=', studioId)
    .where('job_id', '=', jobId)
    .orderBy('position')
    .orderBy('id')
    .execute()
  return new Map(rows.map(({ name, id }) => [name, id]))
}

/**
 * Which of these codes are in use in the studio, with the subject of this job that has the code (null if the code has another owner).
 */
export const readTakenCodes = async (
  db: Db | Transaction,
  { studioId, jobId }: JobKey,
  codes: readonly string[],
): Promise<Map<string, number | null>> => {
  if (codes.length === 0) return new Map()
  const { rows } = await sql<{ code: string; subject_id: number | null; job_id: number }>`
    select code, subject_id, job_id from access_codes
     where studio_id = ${studioId} and code = any(${[...codes]}::text[])`.execute(db)
  return new Map(rows.map((row) => [row.code, row.job_id === jobId ? row.subject_id : null]))
}
