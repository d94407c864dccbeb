import { subHours } from 'date-fns/subHours'
import { type RawBuilder, sql } from 'kysely'
import type { JobRow, StudioHome } from '#contract/studio/jobs.ts'
import type { JobState } from '#domain/studio/job-states.ts'
import { isoTimestamp } from '../database/timestamps.ts'
import type { Deps } from '../deps.ts'
import { fromJobs, jobRowColumns, jobStateAt } from './job-columns.ts'
import { joinJobCounts } from './store/job-counts.ts'
import { acceptsCards, canTax } from './store/order-availability.ts'

/** The days for which unusual search activity is shown. */
const shownDays = 7

/** Unusual search activity in a studio's jobs during the last week: `(job_id, misses, people, since)`. */
export const unusualSearches = (studioId: number, now: Date): RawBuilder<unknown> => {
  const cutoff = subHours(now, shownDays * 24)
  return sql`(
    select r.job_id, sum(r.misses)::integer as misses, sum(r.people)::integer as people,
           ${isoTimestamp(sql`min(r.first_at)`)} as since
      from unusual_searches r
     where r.studio_id = ${studioId} and r.last_at > ${cutoff}::timestamptz
     group by r.job_id)`
}

/** The limit of jobs in each list of tasks, and of recently changed jobs. */
const maxListedJobs = 6

type StudioTasks = Pick<
  StudioHome,
  'unmatchedImages' | 'toMatch' | 'placed' | 'awaitingPoses' | 'batchesReady' | 'waiting' | 'unusualSearches'
> & {
  hasOrganization: boolean
  acceptsCards: boolean
  lacksTaxRates: boolean
}

const readTasks = async (
  deps: Pick<Deps, 'db' | 'clock' | 'payment' | 'settings'>,
  studioId: number,
): Promise<StudioTasks> => {
  const { clock, settings } = deps
  const { rows } = await sql<StudioTasks>`
    with counted as (
      select j.id, j.name, j.archived_at is null as "isOpen", k.unmatched_images as unmatched, k.placed_orders as placed,
             k.awaiting_poses as awaiting
        from jobs j ${joinJobCounts} where j.studio_id = ${studioId}),
    ready as (
      select b.job_id, count(*) as count from batches b
       where b.studio_id = ${studioId} and b.state = 'closed' group by b.job_id),
    named as (
      select c.id, c.name, c.placed, c.awaiting, coalesce(ready.count, 0) as ready
        from counted c left join ready on ready.job_id = c.id
       where c."isOpen" and (c.placed > 0 or c.awaiting > 0 or ready.count > 0)
       order by 5 desc, c.placed desc, c.awaiting desc, c.id desc limit ${maxListedJobs}),
    unmatched as (
      select c.id, c.name, c.unmatched as count from counted c where c."isOpen" and c.unmatched > 0
       order by c.unmatched desc, c.id desc limit ${maxListedJobs})
    select (select coalesce(sum(unmatched), 0)::bigint from counted) as "unmatchedImages",
           (select coalesce(json_agg(json_build_object('jobId', id, 'name', name, 'count', count)), '[]')
              from unmatched) as "toMatch",
           (select coalesce(sum(placed), 0)::bigint from counted) as placed,
           (select coalesce(sum(awaiting), 0)::bigint from counted) as "awaitingPoses",
           (select coalesce(sum(count), 0)::bigint from ready) as "batchesReady",
           (select coalesce(json_agg(json_build_object('jobId', id, 'name', name, 'placed', placed,
                                                       'awaitingPoses', awaiting, 'batchesReady', ready)), '[]')
              from named) as waiting,
           (select coalesce(json_agg(json_build_object('jobId', j.id, 'name', j.name, 'misses', x.misses, 'people', x.people,
                                                       'since', x.since) order by x.since), '[]')
              from ${unusualSearches(studioId, clock())} x
              join jobs j on j.studio_id = ${studioId} and j.id = x.job_id and j.archived_at is null) as "unusualSearches",
           exists (select from organizations o where o.studio_id = ${studioId}) as "hasOrganization",
           coalesce((select ${acceptsCards(deps)} from studios s where s.id = ${studioId}), false) as "acceptsCards",
           ${settings.mode === 'production'}::boolean and not ${canTax(settings)} as "lacksTaxRates"`.execute(deps.db)
  const [row] = rows
  if (!row) throw new Error('a select without a table gives a row')
  return row
}

const readStates = async (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  studioId: number,
): Promise<StudioHome['states']> => {
  const { rows } = await sql<{ state: JobState; count: number }>`
    select ${jobStateAt(clock())} as state, count(*) as count ${fromJobs(clock())}
     where j.studio_id = ${studioId} group by 1`.execute(db)
  const zeroCounts = { draft: 0, upcoming: 0, open: 0, closed: 0, archived: 0 }
  return { ...zeroCounts, ...Object.fromEntries(rows.map(({ state, count }) => [state, count])) }
}

/** Reads the start page of a studio, in three statements. */
export const readStudioHome = async (
  deps: Pick<Deps, 'db' | 'clock' | 'payment' | 'settings'>,
  studioId: number,
): Promise<StudioHome> => {
  const now = deps.clock()
  const states = await readStates(deps, studioId)
  const tasks = await readTasks(deps, studioId)
  const recent = await sql<JobRow>`
    select ${jobRowColumns(now)} ${fromJobs(now)} ${joinJobCounts}
     where j.studio_id = ${studioId} and j.archived_at is null
     order by j.updated_at desc, j.id desc limit ${maxListedJobs}`.execute(deps.db)
  return { states, ...tasks, recent: recent.rows }
}
