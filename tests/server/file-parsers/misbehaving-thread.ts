import { setTimeout as pause } from 'node:timers/promises'

export const answer = async (input: number): Promise<{ answer: number }> => ({ answer: input })

export const rest = async (milliseconds: number): Promise<string> => {
  await pause(milliseconds)
  return 'rested'
}

export const runForEver = async (): Promise<void> => {
  for (;;) Math.sqrt(2)
}

const allocations: string[][] = []

/** Allocates about eight megabytes `times` times, and returns how often this thread was called. */
export const hold = async (times: number): Promise<number> => {
  allocations.push(Array.from({ length: times * 100_000 }, (_, index) => `${allocations.length} ${index}`))
  return allocations.length
}

export const takeMemory = async (): Promise<number> => {
  const allocated: string[][] = []
  for (let at = 0; ; at += 1) allocated.push(Array.from({ length: 1000 }, (_, n) => `${at} ${n}`))
}

export const fail = async (): Promise<void> => {
  throw new Error('an internal error')
}
