import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { copiedPromotionCode, daysOfPeriod, periodOfDays } from '#domain/pricing/promotion-draft.ts'

const timeZones = [
  'America/New_York',
  'America/Los_Angeles',
  'Pacific/Honolulu',
  'Europe/Berlin',
  'Australia/Lord_Howe',
]
const anyDay = fc
  .date({ min: new Date('2026-01-01T00:00:00Z'), max: new Date('2030-12-31T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))

describe('the days of a promotion', () => {
  test('the period of two days has these days, in every time zone and on days when clocks change', () => {
    fc.assert(
      fc.property(fc.option(anyDay), fc.option(anyDay), fc.constantFrom(...timeZones), (startsOn, endsOn, timeZone) => {
        expect(daysOfPeriod(periodOfDays({ startsOn, endsOn }, timeZone), timeZone)).toEqual({ startsOn, endsOn })
      }),
    )
  })

  test.each([
    ['2027-03-14', '2027-03-14T05:00:00.000Z', '2027-03-15T04:00:00.000Z'],
    ['2027-11-07', '2027-11-07T04:00:00.000Z', '2027-11-08T05:00:00.000Z'],
    ['2027-12-31', '2027-12-31T05:00:00.000Z', '2028-01-01T05:00:00.000Z'],
  ])('%s in New York begins and ends at midnight', (day, startsAt, endsAt) => {
    expect(periodOfDays({ startsOn: day, endsOn: day }, 'America/New_York')).toEqual({ startsAt, endsAt })
  })
})

describe('the code of a copy', () => {
  test.each([
    ['SAVE10', 'SAVE10-2'],
    ['SAVE10-2', 'SAVE10-3'],
    ['SAVE-9', 'SAVE-10'],
    ['A'.repeat(20), `${'A'.repeat(18)}-2`],
  ])('%s is copied as %s', (code, copy) => {
    expect(copiedPromotionCode(code)).toBe(copy)
  })
})
