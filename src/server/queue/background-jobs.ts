import { fromKysely, type JobResult, PgBoss, type Job as Taken } from 'pg-boss'
import type { Database, Log, Transaction } from '../database/database.ts'
import { prepareQueues } from './prepare-queues.ts'
import { type BackgroundJob, type EnqueueOptions, type PayloadOf, type Queues, retriesOf } from './queue.ts'

type Settings<Table extends Queues> = {
  readonly database: Database
  readonly log: Log
  readonly queues: Table
  /** Seconds between polls for due jobs. New jobs are announced by the database and start at once. */
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
   * Starts workers of a queue, with up to `atOnce` jobs (a multiple of the queue's batch size) in this process. A job
   * whose handler throws is retried.
   */
  async work<Name extends keyof Table & string>(
    name: Name,
    atOnce: number,
    handle: (job: BackgroundJob<PayloadOf<Table, Name>>) => Promise<void>,
  ): Promise<void> {
    const together = this.#settings.queues[name]?.together ?? 1
    if (atOnce % together !== 0) throw new Error(`The queue ${name} takes ${together} together, not ${atOnce} at once`)
    for (let taken = 0; taken < atOnce; taken += together) await this.#startWorker(name, together, handle)
  }

  /**
   * Stops fetching jobs and resolves when those in flight are done. After 20 seconds, within the server's own shutdown
   * timeout, they are left to be retried.
   */
  async stop(): Promise<void> {
    await this.#boss.stop({ graceful: true, timeout: 20_000 })
  }

  async #startWorker<Name extends keyof Table & string>(
    name: Name,
    together: number,
    handle: (job: BackgroundJob<PayloadOf<Table, Name>>) => Promise<void>,
  ): Promise<void> {
    const { pollSeconds } = this.#settings
    const polling = { pollingIntervalSeconds: pollSeconds, notifyPollingIntervalSeconds: pollSeconds }
    const worker = await this.#boss.work<PayloadOf<Table, Name>>(
      name,
      { batchSize: together, perJobResults: true, ...polling },
      async (taken) => {
        try {
          return await Promise.all(taken.map((one) => this.#try(name, one, handle)))
        } finally {
          // There may be more jobs: without this a worker waits until its next poll.
          this.#boss.notifyWorker(worker)
        }
      },
    )
  }

  async #try<Name extends keyof Table & string>(
    name: Name,
    { id, data, retryCount, signal }: Taken<PayloadOf<Table, Name>>,
    handle: (job: BackgroundJob<PayloadOf<Table, Name>>) => Promise<void>,
  ): Promise<JobResult> {
    const { log, queues } = this.#settings
    const attempt = retryCount + 1
    try {
      await handle({ id, payload: data, attempt, signal })
      return { id, status: 'completed' }
    } catch (problem) {
      const details = { err: problem, queue: name, job: id, attempt }
      if (attempt <= retriesOf(queues[name] ?? {})) log.warn(details, 'a job failed; it is tried again')
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
  boss.on('error', (problem) => log.error({ err: problem }, 'the job queue had a problem; it goes on'))
  boss.on('warning', (warning) => log.warn({ warning }, 'the job queue warns'))
  await boss.start()
  await prepareQueues(boss, queues, database.kind)
  return new BackgroundJobs(boss, { pollSeconds: 5, ...settings })
}
