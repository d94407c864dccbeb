import type { Deps } from '#server/deps.ts'
import { type Problem, problem } from '#server/http/problem.ts'
import type { Pace } from './keyed-semaphore.ts'

export const slowMs = 2_000
export const oneInTwoSeconds = { atOnce: 1, milliseconds: slowMs }
export const tenPerSecondInSequence = { atOnce: 1, milliseconds: 100, amongNewest: 3 }
export const tenPerSecond = { atOnce: 10, milliseconds: 1_000 }

/** More waiting requests than real customers ever cause at one address. */
const maxWaiting = 1_000

/** The answer to a request when too many wait already. */
export const tooManyWaiting = (): Problem<'slow-down'> => problem('slow-down', undefined, { retryAfterSeconds: 8 })

type ThrottleOptions = {
  readonly queue: string
  readonly pace: Pace
  readonly group?: string
  readonly failures?: number
}

/** Waits for a slot in a queue with this pace; false when too many wait. */
export const waitForTurn = async (
  { semaphore }: Pick<Deps, 'semaphore'>,
  { queue, ...options }: ThrottleOptions,
): Promise<boolean> => {
  const release = await semaphore.take(queue, { ...options, maxWaiting })
  if (!release) return false
  const { milliseconds = 0 } = semaphore.paceOf(queue) ?? options.pace
  semaphore.after(milliseconds, release)
  return true
}
