import { resolveObjectURL } from 'node:buffer'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { UnavailableScreen } from '#client/customer/discovery/unavailable/unavailable-screen.tsx'
import { clearQueryCache } from '#platform/api/use-query.ts'
import { countElements, getButton, getElement, render, type } from '#support/rendering/render.tsx'
import { springJobContext } from '#tests/client/job-context-examples.ts'

const { studio, availability } = springJobContext()
const closedMethod = { available: false, opens: null, closes: null }
const closedJob = { ...availability, gallery: closedMethod, prepay: closedMethod }
const opens = '2099-09-01T14:00:00.000Z'
const studioWithContacts = { ...studio, phone: '(937) 555-0142', email: 'hello@riverside.test' }
const notFound = { status: 404, errors: ['We could not find this'] }

type StubbedResponse = object | { status: number; errors: string[] } | null
/** The server's response for the job and its studio; null if unreachable. */
let jobResponse: StubbedResponse
let studioResponse: StubbedResponse
let availabilityRequests: number
/** The server's response to a form, null if unreachable; and the requests it received. */
let formResponse: StubbedResponse
let postedBodies: string[]

const fetchStub = async (url: string | URL | Request, init?: RequestInit) => {
  if (String(url) === '/api/customer/jobs/1/notify-me') {
    postedBodies.push(String(init?.body))
    if (!formResponse) throw new TypeError('Failed to fetch')
    return new Response(JSON.stringify({ data: formResponse }))
  }
  const isAvailability = String(url) === '/api/customer/jobs/1/availability'
  if (isAvailability) availabilityRequests += 1
  const response = isAvailability ? jobResponse : studioResponse
  if (!response) throw new TypeError('Failed to fetch')
  return 'errors' in response
    ? new Response(JSON.stringify(response), { status: Reflect.get(response, 'status') })
    : new Response(JSON.stringify({ data: response }))
}

beforeEach(() => {
  availabilityRequests = 0
  formResponse = {}
  postedBodies = []
  studioResponse = studioWithContacts
  history.replaceState(null, '', '/riverside/1/unavailable')
  vi.stubGlobal('fetch', fetchStub)
})

afterEach(() => {
  vi.unstubAllGlobals()
  clearQueryCache()
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
})

/** Renders the screen; asynchronous changes are awaited outside of `act`. */
const renderScreen = (from?: string) => {
  const result = render(<UnavailableScreen studioSlug="riverside" jobId={1} from={from} />)
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false })
  return result
}

const eventually = (check: () => void) => vi.waitFor(check)
const pageText = () => document.body.textContent
const actions = () => [...document.querySelectorAll('button, a')].map((action) => action.textContent)
const address = () => window.location.pathname + window.location.search

/** Actions for a job that is not open yet. */
const actionsBeforeOpening = ['Tell me when it opens', 'Add to my calendar']

test.each<[string, StubbedResponse, string, string[]]>([
  [
    'is not open yet',
    { ...closedJob, gallery: { ...closedMethod, opens } },
    'Ordering hasn’t started yet',
    ['Enter another code'],
  ],
  ['has closed', closedJob, 'Ordering has ended', ['Enter another code']],
  [
    'hides its hours without an access code',
    { ...closedJob, codeGiven: false },
    'isn’t taking orders right now',
    ['Enter a code'],
  ],
  ['is not published', { ...availability, published: false }, 'This event is not open yet', ['Enter another code']],
  ['is archived', { ...availability, archived: true }, 'This event is closed', ['Enter another code']],
  ['does not exist', notFound, 'We could not find this event', ['Enter another code']],
  ['is unreachable', null, 'We can’t reach the studio right now', ['Enter another code']],
  ['does not load because of a server error', { status: 500, errors: [] }, 'This did not load', ['Enter another code']],
])('for a job that %s, the screen shows why and what to do', async (_, response, title, [code = '']) => {
  jobResponse = response
  renderScreen()
  await eventually(() => expect(getElement('h1').textContent).toContain(title))
  expect(getElement('h1 + p').textContent).not.toBe('')
  await eventually(() => expect(pageText()).toContain('Ask Riverside Portraits'))
  expect(actions().filter((action) => !actionsBeforeOpening.includes(action ?? ''))).toEqual([
    'Try again',
    code,
    '(937) 555-0142',
    'hello@riverside.test',
  ])
  const codeLink = [...document.querySelectorAll('a')].find((link) => link.textContent === code)
  expect(codeLink?.getAttribute('href')).toBe('/riverside')
  expect(address()).toBe('/riverside/1/unavailable')
})

