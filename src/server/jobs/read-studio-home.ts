import { subHours } from 'date-fns/subHours'
import { type RawBuilder, sql } from 'kysely'
import type { JobRow, StudioHome } from '#contract/studio/jobs.ts'
import type { JobState } from '#domain/studio/job-states.ts'
import { isoTimestamp } from '../database/timestamps.ts'
import type { Deps } from '../deps.ts'
import { fromJobs, isUnmatched, jobRowColumns, jobStateAt } from './job-columns.ts'
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
    with images as (
      select i.job_id, count(*) as count from image_lookups i
       where i.studio_id = ${studioId} and ${isUnmatched} group by i.job_id),
    placed as (
      select r.job_id, count(*) as count from orders r
       where r.studio_id = ${studioId} and r.state = 'placed' and not r.awaits_poses group by r.job_id),
    awaiting as (
      select r.job_id, count(*) as count from orders r
       where r.studio_id = ${studioId} and r.awaits_poses and r.state in ('placed', 'batched') group by r.job_id),
    ready as (
      select b.job_id, count(*) as count from batches b
       where b.studio_id = ${studioId} and b.state = 'closed' group by b.job_id),
    named as (
      select j.id, j.name, coalesce(placed.count, 0) as placed, coalesce(awaiting.count, 0) as awaiting,
             coalesce(ready.count, 0) as ready
        from jobs j
        left join placed on placed.job_id = j.id
        left join awaiting on awaiting.job_id = j.id
        left join ready on ready.job_id = j.id
       where j.studio_id = ${studioId} and j.archived_at is null
         and j.id in (select job_id from placed union select job_id from awaiting union select job_id from ready)
       order by coalesce(ready.count, 0) desc, coalesce(placed.count, 0) desc, coalesce(awaiting.count, 0) desc, j.id desc
       limit ${maxListedJobs}),
    unmatched as (
      select j.id, j.name, images.count from images join jobs j on j.studio_id = ${studioId} and j.id = images.job_id
       where j.archived_at is null order by images.count desc, j.id desc limit ${maxListedJobs})
    select (select coalesce(sum(count), 0)::bigint from images) as "unmatchedImages",
           (select coalesce(json_agg(json_build_object('jobId', id, 'name', name, 'count', count)), '[]')
              from unmatched) as "toMatch",
           (select coalesce(sum(count), 0)::bigint from placed) as placed,
           (select coalesce(sum(count), 0)::bigint from awaiting) as "awaitingPoses",
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
    select ${jobRowColumns(now)} ${fromJobs(now)}
     where j.studio_id = ${studioId} and j.archived_at is null
     order by j.updated_at desc, j.id desc limit ${maxListedJobs}`.execute(deps.db)
  return { states, ...tasks, recent: recent.rows }
}
