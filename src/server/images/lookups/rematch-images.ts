import { subHours } from 'date-fns/subHours'
import { sql } from 'kysely'
import type { MatchMethod } from '#domain/subjects/match-images.ts'
import type { JobKey } from '#server/access/authorization/authorize.ts'
import type { Transaction } from '#server/database/database.ts'
import { inTransaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { lockJob } from '#server/jobs/store/find-job.ts'
import type { BackgroundJobs } from '#server/queue/background-jobs.ts'
import { idPerPeriod, pauseMs } from '#server/queue/queue.ts'
import type { queues } from '#server/queue/queues.ts'
import { findGroup, matchSubject } from '../store/match-subject.ts'
import { assignImage } from './change-image.ts'
import { isUnmatchedIn } from './match-runs.ts'

type MatchRunRef = { readonly studioId: number; readonly runId: number }
type LockedMatchRun = { readonly by: MatchMethod; readonly aheadMs: number; readonly imageIds: number[] | null }
type UnmatchedImage = { id: number; file_name: string; match_words: string; taken_at: Date | null }
type Outcome = 'matched' | 'unclear' | 'unknown'

/** Images per step. Between steps, other requests get the database and the locked job. */
const imagesPerStep = 20

const findJobOf = async ({ db }: Deps, { studioId, runId }: MatchRunRef): Promise<JobKey | undefined> => {
  const row = await db
    .selectFrom('match_runs')
    .select('job_id')
    .where('studio_id', '=', studioId)
    .where('id', '=', runId)
    .executeTakeFirst()
  return row && { studioId, jobId: row.job_id }
}

const lockRun = async (tx: Transaction, { studioId, runId }: MatchRunRef): Promise<LockedMatchRun | undefined> => {
  const row = await tx
    .selectFrom('match_runs')
    .select(['match_by as by', 'camera_ahead_seconds', 'image_ids as imageIds'])
    .where('studio_id', '=', studioId)
    .where('id', '=', runId)
    .where('state', '=', 'running')
    .forUpdate()
    .executeTakeFirst()
  return row && { by: row.by, imageIds: row.imageIds, aheadMs: row.camera_ahead_seconds * 1000 }
}

/** Locks the images of the next step, which are still unmatched, in the order they were taken. */
const lockNextImages = async (tx: Transaction, job: JobKey, { run, runId }: { run: LockedMatchRun; runId: number }) => {
  const { rows } = await sql<UnmatchedImage>`
    select i.id, i.file_name, i.match_words, i.taken_at from image_lookups i
     where ${isUnmatchedIn(job, run.imageIds)} and (coalesce(i.taken_at, 'infinity'), i.id) > (
       select last_taken_at, last_image_id from match_runs where studio_id = ${job.studioId} and id = ${runId})
     order by coalesce(i.taken_at, 'infinity'), i.id limit ${imagesPerStep} for update of i`.execute(tx)
  return rows
}

const matchImage = async (
  tx: Transaction,
  deps: Deps,
  { job, run: { by, aheadMs }, image }: { job: JobKey; run: LockedMatchRun; image: UnmatchedImage },
): Promise<Outcome> => {
  const { id: imageId, file_name: fileName, match_words: words, taken_at: takenAt } = image
  const metadata = { fileName, words, takenAt: takenAt?.getTime() ?? null }
  const match = await matchSubject(tx, job, { metadata, matching: { by, aheadMs } })
  const key = { ...job, imageId }
  if (typeof match === 'object') {
    await assignImage(tx, deps, { key, owner: { kind: 'hosted-individual', ...match }, matchedBy: by })
    return 'matched'
  }
  const groupId = by === 'fileName' && match === 'unknown' ? await findGroup(tx, job, fileName) : null
  if (groupId === null) return match
  await assignImage(tx, deps, { key, owner: { kind: 'hosted-group', groupId }, matchedBy: by })
  return 'matched'
}

/** Records the results of a step, and where the next one starts, in the step's own transaction. */
const recordStep = async (
  tx: Transaction,
  { studioId, runId }: MatchRunRef,
  { lastImage, outcomes, now }: { lastImage: UnmatchedImage; outcomes: readonly Outcome[]; now: Date },
): Promise<void> => {
  const count = (outcome: Outcome) => outcomes.filter((imageOutcome) => imageOutcome === outcome).length
  await sql`
    update match_runs r set pictures_done = pictures_done + ${outcomes.length}, matched = matched + ${count('matched')},
           unclear = unclear + ${count('unclear')}, unknown = unknown + ${count('unknown')},
           last_taken_at = coalesce(i.taken_at, 'infinity'), last_image_id = i.id, moved_at = ${now}
      from image_lookups i
     where r.studio_id = ${studioId} and r.id = ${runId} and i.studio_id = r.studio_id and i.id = ${lastImage.id}`.execute(
    tx,
  )
}

const finishRun = async (tx: Transaction, { studioId, runId }: MatchRunRef, now: Date): Promise<void> => {
  await tx
    .updateTable('match_runs')
    .set({ state: 'done', finished_at: now })
    .where('studio_id', '=', studioId)
    .where('id', '=', runId)
    .execute()
}

const runStep = (deps: Deps, job: JobKey, run: MatchRunRef): Promise<boolean> =>
  inTransaction(deps.db, async (tx) => {
    await lockJob(tx, job)
    const lockedRun = await lockRun(tx, run)
    if (!lockedRun) return false
    const images = await lockNextImages(tx, job, { run: lockedRun, runId: run.runId })
    const lastImage = images.at(-1)
    if (!lastImage) {
      await finishRun(tx, run, deps.clock())
      return false
    }
    const outcomes: Outcome[] = []
    for (const image of images) outcomes.push(await matchImage(tx, deps, { job, run: lockedRun, image }))
    await recordStep(tx, run, { lastImage, outcomes, now: deps.clock() })
    return true
  })

/**
 * Matches unmatched images again: after an import, after a corrected check-in, or with a corrected camera clock. Each
 * step is a transaction; an interrupted run resumes at its last step.
 */
export const rematchImages = async (deps: Deps, run: MatchRunRef, signal?: AbortSignal): Promise<void> => {
  const job = await findJobOf(deps, run)
  if (!job) return
  while (await runStep(deps, job, run)) {
    signal?.throwIfAborted()
    await deps.wait(pauseMs)
  }
}

/** A run without progress for this long is requeued: by then its background job waits up to an hour between retries, or has ended. */
const stalledAfterHours = 2
/** About as long as a background job is retried, so that the jobs of a run do not pile up. */
const requeueEveryHours = 12
/** A run without progress for this long has failed: staff see the failure and may start another run. */
const failedAfterHours = 24

/** Hourly: requeues stalled match runs, each once per `requeueEveryHours`, and marks those without progress for a day as failed. */
export const requeueStalledMatchRuns = ({ db, jobs, clock }: Deps): Promise<void> =>
  inTransaction(db, async (tx) => {
    const now = clock()
    const hoursAgo = (hours: number): Date => subHours(now, hours)
    await tx
      .updateTable('match_runs')
      .set({ state: 'failed', finished_at: now })
      .where('state', '=', 'running')
      .where('moved_at', '<', hoursAgo(failedAfterHours))
      .execute()
    const stalledRuns = await tx
      .selectFrom('match_runs')
      .select(['studio_id', 'id'])
      .where('state', '=', 'running')
      .where('moved_at', '<', hoursAgo(stalledAfterHours))
      .execute()
    for (const { studio_id: studioId, id: runId } of stalledRuns) {
      const id = idPerPeriod(`rematch-images ${studioId} ${runId}`, { now, hours: requeueEveryHours })
      await jobs.enqueue(tx, 'rematch-images', { studioId, runId }, { id })
    }
  })

/** When the server starts: requeues match runs that a shutdown interrupted or that ran out of retries. */
const requeueRunningMatchRuns = async ({ db, jobs }: Deps): Promise<void> => {
  const runs = await db.selectFrom('match_runs').select(['studio_id', 'id']).where('state', '=', 'running').execute()
  if (runs.length === 0) return
  await inTransaction(db, async (tx) => {
    for (const { studio_id: studioId, id } of runs) await jobs.enqueue(tx, 'rematch-images', { studioId, runId: id })
  })
}

/** Starts the worker, and requeues the match runs that were running when the server stopped. */
export const startRematchWorker = async (
  jobs: Pick<BackgroundJobs<typeof queues>, 'work'>,
  deps: Deps,
): Promise<void> => {
  await jobs.work('rematch-images', 1, ({ payload, signal }) => rematchImages(deps, payload, signal))
  await requeueRunningMatchRuns(deps)
}
