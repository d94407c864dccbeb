import { expect, test } from 'vitest'
import { normaliseAccessCode } from '#client/customer/discovery/studio/access-code-entry.ts'
import { accessCodeError, urlAfterAccessCode } from '#client/customer/discovery/studio/redeem-access-code.ts'
import { calendarReminder } from '#client/customer/discovery/unavailable/calendar-reminder.ts'

test('an access code is normalised to upper-case letters and digits', () => {
  expect(normaliseAccessCode(' spr-ing ')).toBe('SPRING')
})

const redeemedJob = { studioSlug: 'riverside', jobId: 12, subjectId: null, ret: undefined }

test.each([
  ['the search', redeemedJob, '/riverside/12/search'],
  ['its subject’s packages', { ...redeemedJob, subjectId: 7 }, '/riverside/12/subject/7/select-package'],
  ['the URL the customer wanted', { ...redeemedJob, ret: '/riverside/12/cart?x=1' }, '/riverside/12/cart?x=1'],
  ['its own job, not another one', { ...redeemedJob, ret: '/riverside/13/cart' }, '/riverside/12/search'],
  [
    'its own job, not one whose id has the same prefix',
    { ...redeemedJob, ret: '/riverside/123/cart' },
    '/riverside/12/search',
  ],
  [
    'its own job, not another site',
    { ...redeemedJob, ret: 'https://evil.example/riverside/12/' },
    '/riverside/12/search',
  ],
  [
    'the search, not back to the unavailable screen',
    { ...redeemedJob, ret: '/riverside/12/unavailable' },
    '/riverside/12/search',
  ],
])('an access code leads to %s', (_, route, address) => expect(urlAfterAccessCode(route)).toBe(address))

test.each([
  [{ status: 404, errors: ['x'] }, /don’t recognize that code/],
  [{ status: 'unreachable' as const, errors: ['No answer'] }, /^No answer\. Your code stays in the field/],
  [{ status: 429, errors: ['Please wait 2 seconds'] }, /wait 2 seconds/],
  [{ status: 500, errors: ['It was us'] }, /^It was us$/],
])('the failure %j has an error message', (failure, message) => expect(accessCodeError(failure)).toMatch(message))

test('a calendar reminder escapes the job’s name', () => {
  const text = calendarReminder({
    opens: '2027-09-01T14:00:00.000Z',
    title: 'Fall; Picture,\nDay',
    link: 'https://x.test/riverside/14/unavailable',
    createdAt: '2027-05-01T00:00:00.000Z',
  })
  expect(text).toContain('DTSTART:20270901T140000Z\r\n')
  expect(text).toContain('SUMMARY:Fall\\; Picture\\,\\nDay: orders open\r\n')
})
