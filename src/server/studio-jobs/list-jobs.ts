import { type RawBuilder, sql } from 'kysely'
import type { Infer } from 'superstruct'
import type { JobRow, listJobs } from '../../contract/studio/jobs.ts'
import { normaliseCode } from '../../domain/access-code.ts'
import type { Page } from '../../domain/paging.ts'
import type { Db } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { like, listInSql, orderBy, type Sorts } from '../http/page-in-sql.ts'
import { fromJobs, rowColumns, stateAt } from './job-columns.ts'

type Whose = { readonly studioId: number; readonly organizationId?: number }

export type JobsQuery = Infer<(typeof listJobs)['query']>

const sorts: Sorts = {
  eventDate: sql`j.event_date`,
  name: sql`lower(j.name)`,
  organization: sql`lower(o.name)`,
  createdAt: sql`j.created_at`,
}

/** What is sought is in the name of a job or of its organization, or it is a code of the job or of somebody in it. */
const holds = (filter: string): RawBuilder<boolean> => {
  const part = like(filter.trim())
  return sql`(j.name ilike ${part} or o.name ilike ${part} or j.id in (
    select c.job_id from access_codes c where c.studio_id = j.studio_id and c.code = ${normaliseCode(filter)}))`
}

const conditions = (whose: Whose, query: JobsQuery, now: Date): RawBuilder<unknown>[] => {
  const { prepay, galleries, state, filter = '' } = query
  const { studioId, organizationId } = whose
  return [
    sql`j.studio_id = ${studioId}`,
    ...(organizationId === undefined ? [] : [sql`j.organization_id = ${organizationId}`]),
    ...(prepay === undefined ? [] : [sql`j.prepay_enabled = ${prepay === 1}`]),
    ...(galleries === undefined ? [] : [sql`j.gallery_enabled = ${galleries === 1}`]),
    ...(state === undefined ? [] : [sql`${stateAt(now)} = ${state}`]),
    ...(filter.trim() === '' ? [] : [holds(filter)]),
  ]
}

/** A studio's jobs, or one organization's, as the query asks for them. What is archived is shown where nobody asks for a state. */
export const listJobRows = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  whose: Whose,
  query: JobsQuery,
): Promise<JobRow[] | Page<JobRow>> => {
  const now = clock()
  const where = sql.join(conditions(whose, query, now), sql` and `)
  const listing = {
    columns: rowColumns(now),
    from: sql`${fromJobs(now)} where ${where}`,
    order: orderBy(sorts, query.sort ?? '-eventDate', sql`j.id desc`),
  }
  return listInSql<JobRow>(db, listing, query)
}

export const hasOrganization = async (db: Db, { studioId, organizationId }: Required<Whose>): Promise<boolean> => {
  const { rows } = await sql`
    select from organizations where studio_id = ${studioId} and id = ${organizationId}`.execute(db)
  return rows.length > 0
}
