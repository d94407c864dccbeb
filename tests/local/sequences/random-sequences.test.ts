import { expect, it } from 'vitest'
import { testSeed } from '#support/seed.ts'
import { inThread, inThreads } from './run-in-threads.ts'
import type { SliceEnd } from './sequence-thread.ts'

const given = process.env.SEED === undefined ? null : Number(process.env.SEED)
const count = given !== null ? 1 : process.env.LONG ? 10_000 : 10
const from = given ?? testSeed

const tellOf = (end: SliceEnd): string[] =>
  end.found ? [`SEED=${end.found.seed}: ${end.found.what}`, ...end.found.trace] : []

it(`loses, doubles and changes nothing over ${count} sequences from seed ${from}`, async () => {
  const slice = { from, every: 1, count: 1, mutant: null }
  const ends = count === 1 ? [await inThread(slice)] : await inThreads(from, count)
  expect(ends.flatMap(tellOf).join('\n')).toBe('')
  for (const end of ends) {
    if (end.found) continue
    expect(end.fewestEdits).toBeGreaterThanOrEqual(20)
    expect(end.fewestFaults).toBeGreaterThanOrEqual(3)
  }
}, 3_600_000)
