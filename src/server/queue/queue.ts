/** A kind of background job. It runs at least once, so its handler must be idempotent. */
export type Queue<Payload extends object> = {
  /** Retries after the first try; then the job goes to the dead letter queue. Default 5. */
  readonly retries?: number
  /** Seconds before the first retry, doubled with jitter each time, up to an hour. Default 5. */
  readonly backOff?: number
  /** Timeout of a try in seconds. Default 15 minutes. */
  readonly limit?: number
  /**
   * How many jobs are fetched and settled in one statement, for queues of many small jobs. Each succeeds or fails
   * alone, but the timeout is for all of them, and they are settled when the last is done. Default 1.
   */
  readonly together?: number
  /** Runs on a schedule: a cron expression in a time zone (default UTC). */
  readonly schedule?: { readonly cron: string; readonly timeZone?: string; readonly payload: Payload }
}

/** The number of retries of a queue's jobs. */
export const retriesOf = ({ retries = 5 }: Queue<object>): number => retries

/** Queues by name (letters, digits, `-`). */
export type Queues = { readonly [name: string]: Queue<object> }

export type PayloadOf<Table extends Queues, Name extends keyof Table> =
  Table[Name] extends Queue<infer Payload> ? Payload : never

/** Declares the payload of a queue: `carries<{ imageId: number }>()`. Payloads are stored as JSON, so they hold ids. */
export const carries = <Payload extends object>(queue: Queue<Payload> = {}): Queue<Payload> => queue

/** One try of a job. */
export type BackgroundJob<Payload> = {
  readonly id: string
  readonly payload: Payload
  /** 1 for the first try. */
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

/** The embedded database runs on this thread: a pause between the steps of long work lets others run. */
export const pauseMilliseconds = 10
