import { type RawBuilder, sql } from 'kysely'
import { uuidFrom } from '../http/hash.ts'

/** A kind of background job. It runs at least once, so its handler must be idempotent. */
export type Queue<Payload extends object> = {
  /** Retries after the first attempt; then the job goes to the dead letter queue. Default 5. */
  readonly retries?: number
  /** Seconds before the first retry, doubled with jitter each time, up to an hour. Default 5. */
  readonly retryDelaySeconds?: number
  /** Timeout of an attempt. Default 15 minutes. */
  readonly timeoutSeconds?: number
  /**
   * The number of jobs that are fetched and completed in one statement, for queues of many small jobs. Each succeeds or
   * fails on its own, but the timeout applies to all of them, and they are completed when the last is done. Default 1.
   */
  readonly batchSize?: number
  /** Runs on a schedule: a cron expression in a time zone (default UTC). */
  readonly schedule?: { readonly cron: string; readonly timeZone?: string; readonly payload: Payload }
}

/** The number of retries of a queue's jobs. */
export const retriesOf = ({ retries = 5 }: Queue<object>): number => retries

/** Queues by name (letters, digits, `-`). */
export type Queues = { readonly [name: string]: Queue<object> }

export type PayloadOf<Table extends Queues, Name extends keyof Table> =
  Table[Name] extends Queue<infer Payload> ? Payload : never

/**
 * Defines a queue and its payload: `defineQueue<{ imageId: number }>()`. Payloads are stored as JSON, so they contain
 * ids.
 */
export const defineQueue = <Payload extends object>(queue: Queue<Payload> = {}): Queue<Payload> => queue

/** One attempt of a job. */
export type BackgroundJob<Payload> = {
  readonly id: string
  readonly payload: Payload
  /** 1 for the first attempt. */
  readonly attempt: number
  /** Aborted at the timeout or when the server must stop. */
  readonly signal: AbortSignal
}

export type EnqueueOptions = {
  /** The earliest time to run. */
  readonly notBefore?: Date
  /** A UUID for the job; a second job with the same id is not added. */
  readonly id?: string
  /** Jobs with a higher priority run first, among equals the oldest. Default 0. */
  readonly priority?: number
}

/**
 * An id for a job that is added at most once per period of `hours`: the id is the same in the whole period. `job` names the queue and
 * the row that the job works on.
 */
export const idPerPeriod = (job: string, { now, hours }: { now: Date; hours: number }): string =>
  uuidFrom(`${job} ${Math.floor(now.getTime() / (hours * 60 * 60 * 1000))}`)

/**
 * A pause between the steps of long work. The embedded database runs on this thread, and the pause lets other work run.
 */
export const pauseMs = 10

/** SQL: an id in the payload of a background job, such as its `studioId`. `column`: the payload’s column, `d.data`. */
export const idInPayload = (column: string, name: string): RawBuilder<number | null> =>
  sql`(${sql.ref(column)} ->> ${sql.lit(name)})::bigint`
