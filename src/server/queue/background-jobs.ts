import { type Job as FetchedJob, fromKysely, type JobResult, PgBoss } from 'pg-boss'
import type { Database, Log, Transaction } from '../database/database.ts'
import { prepareQueues } from './prepare-queues.ts'
import { type BackgroundJob, type EnqueueOptions, type PayloadOf, type Queues, retriesOf } from './queue.ts'

type Settings<Table extends Queues> = {
  readonly database: Database
  readonly log: Log
  readonly queues: Table
  /** Seconds between polls for due jobs. The database notifies about new jobs, which start immediately. */
  readonly pollSeconds?: number
}

/** The background jobs of one server. Any number of servers can share a database. */
export class BackgroundJobs<Table extends Queues> {
  readonly #boss: PgBoss
  readonly #settings: Required<Settings<Table>>

  constructor(boss: PgBoss, settings: Required<Settings<Table>>) {
    this.#boss = boss
    this.#settings = settings
  }

  /** Enqueues a job in the transaction: it runs after the commit, and never after a rollback. */
  async enqueue<Name extends keyof Table & string>(
    tx: Transaction,
    name: Name,
    payload: PayloadOf<Table, Name>,
    options: EnqueueOptions = {},
  ): Promise<void> {
    await this.#boss.send(name, payload, {
      db: fromKysely(tx),
      ...(options.notBefore && { startAfter: options.notBefore }),
      ...(options.id && { id: options.id }),
      ...(options.priority !== undefined && { priority: options.priority }),
    })
  }

  /**
   * Starts workers of a queue, with up to `concurrency` jobs (a multiple of the queue's batch size) in this process. A
   * job whose handler throws is retried.
   */
  async work<Name extends keyof Table & string>(
    name: Name,
    concurrency: number,
    handle: (job: BackgroundJob<PayloadOf<Table, Name>>) => Promise<void>,
  ): Promise<void> {
    const batchSize = this.#settings.queues[name]?.batchSize ?? 1
    if (concurrency % batchSize !== 0)
      throw new Error(`${concurrency} is not a multiple of the batch size ${batchSize} of the queue ${name}`)
    for (let started = 0; started < concurrency; started += batchSize) await this.#startWorker(name, batchSize, handle)
  }

  /**
   * Stops fetching jobs and resolves when those in flight are done. After 20 seconds, which is within the server's
   * shutdown timeout, it stops waiting, and they are retried later.
   */
  async stop(): Promise<void> {
    await this.#boss.stop({ graceful: true, timeout: 20_000 })
  }

  async #startWorker<Name extends keyof Table & string>(
    name: Name,
    batchSize: number,
    handle: (job: BackgroundJob<PayloadOf<Table, Name>>) => Promise<void>,
  ): Promise<void> {
    const { pollSeconds } = this.#settings
    const polling = { pollingIntervalSeconds: pollSeconds, notifyPollingIntervalSeconds: pollSeconds }
    const worker = await this.#boss.work<PayloadOf<Table, Name>>(
      name,
      { batchSize, perJobResults: true, ...polling },
      async (fetchedJobs) => {
        try {
          return await Promise.all(fetchedJobs.map((job) => this.#runJob(name, job, handle)))
        } finally {
          // There may be more jobs. Without this call the worker would wait until its next poll.
          this.#boss.notifyWorker(worker)
        }
      },
    )
  }

  async #runJob<Name extends keyof Table & string>(
    name: Name,
    { id, data, retryCount, signal }: FetchedJob<PayloadOf<Table, Name>>,
    handle: (job: BackgroundJob<PayloadOf<Table, Name>>) => Promise<void>,
  ): Promise<JobResult> {
    const { log, queues } = this.#settings
    const attempt = retryCount + 1
    try {
      await handle({ id, payload: data, attempt, signal })
      return { id, status: 'completed' }
    } catch (problem) {
      const details = { err: problem, queue: name, job: id, attempt }
      if (attempt <= retriesOf(queues[name] ?? {})) log.warn(details, 'a job failed; it is retried')
      else log.error(details, 'a job failed for good')
      return { id, status: 'failed', output: problem }
    }
  }
}

/**
 * Prepares the queues and starts fetching jobs. Await it before the server listens: on the embedded engine a job can be
 * enqueued in a transaction only if this process already knows its queue.
 */
export const startBackgroundJobs = async <Table extends Queues>(
  settings: Settings<Table>,
): Promise<BackgroundJobs<Table>> => {
  const { database, log, queues } = settings
  const boss = new PgBoss({ ...database.jobStore, useListenNotify: true })
  boss.on('error', (problem) => log.error({ err: problem }, 'the job queue had an error; it continues'))
  boss.on('warning', (warning) => log.warn({ warning }, 'the job queue reported a warning'))
  await boss.start()
  await prepareQueues(boss, queues, database.kind)
  return new BackgroundJobs(boss, { pollSeconds: 5, ...settings })
}
