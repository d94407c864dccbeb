import { KeyedSemaphore } from '#server/access/brute-force/keyed-semaphore.ts'

type Timer = { readonly at: number; readonly run: () => void }

/**
 * A clock that jumps to the next timer once every running request waits for a queue or a timer. Requests wait for each other in the same
 * order as in real time, and a day takes seconds.
 */
export const virtualTime = (start = '2027-04-15T10:00:00.000Z') => {
  let now = Date.parse(start)
  let running = 0
  let waiting = 0
  const timers: Timer[] = []
  const after = (milliseconds: number, run: () => void) => void timers.push({ at: now + milliseconds, run })
  const lines = new KeyedSemaphore(after)

  const wait = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => {
      waiting += 1
      after(milliseconds, () => {
        waiting -= 1
        resolve()
      })
    })

  const jump = (): void => {
    const next = timers.reduce((one, other) => (other.at < one.at ? other : one), timers[0] ?? throwNoTimer())
    timers.splice(timers.indexOf(next), 1)
    now = Math.max(now, next.at)
    next.run()
  }

  /** Runs several workers concurrently until the last one is done. */
  const together = async <Result>(workers: readonly (() => Promise<Result>)[]): Promise<Result[]> => {
    let isDone = false
    const all = Promise.all(
      workers.map(async (work) => {
        running += 1
        return await work().finally(() => {
          running -= 1
        })
      }),
    ).finally(() => {
      isDone = true
    })
    while (!isDone) {
      await new Promise<void>((resolve) => setImmediate(resolve))
      if (running > 0 && running === waiting + lines.waiting) jump()
    }
    return await all
  }

  return {
    clock: () => new Date(now),
    wait,
    lines,
    together,
    /** Advances the clock while no request runs. */
    advance: (milliseconds: number) => {
      now += milliseconds
    },
  }
}

const throwNoTimer = (): never => {
  throw new Error('every request waits, and nothing will ever happen')
}
