import type { Timers } from '#local/transport/timers.ts'
import { turn, untilIdle } from './simulated-platform.ts'

export type VirtualTime = Timers & {
  /** Milliseconds since the sequence began. */
  now(): number
  /** Advances the time and runs each timer at its moment. */
  pass(milliseconds: number): Promise<void>
}

const maxTimersAtOnce = 2_000

/** Time that passes only when advanced. Computations and writes in between take none. */
export const createTime = (): VirtualTime => {
  let now = 0
  const pendingTimers = new Set<{ at: number; work: () => void }>()
  const nextTimer = () => {
    let next: { at: number; work: () => void } | undefined
    for (const timer of pendingTimers) if (!next || timer.at < next.at) next = timer
    return next
  }
  return {
    now: () => now,
    after: (milliseconds, work) => {
      const timer = { at: now + Math.max(0, milliseconds), work }
      pendingTimers.add(timer)
      return () => void pendingTimers.delete(timer)
    },
    pass: async (milliseconds) => {
      const end = now + milliseconds
      let timersAtOnce = 0
      for (;;) {
        await untilIdle()
        const next = nextTimer()
        if (!next || next.at > end) break
        timersAtOnce = next.at > now ? 0 : timersAtOnce + 1
        if (timersAtOnce > maxTimersAtOnce) throw new Error('too many timers at one moment')
        pendingTimers.delete(next)
        now = Math.max(now, next.at)
        next.work()
      }
      now = end
    },
  }
}

/** Resolves to the result of work that needs no time; throws if it never settles. */
export const settleWithoutTime = async <Value>(work: Promise<Value>): Promise<Value> => {
  let isSettled = false
  const markSettled = () => {
    isSettled = true
  }
  work.then(markSettled, markSettled)
  for (let turns = 0; !isSettled; turns += 1) {
    if (turns > 20_000) throw new Error('an edit never settled')
    await turn()
  }
  return await work
}
