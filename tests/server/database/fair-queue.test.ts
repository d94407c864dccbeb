import { setImmediate as nextRound } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { FairQueue, inArrivalOrder } from '#server/database/fair-queue.ts'

/** Runs several statements, each of which takes a moment and records its name. */
const worker = (queue: FairQueue, finished: string[]) => async (name: string, statements: number) => {
  for (let n = 0; n < statements; n += 1) {
    await queue.take()
    finished.push(name)
    await nextRound()
    queue.give()
  }
}

const setUp = () => {
  const finished: string[] = []
  return { finished, work: worker(new FairQueue(), finished) }
}

describe('the fair queue in front of a single connection', () => {
  it('one statement runs at a time', async () => {
    const queue = new FairQueue()
    let running = 0
    let maxRunning = 0
    const runStatement = async () => {
      await queue.take()
      running += 1
      maxRunning = Math.max(maxRunning, running)
      await nextRound()
      running -= 1
      queue.give()
    }
    await Promise.all(Array.from({ length: 20 }, () => inArrivalOrder(runStatement)))
    expect({ running, maxRunning }).toEqual({ running: 0, maxRunning: 1 })
  })

  it('the request that arrived first ends first, even if others arrive in between', async () => {
    const { finished, work } = setUp()
    const names = ['a', 'b', 'c', 'd', 'e']
    await Promise.all(names.map((name) => inArrivalOrder(() => work(name, 4))))
    const endPositions = names.map((name) => finished.lastIndexOf(name))
    expect(endPositions).toEqual(endPositions.toSorted((left, right) => left - right))
    // If the requests took turns after each statement, the first would end among the last five of the twenty.
    expect(endPositions[0]).toBeLessThan(10)
  })

  it('the event loop runs between two statements of an engine that computes in this thread', async () => {
    const queue = new FairQueue()
    let rounds = 0
    let isDone = false
    const count = (): void => {
      rounds += 1
      if (!isDone) setImmediate(count)
    }
    setImmediate(count)
    for (let n = 0; n < 10; n += 1) {
      await queue.take()
      queue.give()
    }
    isDone = true
    expect(rounds).toBeGreaterThanOrEqual(9)
  })

  it('work outside of any request is queued by the time of its statement', async () => {
    const { finished, work } = setUp()
    await Promise.all([
      inArrivalOrder(() => work('first', 1)),
      work('outside', 1),
      inArrivalOrder(() => work('last', 1)),
    ])
    expect(finished).toEqual(['first', 'outside', 'last'])
  })

  it('old requests with many statements do not delay a new one', async () => {
    const { finished, work } = setUp()
    const oldRequests = ['x', 'y', 'z'].map((name) => inArrivalOrder(() => work(name, 200)))
    while (finished.length < 100) await nextRound()
    const doneBefore = finished.length
    await inArrivalOrder(() => work('new', 2))
    expect(finished.lastIndexOf('new') - doneBefore).toBeLessThan(3 * 16 + 8)
    await Promise.all(oldRequests)
    expect(finished.filter((name) => name !== 'new')).toHaveLength(600)
  })
})
