import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { mutants, mutated } from './engine-mutants.ts'
import { inThread } from './run-in-threads.ts'

const root = new URL('../../../', import.meta.url)
const seed = Number(process.env.SEED ?? 1)
const mostSequences = 600

it.each(mutants)('$name: that can still be built into the engine', async (mutant) => {
  const source = await readFile(new URL(mutant.file, root), 'utf8')
  expect(mutated(mutant, source)).not.toBe(source)
})

/** One of them in every run, each of them where there is time. */
const today = process.env.LONG ? mutants : mutants.slice(0, 1)

it.each(today)(
  'an engine that $name is caught',
  async (mutant) => {
    const end = await inThread({ from: seed, every: 1, count: mostSequences, mutant })
    expect(end.found?.what).toBeTypeOf('string')
  },
  600_000,
)
