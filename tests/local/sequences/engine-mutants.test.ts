import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { mutants, mutated } from './engine-mutants.ts'
import { inThread } from './run-in-threads.ts'

const root = new URL('../../../', import.meta.url)
const seed = Number(process.env.SEED ?? 1)
const maxSequences = 600

it.each(mutants)('$name: this mutant still applies to the engine', async (mutant) => {
  const source = await readFile(new URL(mutant.file, root), 'utf8')
  expect(mutated(mutant, source)).not.toBe(source)
})

/** A short run tests only the first mutant, a long run all of them. */
const selectedMutants = process.env.LONG ? mutants : mutants.slice(0, 1)

it.each(selectedMutants)(
  'an engine that $name is detected',
  async (mutant) => {
    const end = await inThread({ from: seed, every: 1, count: maxSequences, mutant })
    expect(end.failure?.what).toBeTypeOf('string')
  },
  600_000,
)
