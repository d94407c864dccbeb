import { type RawBuilder, sql } from 'kysely'
import type { Infer } from 'superstruct'
import type { JobRow, listJobs } from '#contract/studio/jobs.ts'
import type { Page } from '#domain/shared/paging.ts'
import type { JobState } from '#domain/studio/job-states.ts'
import { normaliseCode } from '#domain/subjects/access-code.ts'
import type { Db } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { like, listInSql, orderBy, type Sorts } from '../http/paging/paginate-query.ts'
import { fromJobs, rowColumns, stateAt, withOpening, withOrganization } from './job-columns.ts'

type Whose = { readonly studioId: number; readonly organizationId?: number }

export type JobsQuery = Infer<(typeof listJobs)['query']>

const sorts: Sorts = {
  eventDate: sql`j.event_date`,
  name: sql`j.name_key`,
  organization: sql`lower(o.name)`,
  createdAt: sql`j.created_at`,
}

/** What is sought is in the name of a job or of its organization, or it is a code of the job or of somebody in it. */
const holds = (filter: string, { studioId }: Whose): RawBuilder<boolean> => {
  const part = like(filter.trim())
  return sql`(j.name_key like lower(${part})
    or j.organization_id in (select n.id from organizations n where n.studio_id = ${studioId} and n.name ilike ${part})
    or j.id in (select c.job_id from access_codes c where c.studio_id = ${studioId} and c.code = ${normaliseCode(filter)}))`
}

/** Whether job `j` is in a state. Bare, the comparison is taken to hold for one job in 200, and all are sorted instead of an index read. */
const isInState = (state: JobState, now: Date): RawBuilder<boolean> => sql`coalesce(${stateAt(now)} = ${state}, false)`

const conditions = (whose: Whose, query: JobsQuery, now: Date): RawBuilder<unknown>[] => {
  const { prepay, galleries, state, filter = '' } = query
  const { studioId, organizationId } = whose
  return [
    sql`j.studio_id = ${studioId}`,
    ...(organizationId === undefined ? [] : [sql`j.organization_id = ${organizationId}`]),
    ...(prepay === undefined ? [] : [sql`j.prepay_enabled = ${prepay === 1}`]),
    ...(galleries === undefined ? [] : [sql`j.gallery_enabled = ${galleries === 1}`]),
    ...(state === undefined ? [] : [isInState(state, now)]),
    ...(filter.trim() === '' ? [] : [holds(filter, whose)]),
  ]
}

/** The lines of these jobs, in this order. */
const readRows = async (db: Db, { studioId }: Whose, { ids, now }: { ids: readonly number[]; now: Date }) => {
  if (ids.length === 0) return []
  const { rows } = await sql<JobRow>`
    select ${rowColumns(now)} ${fromJobs(now)}
     where j.studio_id = ${studioId} and j.id = any(${ids}::bigint[])
     order by array_position(${ids}::bigint[], j.id)`.execute(db)
  return rows
}

/** A studio's jobs, or one organization's, as the query asks for them. What is archived is shown where nobody asks for a state. */
export const listJobRows = async (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  whose: Whose,
  query: JobsQuery,
): Promise<JobRow[] | Page<JobRow>> => {
  const now = clock()
  const where = sql.join(conditions(whose, query, now), sql` and `)
  const isByOrganization = query.sort?.replace(/^-/, '') === 'organization'
  const listing = {
    // First which jobs, then what is to be counted of them: never of those that a page leaves out. Joined is what they are sought by.
    columns: sql`j.id`,
    from: sql`from jobs j ${query.state === undefined ? sql`` : withOpening(now)} ${isByOrganization ? withOrganization : sql``} where ${where}`,
    order: orderBy(sorts, query.sort ?? '-eventDate', sql`j.id desc`),
  }
  const found = await listInSql<{ id: number }>(db, listing, query)
  const read = (some: readonly { id: number }[]) => readRows(db, whose, { ids: some.map(({ id }) => id), now })
  return Array.isArray(found) ? await read(found) : { ...found, resultItems: await read(found.resultItems) }
}

export const hasOrganization = async (db: Db, { studioId, organizationId }: Required<Whose>): Promise<boolean> => {
  const { rows } = await sql`
    select from organizations where studio_id = ${studioId} and id = ${organizationId}`.execute(db)
  return rows.length > 0
}
