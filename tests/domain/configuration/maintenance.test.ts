import { describe, expect, test } from 'vitest'
import {
  type MaintenancePlan,
  maintenanceMessages,
  maintenanceNotice,
  maintenanceRules,
  maintenanceState,
  noMaintenance,
} from '#domain/configuration/maintenance.ts'
import { validate } from '#domain/shared/validators.ts'

const planned: MaintenancePlan = {
  ...noMaintenance,
  ...{ from: '2027-04-15T20:00:00.000Z', until: '2027-04-15T22:00:00.000Z', noticeHours: 6 },
}

describe('the plan of a maintenance', () => {
  test.each([
    ['2027-04-15T13:59:59.999Z', 'open'],
    ['2027-04-15T14:00:00.000Z', 'announced'],
    ['2027-04-15T19:59:59.999Z', 'announced'],
    ['2027-04-15T20:00:00.000Z', 'closed'],
    ['2027-04-15T21:59:59.999Z', 'closed'],
    ['2027-04-15T22:00:00.000Z', 'open'],
  ])('at %s the product is %s', (now, state) => {
    expect(maintenanceState(planned, new Date(now))).toBe(state)
  })

  test('without an announcement it is open until the window begins, and switched on it is closed at any time', () => {
    const before = new Date('2027-04-15T19:59:59Z')
    expect(maintenanceState({ ...planned, noticeHours: 0 }, before)).toBe('open')
    expect(maintenanceState({ ...noMaintenance, isOn: true }, before)).toBe('closed')
    expect(maintenanceState(noMaintenance, before)).toBe('open')
  })

  test.each([
    [{}, {}],
    [{ from: null, until: null }, {}],
    [{ until: null }, { until: [maintenanceMessages.bothTimes] }],
    [{ from: null }, { until: [maintenanceMessages.bothTimes] }],
    [{ until: planned.from }, { until: [maintenanceMessages.order] }],
    [{ until: '2027-04-18T20:00:00.000Z' }, {}],
    [{ until: '2027-04-18T20:00:00.001Z' }, { until: [maintenanceMessages.length] }],
    [{ message: ` ${'x'.repeat(300)} ` }, {}],
    [{ message: 'x'.repeat(301) }, { message: [maintenanceMessages.message] }],
    [{ noticeHours: 168 }, {}],
    [{ noticeHours: 1.5 }, { noticeHours: [maintenanceMessages.notice] }],
    [{ noticeHours: -1 }, { noticeHours: [maintenanceMessages.notice] }],
  ])('a plan with %j has the errors %j', (change, errors) => {
    expect(validate<MaintenancePlan>({ ...planned, ...change }, maintenanceRules)).toEqual(errors)
  })

  test('the announcement names the window in the local time of the reader, and ends when the window begins', () => {
    const noticeAt = (now: string, timeZone = 'America/Chicago') => maintenanceNotice(planned, new Date(now), timeZone)
    const plain = noticeAt('2027-04-15T14:00:00Z')?.replace(/\s/g, ' ')
    expect(plain).toBe('Ordering is closed for maintenance from Apr 15, 3:00 PM CDT to Apr 15, 5:00 PM CDT')
    expect(noticeAt('2027-04-15T14:00:00Z', 'Asia/Tokyo')).toContain('Apr 16')
    expect(noticeAt('2027-04-15T13:00:00Z')).toBeNull()
    expect(noticeAt('2027-04-15T20:00:00Z')).toBeNull()
  })
})
