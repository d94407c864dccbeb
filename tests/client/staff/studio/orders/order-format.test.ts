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
])('formatFileSize(%d) is %s', (bytes, text) => expect(formatFileSize(bytes)).toBe(text))

test.each([
  [1, '1 order'],
  [4812, '4,812 orders'],
])('formatOrderCount(%d) is %s', (count, text) => expect(formatOrderCount(count)).toBe(text))

test('an instant is formatted in the studio’s time zone', () =>
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
])('splitIntoChunks(%j, 2) is %j', (items, chunks) => expect(splitIntoChunks(items as string[], 2)).toEqual(chunks))
