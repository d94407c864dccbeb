import { expect, test } from 'vitest'
import { periodDays } from '#domain/studio/report-periods.ts'

type Period = Parameters<typeof periodDays>[0]

test.each<[Period, string, string, [string, string]]>([
  // A Wednesday; weeks start on Sunday.
  ['week', '2027-04-14T12:00:00Z', 'UTC', ['2027-04-11', '2027-04-17']],
  // The week in which the clocks are set forward.
  ['week', '2027-03-14T12:00:00Z', 'America/New_York', ['2027-03-14', '2027-03-20']],
  // Still Saturday in New York.
  ['week', '2027-04-18T03:59:00Z', 'America/New_York', ['2027-04-11', '2027-04-17']],
  // The week before the one in which the clocks are set forward.
  ['lastWeek', '2027-03-14T12:00:00Z', 'America/New_York', ['2027-03-07', '2027-03-13']],
  ['lastWeek', '2027-01-02T12:00:00Z', 'UTC', ['2026-12-20', '2026-12-26']],
  ['month', '2028-02-10T12:00:00Z', 'UTC', ['2028-02-01', '2028-02-29']],
  // Already the next year on Kiritimati, and still the last one in Honolulu.
  ['month', '2027-12-31T11:00:00Z', 'Pacific/Kiritimati', ['2028-01-01', '2028-01-31']],
  ['month', '2028-01-01T09:00:00Z', 'Pacific/Honolulu', ['2027-12-01', '2027-12-31']],
  ['lastMonth', '2027-03-31T12:00:00Z', 'UTC', ['2027-02-01', '2027-02-28']],
  ['lastMonth', '2027-01-01T03:00:00Z', 'America/New_York', ['2026-11-01', '2026-11-30']],
  ['quarter', '2027-05-31T12:00:00Z', 'UTC', ['2027-04-01', '2027-06-30']],
  ['schoolYear', '2027-06-30T12:00:00Z', 'UTC', ['2026-07-01', '2027-06-30']],
  ['schoolYear', '2027-07-01T12:00:00Z', 'UTC', ['2027-07-01', '2028-06-30']],
  ['schoolYear', '2027-07-01T03:00:00Z', 'America/New_York', ['2026-07-01', '2027-06-30']],
])('the %s at %s in %s is %j', (period, instant, timeZone, days) => {
  expect(periodDays(period, instant, timeZone)).toEqual(days)
})