test('a job that opens later shows the date, and its calendar entry has its name', async () => {
  jobResponse = { ...closedJob, gallery: { ...closedMethod, opens } }
  renderScreen()
  await eventually(() => expect(pageText()).toContain('It opens on 09/01/2099.'))
  await eventually(() => expect(countElements('a[download="order-pictures.ics"]')).toBe(1))
  const reminder = getElement<HTMLAnchorElement>('a[download="order-pictures.ics"]')
  expect(reminder.textContent).toBe('Add to my calendar')
  expect(await resolveObjectURL(reminder.href)?.text()).toContain('SUMMARY:Spring Portraits 2027: orders open')
})

test('a job that is not open yet accepts an email address, and keeps it if sending fails', async () => {
  jobResponse = { ...availability, published: false }
  renderScreen()
  const submit = () => getButton('Tell me when it opens').click()
  const typeAddress = (value: string) => {
    // Only typing happens in `act`.
    Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
    type(getElement<HTMLInputElement>('input'), value)
    Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false })
  }
  await eventually(() => expect(pageText()).toContain('Tell me when it opens'))
  submit()
  await eventually(() => expect(pageText()).toContain('This field is required'))
  typeAddress('ada@')
  submit()
  await eventually(() => expect(pageText()).toContain('This value is not a valid email address'))
  typeAddress('ada@example.com')
  formResponse = null
  submit()
  await eventually(() => expect(postedBodies).toHaveLength(1))
  await eventually(() => expect(getElement<HTMLInputElement>('input').value).toBe('ada@example.com'))
  formResponse = {}
  submit()
  await eventually(() => expect(pageText()).toContain('We’ll email ada@example.com when it opens'))
  expect(postedBodies.map((body) => JSON.parse(body))).toEqual([
    { email: 'ada@example.com' },
    { email: 'ada@example.com' },
  ])
})

test.each([{ ...availability, archived: true }, closedJob])(
  'a job that is over accepts no email address',
  async (response) => {
    jobResponse = response
    renderScreen()
    await eventually(() => expect(pageText()).toContain('Ask Riverside Portraits'))
    expect(actions()).not.toContain('Tell me when it opens')
  },
)

test('no contacts are offered if the studio does not load', async () => {
  jobResponse = closedJob
  studioResponse = null
  renderScreen()
  await eventually(() => expect(getElement('h1').textContent).toBe('Ordering has ended'))
  expect(actions()).toEqual(['Try again', 'Enter another code'])
})

test('nothing is shown until the availability is loaded', () => {
  jobResponse = closedJob
  renderScreen()
  expect(document.querySelector('h1')).toBeNull()
  expect(actions()).toEqual([])
})

test.each([
  ['to the URL that the customer opened first', '/riverside/1/cart?x=1', '/riverside/1/cart?x=1'],
  ['to the search without such a URL', undefined, '/riverside/1/search'],
  ['never to another site', 'https://evil.example/riverside', '/riverside/1/search'],
])('a retry once the job is open leads %s', async (_, from, target) => {
  jobResponse = closedJob
  renderScreen(from)
  await eventually(() => expect(getElement('h1').textContent).toBe('Ordering has ended'))
  jobResponse = availability
  getButton('Try again').click()
  await eventually(() => expect(address()).toBe(target))
  expect(availabilityRequests).toBe(2)
})

test('the screen redirects to the job automatically if the job is open', async () => {
  jobResponse = availability
  renderScreen()
  await eventually(() => expect(address()).toBe('/riverside/1/search'))
})

test('a retry reports an unreachable job again, and leads to the job once it is open', async () => {
  jobResponse = null
  renderScreen('/riverside/1/cart')
  await eventually(() => expect(getElement('h1').textContent).toBe('We can’t reach the studio right now'))
  // A failed request is also retried without a click, so there may have been more than one.
  const requestsBefore = availabilityRequests
  getButton('Try again').click()
  await eventually(() => expect(availabilityRequests).toBeGreaterThan(requestsBefore))
  expect(getElement('h1').textContent).toBe('We can’t reach the studio right now')
  jobResponse = availability
  getButton('Try again').click()
  await eventually(() => expect(address()).toBe('/riverside/1/cart'))
})
