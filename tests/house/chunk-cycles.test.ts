import { expect, test } from 'vitest'
import { importCyclesIn } from '../bench/byte-budgets.ts'

const files = (imports: Record<string, string[]>) =>
  Object.fromEntries(Object.entries(imports).map(([key, of]) => [key, { file: `${key}.js`, imports: of }]))

test('files of code that wait for each other are found, however long the way round; a shared file is no ring', () => {
  expect(importCyclesIn(files({ entry: ['a', 'b'], a: ['shared'], b: ['shared'], shared: [] }))).toEqual([])
  expect(importCyclesIn(files({ entry: ['a'], a: ['b'], b: ['c'], c: ['a'] }))).toEqual([['a', 'b', 'c']])
  expect(importCyclesIn(files({ a: ['a'] }))).toEqual([['a']])
})
