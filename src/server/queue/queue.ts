/** A piece of work that runs on its own time, at least once: its handler must bear being run again with the same payload. */
export type Queue<Payload extends object> = {
  /** Tries after the first one; when they are used up the job goes to the dead letters. Default 5. */
  readonly retries?: number
  /** Seconds before the first new try, doubled (with some chance) each time, up to an hour. Default 5. */
  readonly backOff?: number
  /** Seconds after which a try counts as failed. Default 15 minutes. */
  readonly limit?: number
  /**
   * So many are taken and settled in one statement, for queues of many small jobs. Each still succeeds or fails alone, but for the
   * limit, which is of all of them, and each is settled when the last is done. Default 1.
   */
  readonly together?: number
  /** Put on the queue by the clock: a cron expression in a time zone (default UTC). */
  readonly schedule?: { readonly cron: string; readonly timeZone?: string; readonly payload: Payload }
}

/** How many tries a queue's jobs have after the first one. */
export const retriesOf = ({ retries = 5 }: Queue<object>): number => retries

/** Names (letters, digits, `-`) and what their jobs carry. */
export type Queues = { readonly [name: string]: Queue<object> }

export type PayloadOf<Table extends Queues, Name extends keyof Table> =
  Table[Name] extends Queue<infer Payload> ? Payload : never

/** Says what a queue's jobs carry: `carries<{ imageId: number }>()`. Payloads are stored as JSON: ids, not things. */
export const carries = <Payload extends object>(queue: Queue<Payload> = {}): Queue<Payload> => queue

/** One try at one job. */
export type BackgroundJob<Payload> = {
  readonly id: string
  readonly payload: Payload
  /** 1 for the first try. */
  readonly attempt: number
  /** Aborted when the try took too long or the server must stop now. */
  readonly signal: AbortSignal
}

export type EnqueueOptions = {
  /** Not before this moment. */
  readonly notBefore?: Date
  /** A UUID for the job; a second one with the same id is not added. */
  readonly id?: string
  /** Jobs with a higher one are taken first; of equals the oldest. Default 0. */
  readonly priority?: number
}
