import { expect, test } from 'vitest'
import { formatMoment, formatOrderCount } from '#client/staff/kit/screen/format.ts'

test.each([
  [1, '1 order'],
  [4812, '4,812 orders'],
])('formatOrderCount(%d) is %s', (count, text) => expect(formatOrderCount(count)).toBe(text))

test('an instant is formatted in the studio’s time zone', () =>
  expect(formatMoment('2027-04-15T02:30:00.000Z', 'America/New_York')).toBe('Apr 14, 10:30 PM'))
