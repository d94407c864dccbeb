import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { instantAt, wallClock } from '#domain/shared/wall-clock.ts'

const newYork = 'America/New_York'

describe('the local time of a time zone', () => {
  test.each([
    ['2027-04-15T12:00:00.000Z', newYork, '2027-04-15T08:00'],
    ['2027-01-15T12:00:00.000Z', newYork, '2027-01-15T07:00'],
    ['2027-01-01T03:30:00.000Z', newYork, '2026-12-31T22:30'],
    ['2027-04-15T12:00:00.000Z', 'America/Phoenix', '2027-04-15T05:00'],
    ['2027-04-15T12:00:00.000Z', 'Asia/Kolkata', '2027-04-15T17:30'],
  ])('the instant %s in %s is converted to the local time %s and back', (instant, timeZone, localTime) => {
    expect(wallClock(instant, timeZone)).toBe(localTime)
    expect(instantAt(localTime, timeZone)).toBe(instant)
  })

  test('a local time that occurs twice is converted to the earlier instant', () => {
    expect(instantAt('2027-11-07T01:30', newYork)).toBe('2027-11-07T05:30:00.000Z')
    expect(wallClock('2027-11-07T06:30:00.000Z', newYork)).toBe('2027-11-07T01:30')
    expect(instantAt('2027-10-31T02:30', 'Europe/Berlin')).toBe('2027-10-31T00:30:00.000Z')
    expect(instantAt('2027-04-04T01:45', 'Australia/Lord_Howe')).toBe('2027-04-03T14:45:00.000Z')
  })

  test('a local time that is skipped in spring is moved one hour later', () => {
    const instant = instantAt('2027-03-14T02:30', newYork) ?? ''
    expect(instant).toBe('2027-03-14T07:30:00.000Z')
    expect(wallClock(instant, newYork)).toBe('2027-03-14T03:30')
  })

  test.each(['', 'soon', '2027-04-15T25:00', '2027-02-31T10:00', '2027-04-15'])('%j is not a local time', (text) =>
    expect(instantAt(text, newYork)).toBeNull(),
  )

  test('converting a local time to an instant and back returns the same local time', () => {
    const minutesSince2020 = fc.integer({ min: 0, max: 20 * 365 * 24 * 60 })
    const zoneNames = fc.constantFrom(newYork, 'America/Los_Angeles', 'Australia/Lord_Howe', 'Asia/Kolkata', 'UTC')
    fc.assert(
      fc.property(minutesSince2020, zoneNames, (minutes, timeZone) => {
        const localTime = wallClock(new Date(Date.UTC(2020, 0, 1) + minutes * 60_000).toISOString(), timeZone)
        expect(wallClock(instantAt(localTime, timeZone) ?? '', timeZone)).toBe(localTime)
      }),
    )
  })
})
