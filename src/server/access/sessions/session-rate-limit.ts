import type { Deps } from '#server/deps.ts'
import type { Problem } from '#server/http/problem.ts'
import { countFailures, recordFailure } from '../brute-force/failure-counts.ts'
import { oneInTwoSeconds, slowMs, tooManyWaiting, waitForTurn } from '../brute-force/throttle.ts'

/** Sessions per address in ten minutes at full speed: two for each of the 300 families of a hall. */
const unthrottledSessions = 600
/** New sessions are counted one after the other, so that each is counted before the next. */
const counting = { pace: { atOnce: 1 }, maxWaiting: 2_000 }

/**
 * Counts a new session at its address; past the limit new sessions are created one at a time, two seconds each. Without this, a caller
 * could escape every limit per session by creating new ones. The failure counters also count sessions. Returns a problem when too
 * many wait.
 */
export const limitNewSessions = async (deps: Deps, address: string): Promise<Problem<'slow-down'> | undefined> => {
  const counter = { kind: 'address', key: `session ${address}` } as const
  const release = await deps.semaphore.take(`counting ${counter.key}`, counting)
  if (!release) return tooManyWaiting()
  try {
    const [sessions = 0] = await countFailures(deps, [counter])
    if (sessions < unthrottledSessions) {
      await recordFailure(deps, [counter])
      return undefined
    }
  } finally {
    release()
  }
  if (!(await waitForTurn(deps, { queue: `paced ${counter.key}`, pace: oneInTwoSeconds }))) return tooManyWaiting()
  await deps.wait(slowMs)
  await recordFailure(deps, [counter])
  return undefined
}
