import { expect, test } from 'vitest'
import { importCyclesIn } from '../bench/byte-budgets.ts'

const createManifest = (imports: Record<string, string[]>) =>
  Object.fromEntries(
    Object.entries(imports).map(([key, importKeys]) => [key, { file: `${key}.js`, imports: importKeys }]),
  )

test('import cycles of any length are found, and a shared chunk is no cycle', () => {
  expect(importCyclesIn(createManifest({ entry: ['a', 'b'], a: ['shared'], b: ['shared'], shared: [] }))).toEqual([])
  expect(importCyclesIn(createManifest({ entry: ['a'], a: ['b'], b: ['c'], c: ['a'] }))).toEqual([['a', 'b', 'c']])
  expect(importCyclesIn(createManifest({ a: ['a'] }))).toEqual([['a']])
})
