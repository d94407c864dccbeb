import { expect, test } from 'vitest'
import { validate } from '#domain/shared/validators.ts'
import {
  haveSameChoices,
  mentionsName,
  nextSending,
  type ReportChoices,
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

test.each<[ReportChoices, ReportChoices]>([
  [{}, { report: 'payments' }],
  [{ report: 'toString' }, { report: 'payments' }],
  [{ report: 'taxes' }, { report: 'taxes', period: 'month' }],
  [{ report: 'unfinished' }, { report: 'unfinished', period: 'all' }],
  [{ period: 'week' }, { period: 'week', from: '2027-03-13', to: '2027-03-14' }],
  [{ state: 'settled' }, {}],
  [{ type: 'customer' }, { type: 'job' }],
  [{ filter: 'A' }, { filter: 'A', type: 'orderNumber' }],
  [{ state: 'failed', filter: 'grace' }, { state: 'failed' }],
  [{ report: 'taxes', state: 'failed' }, { report: 'taxes' }],
  [
    { report: 'yearbook', jobId: '3', period: 'week' },
    { report: 'yearbook', jobId: '3' },
  ],
  [{ without: 'rate,tax' }, { without: 'tax,rate' }],
  [{ with: 'card,reference' }, { with: 'reference,card' }],
])('the choices %j and %j are the same, because the screen shows the same for both', (one, other) => {
  expect([haveSameChoices(one, other), haveSameChoices(other, one)]).toEqual([true, true])
})

test.each<[ReportChoices, ReportChoices]>([
  [{}, { report: 'refunds' }],
  [{}, { period: 'lastMonth' }],
  [{ period: 'custom', from: '2027-03-13' }, { period: 'custom' }],
  [{ state: 'pending' }, {}],
  [{ filter: 'A', type: 'customer' }, { filter: 'A' }],
  [{ without: 'rate' }, { without: 'tax' }],
  [{ with: 'reference' }, {}],
])('the choices %j and %j differ', (one, other) => {
  expect([haveSameChoices(one, other), haveSameChoices(other, one)]).toEqual([false, false])
})

test.each<[string, ReportChoices, boolean]>([
  ['Monday', { filter: 'grace hopper', type: 'customer' }, true],
  ['Monday', { filter: ' Hopper,  Grace' }, true],
  ['Monday', { filter: 'hopper' }, true],
  ['Monday', { filter: 'Grace@Example.test', type: 'job' }, true],
  ['Orders of Grace Hopper', {}, true],
  ['Hopper, Grace', {}, true],
  ['Monday', {}, false],
  ['Monday', { filter: 'grace' }, false],
  ['Monday', { filter: 'hoppers' }, false],
  ['Monday', { filter: 'Hopper School', type: 'organization' }, false],
  ['Hopper School', {}, false],
])('whether the saved report %s with %j is about Grace Hopper: %j', (name, choices, expected) => {
  const person = { firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.test' }
  expect(mentionsName({ name, choices }, person)).toBe(expected)
})

test('a person without a last name is found by the first name, and an empty name matches nothing', () => {
  const person = { firstName: 'Cher', lastName: '', email: null }
  const searchFor = (filter: string) => ({ name: '', choices: { filter } })
  expect(mentionsName(searchFor('cher'), person)).toBe(true)
  expect(mentionsName(searchFor('grace'), { ...person, firstName: '' })).toBe(false)
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
