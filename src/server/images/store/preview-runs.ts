import { sql } from 'kysely'
import type { Db, Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { joinMark, markKey } from './image-mark.ts'

/** SQL: whether image `i` of job `j` of studio `s` has a preview with another watermark `w` than it should have. */
const isOutdated = sql<boolean>`(i.state = 'ready' and i.preview_mark is distinct from ${markKey})`

/** Requests the runs that a change of watermarks needs, in its transaction: of one studio, or of all for null. */
export const requestPreviewRuns = (
  tx: Transaction,
  { jobs }: Pick<Deps, 'jobs'>,
  studioId: number | null,
): Promise<void> => jobs.enqueue(tx, 'start-preview-runs', { studioId })

/**
 * Starts making the outdated previews of a studio again. A run that is in progress or was cancelled starts over, and images that have the
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
