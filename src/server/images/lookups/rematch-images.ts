import { sql } from 'kysely'
import type { MatchMethod } from '#domain/subjects/match-images.ts'
import type { JobKey } from '#server/access/authorization/authorize.ts'
import type { Transaction } from '#server/database/database.ts'
import { inTransaction } from '#server/database/in-transaction.ts'
import type { Deps } from '#server/deps.ts'
import type { BackgroundJobs } from '#server/queue/background-jobs.ts'
import { pauseMilliseconds } from '#server/queue/queue.ts'
import type { queues } from '#server/queue/queues.ts'
import { lockJobImages } from '../store/image-position.ts'
import { findGroup, matchSubject } from '../store/match-subject.ts'
import { assignImage } from './change-image.ts'
import { isUnmatchedIn } from './match-runs.ts'

type MatchRunRef = { readonly studioId: number; readonly runId: number }
type LockedMatchRun = { readonly by: MatchMethod; readonly ahead: number; readonly imageIds: number[] | null }
type UnmatchedImage = { id: number; file_name: string; match_words: string; taken_at: Date | null }
type Outcome = 'matched' | 'unclear' | 'unknown'

/** Images per step; between steps others get the database and the job's images. */
const atOnce = 20

const findJobOf = async ({ db }: Deps, { studioId, runId }: MatchRunRef): Promise<JobKey | undefined> => {
  const row = await db
    .selectFrom('match_runs')
    .select('job_id')
    .where('studio_id', '=', studioId)
    .where('id', '=', runId)
    .executeTakeFirst()
  return row && { studioId, jobId: row.job_id }
}

const holdRun = async (tx: Transaction, { studioId, runId }: MatchRunRef): Promise<LockedMatchRun | undefined> => {
  const row = await tx
    .selectFrom('match_runs')
    .select(['match_by as by', 'camera_ahead_seconds', 'image_ids as imageIds'])
    .where('studio_id', '=', studioId)
    .where('id', '=', runId)
    .where('state', '=', 'running')
    .forUpdate()
    .executeTakeFirst()
  return row && { by: row.by, imageIds: row.imageIds, ahead: row.camera_ahead_seconds * 1000 }
}

/** Locks the next images that are still unmatched, in the order they were taken. */
const nextWaiting = async (tx: Transaction, job: JobKey, { run, runId }: { run: LockedMatchRun; runId: number }) => {
  const { rows } = await sql<UnmatchedImage>`
    select i.id, i.file_name, i.match_words, i.taken_at from image_lookups i
     where ${isUnmatchedIn(job, run.imageIds)} and (coalesce(i.taken_at, 'infinity'), i.id) > (
       select last_taken_at, last_image_id from match_runs where studio_id = ${job.studioId} and id = ${runId})
     order by coalesce(i.taken_at, 'infinity'), i.id limit ${atOnce} for update of i`.execute(tx)
  return rows
}

const matchOne = async (
  tx: Transaction,
  deps: Deps,
  { job, run: { by, ahead }, waiting }: { job: JobKey; run: LockedMatchRun; waiting: UnmatchedImage },
): Promise<Outcome> => {
  const { id: imageId, file_name: fileName, match_words: words, taken_at: takenAt } = waiting
  const shot = { fileName, words, takenAt: takenAt?.getTime() ?? null }
  const match = await matchSubject(tx, job, { shot, matching: { by, ahead } })
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
const keepStep = async (
  tx: Transaction,
  { studioId, runId }: MatchRunRef,
  { last, outcomes, now }: { last: UnmatchedImage; outcomes: readonly Outcome[]; now: Date },
): Promise<void> => {
  const count = (outcome: Outcome) => outcomes.filter((one) => one === outcome).length
  await sql`
    update match_runs r set pictures_done = pictures_done + ${outcomes.length}, matched = matched + ${count('matched')},
           unclear = unclear + ${count('unclear')}, unknown = unknown + ${count('unknown')},
           last_taken_at = coalesce(i.taken_at, 'infinity'), last_image_id = i.id, moved_at = ${now}
      from image_lookups i
     where r.studio_id = ${studioId} and r.id = ${runId} and i.studio_id = r.studio_id and i.id = ${last.id}`.execute(
    tx,
  )
}

const finish = async (tx: Transaction, { studioId, runId }: MatchRunRef, now: Date): Promise<void> => {
  await tx
    .updateTable('match_runs')
    .set({ state: 'done', finished_at: now })
    .where('studio_id', '=', studioId)
    .where('id', '=', runId)
    .execute()
}

const takeStep = (deps: Deps, job: JobKey, work: MatchRunRef): Promise<boolean> =>
  inTransaction(deps.db, async (tx) => {
    await lockJobImages(tx, job)
    const run = await holdRun(tx, work)
    if (!run) return false
    const some = await nextWaiting(tx, job, { run, runId: work.runId })
    const last = some.at(-1)
    if (!last) {
      await finish(tx, work, deps.clock())
      return false
    }
    const outcomes: Outcome[] = []
    for (const waiting of some) outcomes.push(await matchOne(tx, deps, { job, run, waiting }))
    await keepStep(tx, work, { last, outcomes, now: deps.clock() })
    return true
  })

/**
 * Matches unmatched images again: after an import, a corrected check-in, or with a corrected clock. Each step is a transaction; an
 * interrupted run resumes at its last step.
 */
export const rematchImages = async (deps: Deps, work: MatchRunRef, signal?: AbortSignal): Promise<void> => {
  const job = await findJobOf(deps, work)
  if (!job) return
  while (await takeStep(deps, job, work)) {
    signal?.throwIfAborted()
    await deps.wait(pauseMilliseconds)
  }
}

/** A job in the queue has used most of its retries by then. */
const leftAfterHours = 2
/** A run that fails for this long has failed: staff are notified and may start another. */
const failedAfterHours = 24

/** Hourly: requeues stalled match runs, and ends those that failed for too long. */
export const requeueStalledMatchRuns = ({ db, jobs, clock }: Deps): Promise<void> =>
  inTransaction(db, async (tx) => {
    const now = clock()
    const before = (hours: number): Date => new Date(now.getTime() - hours * 60 * 60 * 1000)
    await tx
      .updateTable('match_runs')
      .set({ state: 'failed', finished_at: now })
      .where('state', '=', 'running')
      .where('moved_at', '<', before(failedAfterHours))
      .execute()
    const left = await tx
      .selectFrom('match_runs')
      .select(['studio_id', 'id'])
      .where('state', '=', 'running')
      .where('moved_at', '<', before(leftAfterHours))
      .execute()
    for (const { studio_id: studioId, id } of left) await jobs.enqueue(tx, 'rematch-images', { studioId, runId: id })
  })

/** At start: requeues match runs that a shutdown interrupted or that ran out of retries. */
const takeUp = async ({ db, jobs }: Deps): Promise<void> => {
  const rows = await db.selectFrom('match_runs').select(['studio_id', 'id']).where('state', '=', 'running').execute()
  if (rows.length === 0) return
  await inTransaction(db, async (tx) => {
    for (const { studio_id: studioId, id } of rows) await jobs.enqueue(tx, 'rematch-images', { studioId, runId: id })
  })
}

export const workOnMatchRuns = async (jobs: Pick<BackgroundJobs<typeof queues>, 'work'>, deps: Deps): Promise<void> => {
  await jobs.work('rematch-images', 1, ({ payload, signal }) => rematchImages(deps, payload, signal))
  await takeUp(deps)
}
