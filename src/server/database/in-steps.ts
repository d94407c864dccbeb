import type { Deps } from '../deps.ts'
import { pauseMs } from '../queue/queue.ts'
import { inTransaction, type Transaction } from './database.ts'
import { inArrivalOrder } from './fair-queue.ts'

/** Runs a step, which reads and writes through its transaction. */
export type RunStep = <Result>(step: (tx: Transaction) => Promise<Result>) => Promise<Result>

type SteppedWork<Result> = {
  /** Must be safe to run again, because a transaction is retried after a conflict. */
  readonly work: (runStep: RunStep) => Promise<Result>
  /** Removes what the steps before a failed one have stored, on the embedded database. */
  readonly undo: () => Promise<void>
}

/** Runs a short transaction after the requests that are already waiting. */
export const inShortTransaction = async <Result>(
  { db, wait }: Pick<Deps, 'db' | 'wait'>,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> => {
  const result = await inArrivalOrder(() => inTransaction(db, work))
  await wait(pauseMs)
  return result
}

/**
 * Runs long work in steps. PostgreSQL runs all of them in one transaction. The embedded database, where a transaction excludes every
 * other request, runs each step in a transaction of its own: what the steps store must be invisible until the last one.
 */
export const inSteps = async <Result>(
  deps: Pick<Deps, 'db' | 'engine' | 'wait' | 'log'>,
  { work, undo }: SteppedWork<Result>,
): Promise<Result> => {
  if (deps.engine === 'postgres') return await inTransaction(deps.db, (tx) => work((step) => step(tx)))
  try {
    return await work((step) => inShortTransaction(deps, step))
  } catch (problem) {
    await undo().catch((failure: unknown) =>
      deps.log.error({ err: failure }, 'bulk work is undone only at the next start'),
    )
    throw problem
  }
}

/** How many rows the first step of bulk work processes, until the duration of a step is known. */
export const firstStepRows = 50

/** Minimum and maximum number of rows per step. A step is atomic. */
const minRows = 50
const maxRows = 200

/** Target duration of a step, because a step blocks other requests. A slow machine exceeds it with the minimum number of rows. */
const stepMs = 50

/**
 * How many rows the next step processes, from the rows and the duration of the last step. The embedded database runs one transaction at a
 * time, and a step is slow while the statistics of its tables are outdated or the machine is busy.
 */
export const nextStepSize = (rows: number, durationMs: number): number => {
  const rowsInTime = Math.floor((rows * stepMs) / Math.max(1, durationMs))
  return Math.max(minRows, Math.min(maxRows, rowsInTime, rows * 2))
}
