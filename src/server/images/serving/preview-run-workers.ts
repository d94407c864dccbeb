import { subHours } from 'date-fns/subHours'
import { inTransaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import type { BackgroundJobs } from '#server/queue/background-jobs.ts'
import { workUnlessPaused } from '#server/queue/pausable-work.ts'
import { idPerPeriod } from '#server/queue/queue.ts'
import type { queues } from '#server/queue/queues.ts'
import type { RenderVariants } from '../engine/render-variants.ts'
import { startPreviewRun } from '../store/preview-runs.ts'
import { remakePreviews } from './remake-previews.ts'

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
  await workUnlessPaused(jobs, deps, { queue: 'remake-previews', concurrency: 1 }, ({ payload, signal }) =>
    remakePreviews(deps, payload, { render, signal }),
  )
}
