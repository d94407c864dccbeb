import { KeyedSemaphore } from '#server/access/brute-force/keyed-semaphore.ts'

type Timer = { readonly at: number; readonly run: () => void }

/**
 * A clock that jumps to the next timer once every running request waits for a queue or a timer. Requests run in the same order as
 * in real time, and a day takes seconds.
 */
export const virtualTime = (start = '2027-04-15T10:00:00.000Z') => {
  let now = Date.parse(start)
  let runningCount = 0
  let waitingCount = 0
  const timers: Timer[] = []
  const after = (milliseconds: number, run: () => void) => void timers.push({ at: now + milliseconds, run })
  const semaphore = new KeyedSemaphore(after)

  const wait = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => {
      waitingCount += 1
      after(milliseconds, () => {
        waitingCount -= 1
        resolve()
      })
    })

  const runNextTimer = (): void => {
    const earliestTimer = timers.reduce(
      (earliest, timer) => (timer.at < earliest.at ? timer : earliest),
      timers[0] ?? throwNoTimer(),
    )
    timers.splice(timers.indexOf(earliestTimer), 1)
    now = Math.max(now, earliestTimer.at)
    earliestTimer.run()
  }

  /** Runs several workers concurrently until the last one is done. */
  const runConcurrently = async <Result>(workers: readonly (() => Promise<Result>)[]): Promise<Result[]> => {
    let isDone = false
    const results = Promise.all(
      workers.map(async (work) => {
        runningCount += 1
        return await work().finally(() => {
          runningCount -= 1
        })
      }),
    ).finally(() => {
      isDone = true
    })
    while (!isDone) {
      await new Promise<void>((resolve) => setImmediate(resolve))
      if (runningCount > 0 && runningCount === waitingCount + semaphore.waiting) runNextTimer()
    }
    return await results
  }

  return {
    clock: () => new Date(now),
    wait,
    semaphore,
    runConcurrently,
    /** Advances the clock while no request runs. */
    advance: (milliseconds: number) => {
      now += milliseconds
    },
  }
}

const throwNoTimer = (): never => {
  throw new Error('every request waits, but there is no timer')
}
