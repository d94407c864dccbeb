import { subDays } from 'date-fns/subDays'
import { type RawBuilder, sql } from 'kysely'
import type { Infer } from 'superstruct'
import type { GalleryWorkRow, listGalleryWork, PausedStudio } from '#contract/system/galleries-processing.ts'
import { type Page, toPage } from '#domain/shared/paging.ts'
import type { GalleryWorkState } from '#domain/studio/gallery-work.ts'
import { serverPrefix } from '#server/database/database.ts'
import { isoTimestamp } from '#server/database/timestamps.ts'
import type { Deps } from '#server/deps.ts'
import { requestedPage } from '#server/http/paging/paginate-list.ts'
import { paginateQuery } from '#server/http/paging/paginate-query.ts'
import { deadLetters } from '#server/queue/prepare-queues.ts'
import { idInPayload } from '#server/queue/queue.ts'
import { ifGiven } from '../logs/read-log.ts'

/** Uploads that were rejected, and previews that failed, are shown for this long, because they need no action. */
const shownDays = 7

// Each source: kind, studio_id, job_id, waiting, running, failed, done, total, since, server. Partial indexes hold the unfinished rows.

const uploads = (cutoff: Date): RawBuilder<unknown> => sql`
  select 'upload'::text, u.studio_id, u.job_id, count(*), 0::bigint, 0::bigint, null::bigint, null::bigint, min(u.created_at), null::text
    from uploads u where u.state in ('receiving', 'received') and u.job_id is not null group by 2, 3
  union all
  select 'upload', u.studio_id, u.job_id, 0, 0, count(*), null, null, min(u.updated_at), null
    from uploads u where u.state = 'refused' and u.updated_at > ${cutoff}::timestamptz and u.job_id is not null group by 2, 3`

const variants = sql`
  select 'variant', i.studio_id, i.job_id, count(*), 0, 0, null, null, min(i.created_at), null
    from image_lookups i where i.state = 'processing' group by 2, 3
  union all
  select 'variant', i.studio_id, i.job_id, 0, 0, count(*), null, null, min(i.updated_at), null
    from image_lookups i where i.state = 'refused' and i.superseded_at is null group by 2, 3`

/** The files and images of work `w` that are done since its oldest began to wait. Only read for the rows of a page. */
const doneSince = sql`case w.kind
  when 'upload' then (select count(*) from uploads u
    where u.studio_id = w.studio_id and u.job_id = w.job_id and u.state = 'processed' and u.created_at >= w.waiting_since)
  when 'variant' then (select count(*) from image_lookups i
    where i.studio_id = w.studio_id and i.job_id = w.job_id and i.state = 'ready' and i.created_at >= w.waiting_since) end`

const cutOuts = sql`
  select 'cut-out', i.studio_id, i.job_id, count(*) filter (where not b.is_dead), 0, count(*) filter (where b.is_dead), null, null,
         min(b.since), null
    from (select ${idInPayload('j.data', 'studioId')} as studio_id, ${idInPayload('j.data', 'imageId')} as image_id, false as is_dead, j.created_on as since
            from pgboss.job j where j.name = 'propose-cut-out' and j.state < 'active' and not j.blocked
          union all
          select p.studio_id, ${idInPayload('p.payload', 'imageId')}, false, p.parked_at from parked_background_jobs p
           where p.queue = 'propose-cut-out'
          union all
          select ${idInPayload('j.data', 'studioId')}, ${idInPayload('j.data', 'imageId')}, true, j.created_on
            from pgboss.job j where j.name = ${deadLetters} and j.state = 'created' and j.source_name = 'propose-cut-out') b
    join image_lookups i on i.studio_id = b.studio_id and i.id = b.image_id
   group by 2, 3`

const previews = (cutoff: Date): RawBuilder<unknown> => sql`
  select 'preview', r.studio_id, null, case r.state when 'running' then greatest(r.images_total - r.images_done, 0) else 0 end, 0,
         case r.state when 'cancelled' then r.images_total - r.images_done else r.images_failed end,
         r.images_done, greatest(r.images_total, r.images_done), r.started_at, null
    from preview_runs r
   where r.state = 'running'
      or r.finished_at > ${cutoff}::timestamptz and (r.images_failed > 0 or r.state = 'cancelled' and r.images_total > r.images_done)`

const packets = sql`
  select 'packet', p.studio_id, p.job_id, count(*) filter (where p.state <> 'failed'), 0, count(*) filter (where p.state = 'failed'),
         sum(p.files_done) filter (where p.state <> 'failed'), sum(p.files_total) filter (where p.state <> 'failed'),
         min(p.created_at), null
    from packets p where p.state in ('waiting', 'making', 'failed') group by 2, 3`

const exports = sql`
  select 'export', e.studio_id, e.job_id, count(*) filter (where e.state <> 'failed'), 0, count(*) filter (where e.state = 'failed'),
         sum((select count(*) from image_export_files f
               where f.studio_id = e.studio_id and f.export_id = e.id and f.byte_size is not null)) filter (where e.state <> 'failed'),
         sum(e.files_total) filter (where e.state <> 'failed'), min(e.created_at), null
    from image_exports e where e.state in ('waiting', 'making', 'failed') group by 2, 3`

