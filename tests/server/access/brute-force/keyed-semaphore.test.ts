import { describe, expect, it } from 'vitest'
import { virtualTime } from '#support/server/virtual-time.ts'

/** Returns how many milliseconds a new caller waits while three others queue again `returnsAfterMs` after each of their turns. */
const waitAmongOthers = async (returnsAfterMs: number, arrivesAtMs: number): Promise<number> => {
  const time = virtualTime()
  const pace = { atOnce: 1, milliseconds: 100, amongNewest: 3 }
  const take = async (): Promise<void> => {
    const leave = await time.semaphore.take('a queue', { pace, maxWaiting: 100 })
    if (leave) time.semaphore.after(pace.milliseconds, leave)
  }
  let isServed = false
  let waitedMs = 0
  const returningCaller = async () => {
    for (let turn = 0; turn < 40 && !isServed; turn += 1) {
      await take()
      await time.wait(returnsAfterMs)
    }
  }
  const newCaller = async () => {
    await time.wait(arrivesAtMs)
    const start = time.clock().getTime()
    await take()
    isServed = true
    waitedMs = time.clock().getTime() - start
  }
  await time.runConcurrently([returningCaller, returningCaller, returningCaller, newCaller])
  return waitedMs
}

describe('a queue that serves the newest request first', () => {
  const cases = [0, 5, 20, 50, 95, 150].flatMap((returnsAfterMs) =>
    [1001, 1010, 1050, 1099].map((arrivesAtMs) => [returnsAfterMs, arrivesAtMs] as const),
  )

  it.each(cases)(
    'while others return %i ms after their turns, a caller that arrives at %i ms waits at most 500 ms',
    async (returnsAfterMs, arrivesAtMs) => {
      expect(await waitAmongOthers(returnsAfterMs, arrivesAtMs)).toBeLessThanOrEqual(500)
    },
  )
})
