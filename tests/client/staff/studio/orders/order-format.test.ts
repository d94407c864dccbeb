import { expect, test } from 'vitest'
import { formatFileSize, formatMoment, formatOrderCount } from '#client/staff/studio/orders/order-format.ts'
import { splitIntoChunks } from '#client/staff/studio/orders/printouts/print-options.ts'

test.each([
  [0, '0 bytes'],
  [900, '900 bytes'],
  [1024, '1 KB'],
  [150_000, '146 KB'],
  [3_565_158, '3.4 MB'],
  [5 * 1024 ** 3, '5 GB'],
  [3000 * 1024 ** 3, '3,000 GB'],
])('%d bytes are %s', (bytes, words) => expect(formatFileSize(bytes)).toBe(words))

test.each([
  [1, '1 order'],
  [4812, '4,812 orders'],
])('%d is %s', (count, words) => expect(formatOrderCount(count)).toBe(words))

test('a moment is read where the studio is', () =>
  expect(formatMoment('2027-04-15T02:30:00.000Z', 'America/New_York')).toBe('Apr 14, 10:30 PM'))

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
])('%j lies on sheets of two as %j', (all, sheets) => expect(splitIntoChunks(all as string[], 2)).toEqual(sheets))
