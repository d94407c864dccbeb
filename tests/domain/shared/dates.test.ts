import { describe, expect, test } from 'vitest'
import { formatDate } from '#domain/shared/dates.ts'

describe('dates are shown in UTC as MM/DD/YYYY (section 9)', () => {
  test.each([
    ['2027-04-05', '04/05/2027'],
    ['2027-04-05T23:59:59.999Z', '04/05/2027'],
    ['2027-04-05T23:30:00-05:00', '04/06/2027'],
    [new Date(Date.UTC(2026, 11, 31, 23, 59)), '12/31/2026'],
  ])('the date %s is shown as %s', (date, formatted) => expect(formatDate(date)).toBe(formatted))

  test('formatting something that is not a date throws', () => expect(() => formatDate('soon')).toThrow(RangeError))
})
