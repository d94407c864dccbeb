import { sql } from 'kysely'
import { inTransaction, serverName, type Transaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import type { BackgroundJobs } from './background-jobs.ts'
import type { BackgroundJob, PayloadOf } from './queue.ts'
import type { queues } from './queues.ts'

/** The queues that make files of one studio's images. They wait while the studio is paused. */
export type PausableQueue =
  | 'process-upload'
  | 'make-variants'
  | 'propose-cut-out'
  | 'remake-previews'
  | 'make-packet'
  | 'make-image-export'

type PausableDeps = Pick<Deps, 'db' | 'clock'>
type PausableJob<Name extends PausableQueue = PausableQueue> = BackgroundJob<PayloadOf<typeof queues, Name>>

/** Thrown between the steps of long work, because its studio was paused. The work continues when it is resumed. */
export class StudioPaused extends Error {
  override name = 'StudioPaused'
}

/** Throws `StudioPaused` if a studio is paused. */
export const throwIfPaused = async ({ db }: Pick<Deps, 'db'>, studioId: number): Promise<void> => {
  const paused = await db.selectFrom('paused_studios').select('studio_id').where('studio_id', '=', studioId).execute()
  if (paused.length > 0) throw new StudioPaused(`studio ${studioId} is paused`)
}

/**
 * Records that this server runs a background job, or parks it if its studio is paused. One statement: its lock waits for a resumption in
 * progress, which therefore finds every parked job. Returns whether the job may run.
 */
const begin = async (
  { db, clock }: PausableDeps,
  queue: PausableQueue,
  { id, payload }: PausableJob,
): Promise<boolean> => {
  const json = JSON.stringify(payload)
  const { rows } = await sql<{ mayRun: boolean }>`
    with paused as (select studio_id from paused_studios where studio_id = ${payload.studioId} for share),
    parked as (
      insert into parked_background_jobs (studio_id, queue, payload, parked_at)
      select studio_id, ${queue}::text, ${json}::jsonb, ${clock()}::timestamptz from paused
      on conflict (studio_id, queue, payload) do nothing),
    running as (
      insert into running_background_jobs (id, server, queue, studio_id, payload, started_at)
      select ${id}::uuid, ${serverName}::text, ${queue}::text, ${payload.studioId}::bigint, ${json}::jsonb, ${clock()}::timestamptz
       where not exists (select from paused)
      on conflict (id) do update set server = excluded.server, started_at = excluded.started_at)
    select not exists (select from paused) as "mayRun"`.execute(db)
  return rows[0]?.mayRun ?? true
}

const end = async ({ db }: PausableDeps, id: string): Promise<void> => {
  await db.deleteFrom('running_background_jobs').where('id', '=', id).execute()
}

/** Runs a background job unless its studio is paused. Work that stops because of a pause is parked and not a failure. */
const runUnlessPaused = async <Name extends PausableQueue>(
  deps: PausableDeps,
  { queue, job }: { queue: Name; job: PausableJob<Name> },
  handle: (job: PausableJob<Name>) => Promise<void>,
): Promise<void> => {
  if (!(await begin(deps, queue, job))) return
  try {
    await handle(job)
  } catch (error) {
    // If the studio was resumed meanwhile, the queue retries the job.
    if (!(error instanceof StudioPaused) || (await begin(deps, queue, job))) throw error
  } finally {
    await end(deps, job.id)
  }
}

/** Starts workers of a queue whose jobs wait while their studio is paused. */
export const workUnlessPaused = <Name extends PausableQueue>(
  jobs: Pick<BackgroundJobs<typeof queues>, 'work'>,
  deps: PausableDeps,
  { queue, concurrency }: { queue: Name; concurrency: number },
  handle: (job: PausableJob<Name>) => Promise<void>,
): Promise<void> => jobs.work(queue, concurrency, (job) => runUnlessPaused(deps, { queue, job }, handle))

/**
 * When this server starts: deletes what it ran when it was killed. The embedded database has one server, so that nothing can be running then; its
 * former process had another name. On PostgreSQL only rows of the same name are certain to be its own, and readers ignore those of servers that are
 * not connected.
 */
export const deleteRunningJobs = async ({ db, engine }: Pick<Deps, 'db' | 'engine'>): Promise<void> => {
  const rows = db.deleteFrom('running_background_jobs')
  await (engine === 'embedded' ? rows : rows.where('server', '=', serverName)).execute()
}

/** The number of parked jobs that one transaction enqueues. */
const jobsPerStep = 100

type ParkedJob = { readonly queue: PausableQueue; readonly payload: { readonly studioId: number } }

/** Enqueues a parked job of a queue in another way than by its payload. */
type EnqueueParked = Partial<Record<PausableQueue, (tx: Transaction, payload: never) => Promise<void>>>

/** Enqueues the parked jobs of studios that are not paused. Interrupted, it continues with the rest. */
export const requeueParkedJobs = async (
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  enqueueParked: EnqueueParked = {},
): Promise<void> => {
  const step = (): Promise<number> =>
    inTransaction(db, async (tx) => {
      const { rows } = await sql<ParkedJob>`
        delete from parked_background_jobs p using (
          select studio_id, id from parked_background_jobs
           where studio_id not in (select studio_id from paused_studios)
           order by studio_id, id limit ${jobsPerStep} for update skip locked) due
         where p.studio_id = due.studio_id and p.id = due.id
        returning p.queue, p.payload`.execute(tx)
      for (const { queue, payload } of rows) {
        const enqueue = enqueueParked[queue]
        if (enqueue)
          await enqueue(tx, payload as never) // parked by the worker of the same queue
        else await jobs.enqueue(tx, queue, payload as never)
      }
      return rows.length
    })
  while ((await step()) === jobsPerStep);
}
