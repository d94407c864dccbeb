import { fromKysely, PgBoss } from 'pg-boss'
import type { Database, Log, Transaction } from '../database/database.ts'
import { prepareQueues } from './prepare-queues.ts'
import { type EnqueueOptions, type Job, type PayloadOf, type Queues, retriesOf } from './queue.ts'

type Settings<Table extends Queues> = {
  readonly database: Database
  readonly log: Log
  readonly queues: Table
  /** Seconds between looks for jobs whose time has come; new ones are announced by the database and start at once. */
  readonly pollSeconds?: number
}

/** The background work of one server. Any number of servers share one database. */
export class Jobs<Table extends Queues> {
  readonly #boss: PgBoss
  readonly #settings: Required<Settings<Table>>

  constructor(boss: PgBoss, settings: Required<Settings<Table>>) {
    this.#boss = boss
    this.#settings = settings
  }

  /** Puts a job on its queue as part of the transaction: it runs once that is committed, and never if it is not. */
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
    })
  }

  /** Takes jobs off a queue, up to `atOnce` at a time in this process. A handler that throws is tried again. */
  async work<Name extends keyof Table & string>(
    name: Name,
    atOnce: number,
    handle: (job: Job<PayloadOf<Table, Name>>) => Promise<void>,
  ): Promise<void> {
    for (let worker = 0; worker < atOnce; worker += 1) await this.#startWorker(name, handle)
  }

  /** Takes no more jobs and resolves when those in flight are done; after 30 seconds they are left to be tried again. */
  async stop(): Promise<void> {
    await this.#boss.stop({ graceful: true, timeout: 30_000 })
  }

  async #startWorker<Name extends keyof Table & string>(
    name: Name,
    handle: (job: Job<PayloadOf<Table, Name>>) => Promise<void>,
  ): Promise<void> {
    const { pollSeconds, log, queues } = this.#settings
    const tries = 1 + retriesOf(queues[name] ?? {})
    const polling = { pollingIntervalSeconds: pollSeconds, notifyPollingIntervalSeconds: pollSeconds }
    const worker = await this.#boss.work<PayloadOf<Table, Name>>(
      name,
      { batchSize: 1, ...polling },
      async ([taken]) => {
        if (!taken) return
        const job = { id: taken.id, payload: taken.data, attempt: taken.retryCount + 1, signal: taken.signal }
        try {
          await handle(job)
        } catch (problem) {
          const about = { err: problem, queue: name, job: job.id, attempt: job.attempt }
          if (job.attempt < tries) log.warn(about, 'a job failed; it is tried again')
          else log.error(about, 'a job failed for good')
          throw problem
        } finally {
          // Where there was one there may be more: without this a worker rests between jobs until its next look.
          this.#boss.notifyWorker(worker)
        }
      },
    )
  }
}

/**
 * Makes the queues ready and starts taking jobs. To be awaited before the server listens: on the embedded engine a job can be
 * enqueued inside a transaction only when its queue is already known to this process.
 */
export const startJobs = async <Table extends Queues>(settings: Settings<Table>): Promise<Jobs<Table>> => {
  const { database, log, queues } = settings
  const boss = new PgBoss({ ...database.jobStore, useListenNotify: true })
  boss.on('error', (problem) => log.error({ err: problem }, 'the job queue had a problem; it goes on'))
  boss.on('warning', (warning) => log.warn({ warning }, 'the job queue warns'))
  await boss.start()
  await prepareQueues(boss, queues, database.kind)
  return new Jobs(boss, { pollSeconds: 5, ...settings })
}