/** The servers that are connected. The embedded database has one, which deleted its former rows at the start. */
const isAlive = ({ engine }: Deps): RawBuilder<unknown> =>
  engine === 'embedded'
    ? sql`true`
    : sql`exists (select from pg_stat_activity a
        where a.datname = current_database() and a.application_name = ${serverPrefix}::text || r.server)`

const running = (deps: Deps): RawBuilder<unknown> => sql`
  select k.kind, r.studio_id, coalesce(i.job_id, u.job_id, p.job_id, e.job_id), 0, 1, 0, null, null, r.started_at, r.server
    from running_background_jobs r
    join (values ('process-upload', 'upload'), ('make-variants', 'variant'), ('propose-cut-out', 'cut-out'),
                 ('remake-previews', 'preview'), ('make-packet', 'packet'), ('make-image-export', 'export')) k (queue, kind)
      on k.queue = r.queue
    left join image_lookups i on i.studio_id = r.studio_id and i.id = ${idInPayload('r.payload', 'imageId')}
    left join uploads u on u.studio_id = r.studio_id and u.id = ${idInPayload('r.payload', 'uploadId')}
    left join packets p on p.studio_id = r.studio_id and p.id = ${idInPayload('r.payload', 'packetId')}
    left join image_exports e on e.studio_id = r.studio_id and e.id = ${idInPayload('r.payload', 'exportId')}
   where ${isAlive(deps)}`

const stateConditions: Readonly<Record<GalleryWorkState, RawBuilder<boolean>>> = {
  waiting: sql<boolean>`w.waiting > w.running`,
  running: sql<boolean>`w.running > 0`,
  failed: sql<boolean>`w.failed > 0`,
  paused: sql<boolean>`w.is_paused`,
}

type WorkQuery = Infer<(typeof listGalleryWork)['query']>

/** SQL: the work by kind, studio and job. What runs is still among what waits in its own table. */
const work = (deps: Deps): RawBuilder<unknown> => {
  const cutoff = subDays(deps.clock(), shownDays)
  const sources = [uploads(cutoff), variants, cutOuts, previews(cutoff), packets, exports, running(deps)]
  return sql`(
    select x.kind, x.studio_id, x.job_id, sum(x.waiting)::bigint as waiting, sum(x.running)::bigint as running,
           sum(x.failed)::bigint as failed, sum(x.done)::bigint as done, sum(x.total)::bigint as total, min(x.since) as since,
           min(x.since) filter (where x.waiting > 0) as waiting_since,
           coalesce(json_agg(distinct x.server) filter (where x.server is not null), '[]') as servers,
           exists (select from paused_studios z where z.studio_id = x.studio_id) as is_paused
      from (${sql.join(sources, sql` union all `)})
        x (kind, studio_id, job_id, waiting, running, failed, done, total, since, server)
     group by x.kind, x.studio_id, x.job_id)`
}

/** Files and images that are done are counted with those in progress, unless their number was known from the start. */
const withTotal = (row: GalleryWorkRow): GalleryWorkRow => {
  const { done, total, waiting, running, kind } = row
  const isCounted = total === null && done !== null && (kind === 'upload' || kind === 'variant')
  return isCounted ? { ...row, total: done + waiting + running } : row
}

/** A page of the background work of galleries. */
export const readGalleryWork = async (deps: Deps, query: WorkQuery): Promise<Page<GalleryWorkRow>> => {
  const conditions = [
    sql<boolean>`(w.waiting > 0 or w.running > 0 or w.failed > 0)`,
    ...ifGiven(query.studioId, (studioId) => sql<boolean>`w.studio_id = ${studioId}`),
    ...ifGiven(query.kind, (kind) => sql<boolean>`w.kind = ${kind}`),
    ...(query.state === undefined ? [] : [stateConditions[query.state]]),
  ]
  const columns = sql`
    w.kind, w.studio_id as "studioId", s.name as "studioName", w.job_id as "jobId", j.name as "jobName",
    case w.kind when 'preview' then w.waiting else greatest(w.waiting - w.running, 0) end as waiting, w.running, w.failed,
    coalesce(w.done, ${doneSince}) as done, w.total, ${isoTimestamp(sql`coalesce(w.waiting_since, w.since)`)} as since, w.servers, w.is_paused as "isPaused"`
  const from = sql`
    from ${work(deps)} w join studios s on s.id = w.studio_id
    left join jobs j on j.studio_id = w.studio_id and j.id = w.job_id
   where ${sql.join(conditions, sql` and `)}`
  const order = sql`w.running > 0 desc, w.waiting > 0 desc, w.since, w.kind, w.studio_id, w.job_id`
  const page = toPage(
    await paginateQuery<GalleryWorkRow>(deps.db, { columns, from, order }, { ...query, ...requestedPage(query) }),
  )
  return { ...page, resultItems: page.resultItems.map(withTotal) }
}

/** The paused studios, the latest first. */
export const readPausedStudios = async ({ db }: Deps): Promise<PausedStudio[]> => {
  const { rows } = await sql<PausedStudio>`
    select p.studio_id as "studioId", s.name as "studioName", p.reason, ${isoTimestamp(sql`p.paused_at`)} as at,
           (select coalesce(nullif(u.name, ''), u.email) from users u where u.id = p.paused_by) as by
      from paused_studios p join studios s on s.id = p.studio_id order by p.paused_at desc, p.studio_id`.execute(db)
  return rows
}
