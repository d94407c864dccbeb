import { setImmediate as nextRound } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { FairQueue, inArrivalOrder } from '#server/database/fair-queue.ts'

/** Runs several statements, each of which takes a moment and records its name. */
const worker = (turnstile: FairQueue, done: string[]) => async (name: string, statements: number) => {
  for (let n = 0; n < statements; n += 1) {
    await turnstile.take()
    done.push(name)
    await nextRound()
    turnstile.give()
  }
}

const setUp = () => {
  const done: string[] = []
  return { done, work: worker(new FairQueue(), done) }
}

describe('the fair queue in front of a single connection', () => {
  it('one statement runs at a time', async () => {
    const turnstile = new FairQueue()
    let inside = 0
    let most = 0
    const pass = async () => {
      await turnstile.take()
      inside += 1
      most = Math.max(most, inside)
      await nextRound()
      inside -= 1
      turnstile.give()
    }
    await Promise.all(Array.from({ length: 20 }, () => inArrivalOrder(pass)))
    expect({ inside, most }).toEqual({ inside: 0, most: 1 })
  })

  it('the request that arrived first ends first, whatever arrives in between', async () => {
    const { done, work } = setUp()
    const names = ['a', 'b', 'c', 'd', 'e']
    await Promise.all(names.map((name) => inArrivalOrder(() => work(name, 4))))
    const ends = names.map((name) => done.lastIndexOf(name))
    expect(ends).toEqual(ends.toSorted((one, other) => one - other))
    // With one statement per turn, the first would end among the last five of the twenty.
    expect(ends[0]).toBeLessThan(10)
  })

  it('the event loop turns between two statements of a computing engine', async () => {
    const turnstile = new FairQueue()
    let rounds = 0
    let isOver = false
    const count = (): void => {
      rounds += 1
      if (!isOver) setImmediate(count)
    }
    setImmediate(count)
    for (let n = 0; n < 10; n += 1) {
      await turnstile.take()
      turnstile.give()
    }
    isOver = true
    expect(rounds).toBeGreaterThanOrEqual(9)
  })

  it('work outside of any request counts as arriving when it asks', async () => {
    const { done, work } = setUp()
    await Promise.all([
      inArrivalOrder(() => work('first', 1)),
      work('outside', 1),
      inArrivalOrder(() => work('last', 1)),
    ])
    expect(done).toEqual(['first', 'outside', 'last'])
  })

  it('old requests with many statements do not delay a new one', async () => {
    const { done, work } = setUp()
    const old = ['x', 'y', 'z'].map((name) => inArrivalOrder(() => work(name, 200)))
    while (done.length < 100) await nextRound()
    const came = done.length
    await inArrivalOrder(() => work('new', 2))
    expect(done.lastIndexOf('new') - came).toBeLessThan(3 * 16 + 8)
    await Promise.all(old)
    expect(done.filter((name) => name !== 'new')).toHaveLength(600)
  })
})
