import { resolveObjectURL } from 'node:buffer'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { UnavailableScreen } from '#client/customer/discovery/unavailable/unavailable-screen.tsx'
import { clearQueryCache } from '#platform/api/use-query.ts'
import { countElements, getButton, getElement, render, type } from '#support/rendering/render.tsx'
import { springJobContext } from '../../../job-context-examples.ts'

const { studio, availability } = springJobContext()
const shut = { available: false, opens: null, closes: null }
const closed = { ...availability, gallery: shut, prepay: shut }
const opens = '2099-09-01T14:00:00.000Z'
const reachable = { ...studio, phone: '(937) 555-0142', email: 'hello@riverside.test' }
const missing = { status: 404, errors: ['We could not find this'] }

type Said = object | { status: number; errors: string[] } | null
/** The server's response for the job and its studio; null if unreachable. */
let event: Said
let face: Said
let asked: number
/** The server's response to a form, null if unreachable; and the requests it received. */
let sent: Said
let posted: string[]

const fetching = async (url: string | URL | Request, init?: RequestInit) => {
  if (String(url) === '/api/customer/jobs/1/notify-me') {
    posted.push(String(init?.body))
    if (!sent) throw new TypeError('Failed to fetch')
    return new Response(JSON.stringify({ data: sent }))
  }
  const isEvent = String(url) === '/api/customer/jobs/1/availability'
  if (isEvent) asked += 1
  const said = isEvent ? event : face
  if (!said) throw new TypeError('Failed to fetch')
  return 'errors' in said
    ? new Response(JSON.stringify(said), { status: Reflect.get(said, 'status') })
    : new Response(JSON.stringify({ data: said }))
}

beforeEach(() => {
  asked = 0
  sent = {}
  posted = []
  face = reachable
  history.replaceState(null, '', '/riverside/1/unavailable')
  vi.stubGlobal('fetch', fetching)
})

afterEach(() => {
  vi.unstubAllGlobals()
  clearQueryCache()
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
})

/** Renders the screen; asynchronous changes are awaited outside of `act`. */
const draw = (from?: string) => {
  const drawn = render(<UnavailableScreen studioSlug="riverside" jobId={1} from={from} />)
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false })
  return drawn
}

const until = (look: () => void) => vi.waitFor(look)
const words = () => document.body.textContent
const ways = () => [...document.querySelectorAll('button, a')].map((way) => way.textContent)
const address = () => window.location.pathname + window.location.search

/** Actions for a job that is not open yet. */
const waiting = ['Tell me when it opens', 'Put it in my calendar']

test.each<[string, Said, string, string[]]>([
  ['is not open yet', { ...closed, gallery: { ...shut, opens } }, 'Ordering has not begun yet', ['Enter another code']],
  ['has closed', closed, 'Ordering has ended', ['Enter another code']],
  [
    'hides its hours without an access code',
    { ...closed, codeGiven: false },
    'takes no orders right now',
    ['Enter a code'],
  ],
  ['is not published', { ...availability, published: false }, 'This event is not open yet', ['Enter another code']],
  ['is archived', { ...availability, archived: true }, 'This event is closed', ['Enter another code']],
  ['does not exist', missing, 'We could not find this event', ['Enter another code']],
  ['is unreachable', null, 'We can’t reach the studio right now', ['Enter another code']],
  ['does not load because of a server error', { status: 500, errors: [] }, 'This did not load', ['Enter another code']],
])('for a job that %s, the screen shows why and what to do', async (_, said, title, [code = '']) => {
  event = said
  draw()
  await until(() => expect(getElement('h1').textContent).toContain(title))
  expect(getElement('h1 + p').textContent).not.toBe('')
  await until(() => expect(words()).toContain('Ask Riverside Portraits'))
  expect(ways().filter((way) => !waiting.includes(way ?? ''))).toEqual([
    'Try again',
    code,
    '(937) 555-0142',
    'hello@riverside.test',
  ])
  const toCode = [...document.querySelectorAll('a')].find((link) => link.textContent === code)
  expect(toCode?.getAttribute('href')).toBe('/riverside')
  expect(address()).toBe('/riverside/1/unavailable')
})

