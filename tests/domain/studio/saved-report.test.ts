import { expect, test } from 'vitest'
import { validate } from '#domain/shared/validators.ts'
import {
  haveSameChoices,
  nextSending,
  type ReportSchedule,
  type SavedReportDraft,
  savedReportMessages,
  savedReportRules,
  sentDays,
  studioReportOf,
} from '#domain/studio/saved-report.ts'

const draft: SavedReportDraft = { name: 'Monday', choices: { report: 'payments' }, schedule: 'weekly' }

test('choices are the same if each one is, and an absent one is an empty one', () => {
  const choices = { report: 'taxes', filter: 'grace' }
  expect(haveSameChoices(choices, { filter: 'grace', report: 'taxes', state: '' })).toBe(true)
  expect(haveSameChoices(choices, { ...choices, jobId: '12' })).toBe(false)
  expect(haveSameChoices(choices, { report: 'taxes' })).toBe(false)
})

test('without the name of a report, the report is about payments', () => {
  expect([undefined, 'taxes', 'toString'].map(studioReportOf)).toEqual(['payments', 'taxes', 'payments'])
})

test.each<[Partial<SavedReportDraft>, Record<string, string[]>]>([
  [{}, {}],
  [{ name: '  ' }, { name: ['This field is required'] }],
  [{ name: 'x'.repeat(61) }, { name: [savedReportMessages.longName] }],
  [{ name: 'x'.repeat(60) }, {}],
  [{ choices: { report: 'yearbook' } }, { schedule: [savedReportMessages.noDays] }],
  [{ choices: { report: 'yearbook' }, schedule: null }, {}],
])('the draft with %j has the errors %j', (change, errors) => {
  expect(validate({ ...draft, ...change }, savedReportRules)).toEqual(errors)
})

test.each<[ReportSchedule, string, string, string]>([
  // A Wednesday.
  ['weekly', '2027-04-14T12:00:00Z', 'UTC', '2027-04-18T06:00:00.000Z'],
  // Sunday before and after six.
  ['weekly', '2027-04-18T05:59:00Z', 'UTC', '2027-04-18T06:00:00.000Z'],
  ['weekly', '2027-04-18T06:00:00Z', 'UTC', '2027-04-25T06:00:00.000Z'],
  // The clocks are set forward on that Sunday.
  ['weekly', '2027-03-13T12:00:00Z', 'America/New_York', '2027-03-14T10:00:00.000Z'],
  ['monthly', '2027-12-31T23:00:00Z', 'America/New_York', '2028-01-01T11:00:00.000Z'],
  ['monthly', '2028-01-01T10:00:00Z', 'America/New_York', '2028-01-01T11:00:00.000Z'],
])('a %s report at %s in %s is sent next at %s', (schedule, instant, timeZone, next) => {
  expect(nextSending(schedule, instant, timeZone)).toBe(next)
})

test('a sent report is about the week or month that has ended', () => {
  expect(sentDays('weekly', '2027-04-18T06:00:00Z', 'UTC')).toEqual(['2027-04-11', '2027-04-17'])
  expect(sentDays('monthly', '2027-05-01T06:00:00Z', 'UTC')).toEqual(['2027-04-01', '2027-04-30'])
})
