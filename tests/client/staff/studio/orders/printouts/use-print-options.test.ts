import { expect, test } from 'vitest'
import { splitIntoChunks } from '#client/staff/studio/orders/printouts/use-print-options.ts'

test.each([
  [[], []],
  [['a'], [['a']]],
  [
    ['a', 'b', 'c'],
    [['a', 'b'], ['c']],
  ],
  [
    ['a', 'b', 'c', 'd'],
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
])('splitIntoChunks(%j, 2) is %j', (items, chunks) => expect(splitIntoChunks(items as string[], 2)).toEqual(chunks))
