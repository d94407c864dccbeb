import type { Timers } from '#local/transport/timers.ts'
import { rest, turn } from './simulated-platform.ts'

export type VirtualTime = Timers & {
  /** Milliseconds since the sequence began. */
  now(): number
  /** Lets so much time go by, everything that falls due on the way done at its moment. */
  pass(milliseconds: number): Promise<void>
}

const mostAtOneMoment = 2_000

/** Time that passes only when it is told to. What the device reckons and writes in between takes none. */
export const createTime = (): VirtualTime => {
  let now = 0
  const waiting = new Set<{ at: number; work: () => void }>()
  const nextOne = () => {
    let next: { at: number; work: () => void } | undefined
    for (const one of waiting) if (!next || one.at < next.at) next = one
    return next
  }
  return {
    now: () => now,
    after: (milliseconds, work) => {
      const one = { at: now + Math.max(0, milliseconds), work }
      waiting.add(one)
      return () => void waiting.delete(one)
    },
    pass: async (milliseconds) => {
      const end = now + milliseconds
      let atThisMoment = 0
      for (;;) {
        await rest()
        const next = nextOne()
        if (!next || next.at > end) break
        atThisMoment = next.at > now ? 0 : atThisMoment + 1
        if (atThisMoment > mostAtOneMoment) throw new Error('the device turns in a circle')
        waiting.delete(next)
        now = Math.max(now, next.at)
        next.work()
      }
      now = end
    },
  }
}

/** What comes of work that needs no time; fails where it never comes. */
export const settleWithoutTime = async <Value>(work: Promise<Value>): Promise<Value> => {
  let isOver = false
  const over = () => {
    isOver = true
  }
  work.then(over, over)
  for (let turns = 0; !isOver; turns += 1) {
    if (turns > 20_000) throw new Error('an edit was never answered')
    await turn()
  }
  return await work
}
