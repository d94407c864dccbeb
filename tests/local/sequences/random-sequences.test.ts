import { expect, it } from 'vitest'
import { testSeed } from '#support/seed.ts'
import { inThread, inThreads } from './run-in-threads.ts'
import type { SliceEnd } from './sequence-thread.ts'

const seedOption = process.env.SEED === undefined ? null : Number(process.env.SEED)
const count = seedOption !== null ? 1 : process.env.LONG ? 10_000 : 10
const from = seedOption ?? testSeed

const reportOf = (end: SliceEnd): string[] =>
  end.failure ? [`SEED=${end.failure.seed}: ${end.failure.what}`, ...end.failure.trace] : []

it(`no mutation is lost, duplicated or changed in ${count} sequences from seed ${from}`, async () => {
  const slice = { from, every: 1, count: 1, mutant: null }
  const ends = count === 1 ? [await inThread(slice)] : await inThreads(from, count)
  expect(ends.flatMap(reportOf).join('\n')).toBe('')
  for (const end of ends) {
    if (end.failure) continue
    expect(end.fewestEdits).toBeGreaterThanOrEqual(20)
    expect(end.fewestFaults).toBeGreaterThanOrEqual(3)
  }
}, 3_600_000)
