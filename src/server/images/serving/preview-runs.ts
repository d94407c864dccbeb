import { subHours } from 'date-fns/subHours'
import { sql } from 'kysely'
import { type Db, inTransaction, type Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import type { BackgroundJobs } from '#server/queue/background-jobs.ts'
import { idPerPeriod } from '#server/queue/queue.ts'
import type { queues } from '#server/queue/queues.ts'
import type { RenderVariants } from '../engine/render-variants.ts'
import { joinMark, markKey } from '../store/image-mark.ts'
import { remakePreviews } from './remake-previews.ts'

/** SQL: whether image `i` of job `j` of studio `s` has a preview with another watermark `w` than it should have. */
const isOutdated = sql<boolean>`(i.state = 'ready' and i.preview_mark is distinct from ${markKey})`

/** Requests the runs that a change of watermarks needs, in its transaction: of one studio, or of all for null. */
export const requestPreviewRuns = (
  tx: Transaction,
  { jobs }: Pick<Deps, 'jobs'>,
  studioId: number | null,
): Promise<void> => jobs.enqueue(tx, 'start-preview-runs', { studioId })

/**
 * Starts making the outdated previews of a studio again. A run that is in progress or was cancelled begins anew, and images that have the
 * right watermark are skipped. Returns false if no preview is outdated.
 */
export const startPreviewRun = async (
  tx: Transaction,
  { jobs, clock }: Pick<Deps, 'jobs' | 'clock'>,
  studioId: number,
): Promise<boolean> => {
  const now = clock()
  const { rows } = await sql`
    insert into preview_runs (studio_id, images_total, started_at, moved_at)
    select s.id, count(*), ${now}::timestamptz, ${now}::timestamptz
      from studios s join jobs j on j.studio_id = s.id
      join image_lookups i on i.studio_id = j.studio_id and i.job_id = j.id ${joinMark}
     where s.id = ${studioId} and ${isOutdated} group by s.id
    on conflict (studio_id) do update
       set state = 'running', attempt = preview_runs.attempt + 1, images_total = excluded.images_total, images_done = 0,
           images_failed = 0, last_image_id = 0, started_at = excluded.started_at, moved_at = excluded.moved_at, finished_at = null
    returning studio_id`.execute(tx)
  if (rows.length === 0) return false
  await jobs.enqueue(tx, 'remake-previews', { studioId })
  return true
}

/** Starts a run for each studio that has outdated previews. Can be repeated after a failure at any point. */
export const startPreviewRuns = async (
  deps: Deps,
  { studioId }: { studioId: number | null },
  signal?: AbortSignal,
): Promise<void> => {
  const studios = await deps.db
    .selectFrom('studios')
    .select('id')
    .$if(studioId !== null, (query) => query.where('id', '=', studioId))
    .orderBy('id')
    .execute()
  for (const { id } of studios) {
    signal?.throwIfAborted()
    await inTransaction(deps.db, (tx) => startPreviewRun(tx, deps, id))
  }
}

/** Cancels the run of a studio. Each image keeps the preview that it has. Returns false if no run is in progress. */
export const cancelPreviewRun = async (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  studioId: number,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('preview_runs')
    .set({ state: 'cancelled', finished_at: clock() })
    .where('studio_id', '=', studioId)
    .where('state', '=', 'running')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The runs of all studios, those in progress first. */
export const readPreviewRuns = async (db: Db) => {
  const rows = await db
    .selectFrom('preview_runs as r')
    .innerJoin('studios as s', 's.id', 'r.studio_id')
    .select([
      ...['r.studio_id as studioId', 's.name as studioName', 'r.state', 'r.started_at', 'r.finished_at'],
      ...['r.images_total as total', 'r.images_done as done', 'r.images_failed as failed'],
    ] as const)
    .orderBy(sql`r.state = 'running'`, 'desc')
    .orderBy('r.started_at', 'desc')
    .orderBy('r.studio_id')
    .execute()
  return rows.map(({ started_at, finished_at, ...run }) => ({
    ...run,
    startedAt: started_at.toISOString(),
    finishedAt: finished_at?.toISOString() ?? null,
  }))
}

/** A run without progress for this long is requeued: by then its background job waits up to an hour between retries, or has ended. */
const stalledAfterHours = 2

/** Requeues runs whose background job has used all its retries. */
export const requeueStalledPreviewRuns = ({ db, jobs, clock }: Deps): Promise<void> =>
  inTransaction(db, async (tx) => {
    const now = clock()
    const stalled = await tx
      .selectFrom('preview_runs')
      .select('studio_id as studioId')
      .where('state', '=', 'running')
      .where('moved_at', '<', subHours(now, stalledAfterHours))
      .execute()
    for (const { studioId } of stalled) {
      const id = idPerPeriod(`remake-previews ${studioId}`, { now, hours: stalledAfterHours })
      await jobs.enqueue(tx, 'remake-previews', { studioId }, { id })
    }
  })

/** Starts the workers; called when the server starts. One studio at a time, so that uploads find a free rendering thread. */
export const startPreviewRunWorkers = async (
  jobs: Pick<BackgroundJobs<typeof queues>, 'work'>,
  deps: Deps,
  render: RenderVariants,
): Promise<void> => {
  await jobs.work('start-preview-runs', 1, ({ payload, signal }) => startPreviewRuns(deps, payload, signal))
  await jobs.work('remake-previews', 1, ({ payload, signal }) => remakePreviews(deps, payload, { render, signal }))
}
