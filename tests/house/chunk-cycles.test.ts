import { expect, test } from 'vitest'
import { importCyclesIn } from '../bench/byte-budgets.ts'

const files = (imports: Record<string, string[]>) =>
  Object.fromEntries(Object.entries(imports).map(([key, of]) => [key, { file: `${key}.js`, imports: of }]))

test('chunks that import each other are found, however long the cycle, and shared files are no cycle', () => {
  expect(importCyclesIn(files({ entry: ['a', 'b'], a: ['shared'], b: ['shared'], shared: [] }))).toEqual([])
  expect(importCyclesIn(files({ entry: ['a'], a: ['b'], b: ['c'], c: ['a'] }))).toEqual([['a', 'b', 'c']])
  expect(importCyclesIn(files({ a: ['a'] }))).toEqual([['a']])
})
