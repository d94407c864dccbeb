// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { FindForm } from '#client/home/find-form.tsx'
import { saveAccessCode } from '#local/session.ts'
import { database } from '#platform/database.ts'
import { click, getButton, getElement, render, type } from '#support/rendering/render.tsx'

const event = {
  ...{ jobId: 1, studioId: 4, jobName: 'Spring Portraits 2027', subject: null },
  ...{ code: 'SPRING', studioSlug: 'riverside', studioName: 'Riverside Portraits' },
}
const studio = (name: string, city: string | null = null) => ({ slug: name.toLowerCase(), name, city })
const notFound = { errors: ['We don’t know this code or studio'], problem: 'not-found' }

let requestedUrls: string[]

/** The server's answer: data, or the failure of a status. */
const answerWith = (body: object, status = 200) =>
  vi.stubGlobal('fetch', async (url: string) => {
    requestedUrls.push(url)
    return new Response(JSON.stringify(status === 200 ? { data: body } : body), { status })
  })

beforeEach(async () => {
  await database.delete()
  await database.open()
  history.replaceState(null, '', '/')
  requestedUrls = []
})
afterEach(() => vi.unstubAllGlobals())

const field = () => getElement<HTMLInputElement>('input[name="find"]')

const find = async (text: string) => {
  render(<FindForm />)
  type(field(), text)
  await act(async () => click(getButton('Find my photos')))
  await vi.waitFor(() => expect(getButton('Find my photos').getAttribute('aria-busy')).toBeNull())
}

test('a code that one studio uses is redeemed, stored on the device, and opens its event', async () => {
  answerWith({ event, events: [], studios: [] })
  await find(' spr-ing ')
  await vi.waitFor(() => expect(location.pathname).toBe('/riverside/1/search'))
  expect(requestedUrls).toEqual(['/api/customer/find?text=spr-ing'])
  expect(await database.codes.toArray()).toEqual([
    { studioSlug: 'riverside', code: 'SPRING', jobId: 1, studioId: 4, subjectId: null },
  ])
})

test('the only studio with this name is opened', async () => {
  answerWith({ event: null, events: [], studios: [studio('Summit', 'Boulder')] })
  await find('summ')
  await vi.waitFor(() => expect(location.pathname).toBe('/summit'))
})

test('a pasted web address without a path is searched, and opens its studio', async () => {
  answerWith({ event: null, events: [], studios: [studio('Summit')] })
  await find('https://www.summit.test/')
  await vi.waitFor(() => expect(location.pathname).toBe('/summit'))
  expect(requestedUrls).toEqual(['/api/customer/find?text=https%3A%2F%2Fwww.summit.test%2F'])
})

test('a pasted link opens its page without a request', async () => {
  answerWith({})
  await find('https://fieldproof.test/riverside/code/ADALVL')
  expect(location.pathname).toBe('/riverside/code/ADALVL')
  expect(requestedUrls).toEqual([])
})

test('several matches are listed with what distinguishes them, and announced by the focus on their heading', async () => {
  answerWith({ event, events: [], studios: [studio('Spring', 'Dayton'), studio('Springtime')] })
  await find('spring')
  await vi.waitFor(() => expect(document.activeElement?.textContent).toBe('3 matches. Which one is yours?'))
  const links = [...document.querySelectorAll('li a')].map((link) => [link.textContent, link.getAttribute('href')])
  expect(links).toEqual([
    ['Spring Portraits 2027Riverside Portraits', '/riverside/1/search'],
    ['SpringDayton', '/spring'],
    ['Springtime', '/springtime'],
  ])
  expect([location.pathname, field().value]).toEqual(['/', 'spring'])
})

test('a code of several studios lists their events; the chosen one is opened at its studio', async () => {
  const events = [
    { code: 'SPRING', jobName: 'Spring 2027', studioSlug: 'riverside', studioName: 'Riverside Portraits' },
    { code: 'SPRING', jobName: 'Team Day', studioSlug: 'summit', studioName: 'Summit' },
  ]
  answerWith({ event: null, events, studios: [] })
  await find('spring')
  await vi.waitFor(() => expect(document.activeElement?.textContent).toBe('2 matches. Which one is yours?'))
  expect(await database.codes.toArray()).toEqual([])
  const [, second] = [...document.querySelectorAll<HTMLAnchorElement>('li a')]
  expect(second?.textContent).toBe('Team DaySummit')
  if (second) click(second)
  expect(location.pathname).toBe('/summit/code/SPRING')
})

test('a full list says what to do if the customer’s studio is not on it', async () => {
  const studios = Array.from({ length: 10 }, (_, n) => studio(`Anna ${n}`))
  answerWith({ event: null, events: [], studios })
  await find('anna')
  await vi.waitFor(() =>
    expect(document.body.textContent).toContain('Yours is not here? Type your studio’s full name.'),
  )
})

test.each([
  ['nothing is found', 404, notFound, /^We don’t recognize that\. Check each letter on your photo card, or type/],
  ['the server cannot parse it', 400, { errors: ['Not valid'] }, /^We don’t recognize that\./],
  [
    'the server fails',
    500,
    { errors: ['An error occurred'] },
    /^Something went wrong on our side.*stays in the field$/,
  ],
  ['there were too many tries', 429, { errors: ['Too many tries'] }, /^Too many tries.*stays in the field$/],
])('if %s, the field says what to do, has the focus and the typed text', async (_, status, body, message) => {
  answerWith(body, status)
  await find('SPRUNG')
  const input = field()
  await vi.waitFor(() => expect(input.getAttribute('aria-invalid')).toBe('true'))
  const error = document.getElementById(input.getAttribute('aria-describedby')?.split(' ').at(-1) ?? '')
  expect(error?.textContent).toMatch(message)
  expect(error?.getAttribute('aria-live')).toBe('polite')
  expect([input.value, location.pathname]).toEqual(['SPRUNG', '/'])
})

const goOffline = () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
}

test('offline, the field says that there is no connection', async () => {
  goOffline()
  await find('SPRING')
  await vi.waitFor(() => expect(document.body.textContent).toContain('There is no connection right now.'))
  expect(field().value).toBe('SPRING')
  vi.restoreAllMocks()
})

test('offline, a code that was redeemed on this device opens the same screen', async () => {
  await saveAccessCode(database, { studioSlug: 'riverside', studioId: 4, jobId: 1, code: 'ADALVL', subjectId: 7 })
  goOffline()
  await find('ada-lvl')
  await vi.waitFor(() => expect(location.pathname).toBe('/riverside/1/subject/7/select-package'))
  vi.restoreAllMocks()
})
