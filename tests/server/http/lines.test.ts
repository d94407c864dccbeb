import { describe, expect, it } from 'vitest'
import { virtualTime } from '#support/server/virtual-time.ts'

/** How long a caller waits in a queue when another one returns at this interval after each of its turns. */
const waitBesideAnother = async (comesAgainAfter: number, arrivesAt: number): Promise<number> => {
  const time = virtualTime()
  const pace = { atOnce: 1, milliseconds: 100, amongNewest: 3 }
  const take = async (): Promise<void> => {
    const leave = await time.lines.take('a line', { pace, maxWaiting: 100 })
    if (leave) time.lines.after(pace.milliseconds, leave)
  }
  let isIn = false
  let waited = 0
  const another = async () => {
    for (let turn = 0; turn < 40 && !isIn; turn += 1) {
      await take()
      await time.wait(comesAgainAfter)
    }
  }
  const somebody = async () => {
    await time.wait(arrivesAt)
    const start = time.clock().getTime()
    await take()
    isIn = true
    waited = time.clock().getTime() - start
  }
  await time.together([another, another, another, somebody])
  return waited
}

describe('a queue in which the newest goes first', () => {
  const cases = [0, 5, 20, 50, 95, 150].flatMap((again) => [1001, 1010, 1050, 1099].map((at) => [again, at] as const))

  it.each(cases)('a caller gets its turn though others return %i ms after theirs, at %i ms', async (again, at) => {
    expect(await waitBesideAnother(again, at)).toBeLessThanOrEqual(500)
  })
})
