import { type RawBuilder, sql } from 'kysely'
import type { Infer } from 'superstruct'
import type { JobRow, listJobs } from '#contract/studio/jobs.ts'
import type { Page } from '#domain/shared/paging.ts'
import type { JobState } from '#domain/studio/job-states.ts'
import { normaliseAccessCode } from '#domain/subjects/access-code.ts'
import type { Db } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { likePattern, orderBy, paginateQuery, type SortColumns } from '../http/paging/paginate-query.ts'
import { fromJobs, jobRowColumns, jobStateAt, joinOrderAvailability, joinOrganization } from './job-columns.ts'

type JobListOwner = { readonly studioId: number; readonly organizationId?: number }

export type JobsQuery = Infer<(typeof listJobs)['query']>

const sorts: SortColumns = {
  eventDate: sql`j.event_date`,
  name: sql`j.name_key`,
  organization: sql`lower(o.name)`,
  createdAt: sql`j.created_at`,
}

/** What is sought is in the name of a job or of its organization, or it is a code of the job or of somebody in it. */
const holds = (filter: string, { studioId }: JobListOwner): RawBuilder<boolean> => {
  const part = likePattern(filter.trim())
  return sql`(j.name_key like lower(${part})
    or j.organization_id in (select n.id from organizations n where n.studio_id = ${studioId} and n.name ilike ${part})
    or j.id in (select c.job_id from access_codes c where c.studio_id = ${studioId} and c.code = ${normaliseAccessCode(filter)}))`
}

/** Whether job `j` is in a state. Bare, the comparison is taken to hold for one job in 200, and all are sorted instead of an index read. */
const isInState = (state: JobState, now: Date): RawBuilder<boolean> =>
  sql`coalesce(${jobStateAt(now)} = ${state}, false)`

const conditions = (whose: JobListOwner, query: JobsQuery, now: Date): RawBuilder<unknown>[] => {
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
const readRows = async (db: Db, { studioId }: JobListOwner, { ids, now }: { ids: readonly number[]; now: Date }) => {
  if (ids.length === 0) return []
  const { rows } = await sql<JobRow>`
    select ${jobRowColumns(now)} ${fromJobs(now)}
     where j.studio_id = ${studioId} and j.id = any(${ids}::bigint[])
     order by array_position(${ids}::bigint[], j.id)`.execute(db)
  return rows
}

/** A studio's jobs, or one organization's, as the query asks for them. What is archived is shown where nobody asks for a state. */
export const listJobRows = async (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  whose: JobListOwner,
  query: JobsQuery,
): Promise<JobRow[] | Page<JobRow>> => {
  const now = clock()
  const where = sql.join(conditions(whose, query, now), sql` and `)
  const isByOrganization = query.sort?.replace(/^-/, '') === 'organization'
  const listing = {
    // First which jobs, then what is to be counted of them: never of those that a page leaves out. Joined is what they are sought by.
    columns: sql`j.id`,
    from: sql`from jobs j ${query.state === undefined ? sql`` : joinOrderAvailability(now)} ${isByOrganization ? joinOrganization : sql``} where ${where}`,
    order: orderBy(sorts, query.sort ?? '-eventDate', sql`j.id desc`),
  }
  const found = await paginateQuery<{ id: number }>(db, listing, query)
  const read = (some: readonly { id: number }[]) => readRows(db, whose, { ids: some.map(({ id }) => id), now })
  return Array.isArray(found) ? await read(found) : { ...found, resultItems: await read(found.resultItems) }
}

export const hasOrganization = async (
  db: Db,
  { studioId, organizationId }: Required<JobListOwner>,
): Promise<boolean> => {
  const { rows } = await sql`
    select from organizations where studio_id = ${studioId} and id = ${organizationId}`.execute(db)
  return rows.length > 0
}