test('a job that opens later shows the date, and its calendar entry has its name', async () => {
  event = { ...closed, gallery: { ...shut, opens } }
  draw()
  await until(() => expect(words()).toContain('It opens on 09/01/2099.'))
  await until(() => expect(countElements('a[download="order-pictures.ics"]')).toBe(1))
  const reminder = getElement<HTMLAnchorElement>('a[download="order-pictures.ics"]')
  expect(reminder.textContent).toBe('Put it in my calendar')
  expect(await resolveObjectURL(reminder.href)?.text()).toContain('SUMMARY:Spring Portraits 2027: orders open')
})

test('a job that is not open yet accepts an email address, and keeps it if sending fails', async () => {
  event = { ...availability, published: false }
  draw()
  const submit = () => getButton('Tell me when it opens').click()
  const typeAddress = (value: string) => {
    // Typing happens in `act`; what follows is asynchronous again.
    Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
    type(getElement<HTMLInputElement>('input'), value)
    Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false })
  }
  await until(() => expect(words()).toContain('Tell me when it opens'))
  submit()
  await until(() => expect(words()).toContain('This field is required'))
  typeAddress('ada@')
  submit()
  await until(() => expect(words()).toContain('This value is not a valid email address'))
  typeAddress('ada@example.com')
  sent = null
  submit()
  await until(() => expect(posted).toHaveLength(1))
  await until(() => expect(getElement<HTMLInputElement>('input').value).toBe('ada@example.com'))
  sent = {}
  submit()
  await until(() => expect(words()).toContain('We will write to ada@example.com when it opens'))
  expect(posted.map((body) => JSON.parse(body))).toEqual([{ email: 'ada@example.com' }, { email: 'ada@example.com' }])
})

test.each([{ ...availability, archived: true }, closed])(
  'a job that is over accepts no email address',
  async (over) => {
    event = over
    draw()
    await until(() => expect(words()).toContain('Ask Riverside Portraits'))
    expect(ways()).not.toContain('Tell me when it opens')
  },
)

test('a studio without contacts offers none', async () => {
  event = closed
  face = null
  draw()
  await until(() => expect(getElement('h1').textContent).toBe('Ordering has ended'))
  expect(ways()).toEqual(['Try again', 'Enter another code'])
})

test('nothing is shown until the availability is loaded', () => {
  event = closed
  draw()
  expect(document.querySelector('h1')).toBeNull()
  expect(ways()).toEqual([])
})

test.each([
  ['to the URL the customer wanted', '/riverside/1/cart?x=1', '/riverside/1/cart?x=1'],
  ['to the search without such a URL', undefined, '/riverside/1/search'],
  ['never to another site', 'https://evil.example/riverside', '/riverside/1/search'],
])('a retry after it has opened leads %s', async (_, from, onward) => {
  event = closed
  draw(from)
  await until(() => expect(getElement('h1').textContent).toBe('Ordering has ended'))
  event = availability
  getButton('Try again').click()
  await until(() => expect(address()).toBe(onward))
  expect(asked).toBe(2)
})

test('an open job redirects to it automatically', async () => {
  event = availability
  draw()
  await until(() => expect(address()).toBe('/riverside/1/search'))
})

test('after reconnecting, an open job redirects and an unreachable one reports it again', async () => {
  event = null
  draw('/riverside/1/cart')
  await until(() => expect(getElement('h1').textContent).toBe('We can’t reach the studio right now'))
  // Unreachable calls are also retried without a click, so the count before it is not always 1.
  const before = asked
  getButton('Try again').click()
  await until(() => expect(asked).toBeGreaterThan(before))
  expect(getElement('h1').textContent).toBe('We can’t reach the studio right now')
  event = availability
  getButton('Try again').click()
  await until(() => expect(address()).toBe('/riverside/1/cart'))
})
