import { type RawBuilder, sql } from 'kysely'
import type { Infer } from 'superstruct'
import type { JobRow, listJobs } from '#contract/studio/jobs.ts'
import type { Page } from '#domain/shared/paging.ts'
import type { JobState } from '#domain/studio/job-states.ts'
import { normaliseAccessCode } from '#domain/subjects/subject-draft.ts'
import type { Db } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { likePattern, orderBy, paginateIds, type SortColumns } from '../http/paging/paginate-query.ts'
import { fromJobs, jobRowColumns, jobStateAt, joinOrderAvailability, joinOrganization } from './job-columns.ts'
import { joinJobCounts } from './store/job-counts.ts'

type JobListOwner = { readonly studioId: number; readonly organizationId?: number }

export type JobsQuery = Infer<(typeof listJobs)['query']>

const sorts: SortColumns = {
  eventDate: sql`j.event_date`,
  name: sql`j.name_key`,
  organization: sql`lower(o.name)`,
  createdAt: sql`j.created_at`,
}

/** Whether the search text is part of the name of the job or its organization, or an access code of the job or one of its subjects. */
const matchesFilter = (filter: string, { studioId }: JobListOwner): RawBuilder<boolean> => {
  const pattern = likePattern(filter.trim())
  return sql`(j.name_key like lower(${pattern})
    or j.organization_id in (select n.id from organizations n where n.studio_id = ${studioId} and n.name ilike ${pattern})
    or j.id in (select c.job_id from access_codes c where c.studio_id = ${studioId} and c.code = ${normaliseAccessCode(filter)}))`
}

/**
 * Whether job `j` is in a state. Without `coalesce`, the planner assumes that one job in 200 matches, and sorts all jobs instead of reading
 * an index.
 */
const isInState = (state: JobState, now: Date): RawBuilder<boolean> =>
  sql`coalesce(${jobStateAt(now)} = ${state}, false)`

const conditions = (owner: JobListOwner, query: JobsQuery, now: Date): RawBuilder<unknown>[] => {
  const { prepay, galleries, state, filter = '' } = query
  const { studioId, organizationId } = owner
  return [
    sql`j.studio_id = ${studioId}`,
    ...(organizationId === undefined ? [] : [sql`j.organization_id = ${organizationId}`]),
    ...(prepay === undefined ? [] : [sql`j.prepay_enabled = ${prepay === 1}`]),
    ...(galleries === undefined ? [] : [sql`j.gallery_enabled = ${galleries === 1}`]),
    ...(state === undefined ? [] : [isInState(state, now)]),
    ...(filter.trim() === '' ? [] : [matchesFilter(filter, owner)]),
  ]
}

/** Reads the rows of these jobs, in the order of the ids. */
const readRows = async (db: Db, { studioId }: JobListOwner, { ids, now }: { ids: readonly number[]; now: Date }) => {
  if (ids.length === 0) return []
  const { rows } = await sql<JobRow>`
    select ${jobRowColumns(now)} ${fromJobs(now)} ${joinJobCounts}
     where j.studio_id = ${studioId} and j.id = any(${ids}::bigint[])
     order by array_position(${ids}::bigint[], j.id)`.execute(db)
  return rows
}

/**
 * The jobs of a studio or of one organization that match the query. Archived jobs are included unless the query asks
 * for another state.
 */
export const listJobRows = async (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  owner: JobListOwner,
  query: JobsQuery,
): Promise<JobRow[] | Page<JobRow>> => {
  const now = clock()
  const where = sql.join(conditions(owner, query, now), sql` and `)
  const isByOrganization = query.sort?.replace(/^-/, '') === 'organization'
  const listing = {
    id: sql`j.id`,
    // Joins only the tables of the conditions and the order. Counts are computed only for the rows of the page.
    from: sql`from jobs j ${query.state === undefined ? sql`` : joinOrderAvailability(now)} ${isByOrganization ? joinOrganization : sql``} where ${where}`,
    order: orderBy(sorts, query.sort ?? '-eventDate', sql`j.id desc`),
    readsEveryRow: (query.filter ?? '') !== '',
  }
  const page = await paginateIds(db, listing, query)
  const readPageRows = (ids: readonly number[]) => readRows(db, owner, { ids, now })
  return Array.isArray(page) ? await readPageRows(page) : { ...page, resultItems: await readPageRows(page.resultItems) }
}

export const hasOrganization = async (
  db: Db,
  { studioId, organizationId }: Required<JobListOwner>,
): Promise<boolean> => {
  const rows = await db
    .selectFrom('organizations')
    .select('id')
    .where('studio_id', '=', studioId)
    .where('id', '=', organizationId)
    .execute()
  return rows.length > 0
}
