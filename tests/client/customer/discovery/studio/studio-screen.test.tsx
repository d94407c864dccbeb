// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
import { afterEach, expect, test, vi } from 'vitest'
import { StudioScreen } from '#client/customer/discovery/studio/studio-screen.tsx'
import { getButton, render } from '#support/rendering/render.tsx'
import { springJobContext } from '#tests/client/job-context-examples.ts'

const { studio } = springJobContext()
const pageText = () => document.body.textContent
const respondWith = (status: number, body: object) => async () => new Response(JSON.stringify(body), { status })

/** Waits for a text that appears outside `act`. */
const waitForText = async (text: string) => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false })
  await vi.waitFor(() => expect(pageText()).toContain(text))
}

afterEach(() => {
  vi.unstubAllGlobals()
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
})

const renderScreen = () => render(<StudioScreen studioSlug="riverside" orderSearch={null} finder={null} />)

test.each([
  [
    'no studio has that slug',
    respondWith(404, { errors: ['There was an error loading the studio'] }),
    'Check the address',
  ],
  ['the studio is disabled', respondWith(200, { data: { ...studio, rspoEnabled: false } }), 'Check the address'],
  ['the server is unreachable', () => Promise.reject(new TypeError('Failed to fetch')), 'There was no answer'],
  ['the server fails', respondWith(500, {}), 'Something went wrong on our side'],
  ['there were too many requests', respondWith(429, {}), 'Too many tries'],
])('if %s, the studio screen shows the exact error and a retry (section 5)', async (_, fetch, reason) => {
  vi.stubGlobal('fetch', fetch)
  renderScreen()
  await waitForText('There was an error loading the studio')
  await waitForText(reason)
  vi.stubGlobal('fetch', respondWith(200, { data: studio }))
  getButton('Try again').click()
  await waitForText('Riverside Portraits')
  expect(document.querySelector('input[name="code"]')).not.toBeNull()
})

test('a code in the URL shows only that the photos are opened, also before the studio is known', async () => {
  const requested: string[] = []
  vi.stubGlobal('fetch', (url: string) => {
    requested.push(url)
    return new Promise(() => {})
  })
  render(<StudioScreen studioSlug="riverside" code="ada-lvl" orderSearch={null} finder={null} />)
  await waitForText('Opening your photos…')
  await vi.waitFor(() => expect(requested).toContain('/api/customer/studios/riverside/jobs?code=ADALVL'))
  expect(requested).toContain('/api/customer/studios/riverside')
  expect(document.querySelector('input')).toBeNull()
})

test('a code in the URL that fails is in the field with the reason, and has the focus', async () => {
  const notFound = { errors: ['We don’t know this code'], problem: 'not-found' }
  vi.stubGlobal('fetch', (url: string) =>
    url.includes('code=') ? respondWith(404, notFound)() : respondWith(200, { data: studio })(),
  )
  render(<StudioScreen studioSlug="riverside" code="NOTONE" orderSearch={null} finder={null} />)
  await waitForText('We don’t recognize that code')
  const input = document.querySelector<HTMLInputElement>('input[name="code"]')
  expect(input?.value).toBe('NOTONE')
  expect(document.activeElement).toBe(input)
})

test('a code in the URL that opens a job replaces the address', async () => {
  history.replaceState(null, '', '/riverside/code/SPRING')
  const redeemed = { jobId: 1, studioId: 4, jobName: 'Spring Portraits 2027', subject: null }
  vi.stubGlobal('fetch', (url: string) => respondWith(200, { data: url.includes('code=') ? redeemed : studio })())
  const { length } = history
  render(<StudioScreen studioSlug="riverside" code="SPRING" orderSearch={null} finder={null} />)
  await vi.waitFor(() => expect(location.pathname).toBe('/riverside/1/search'))
  expect(history.length).toBe(length)
})

test('an address without a studio offers the search of the home page, other failures only a retry', async () => {
  vi.stubGlobal('fetch', respondWith(404, { errors: ['There was an error loading the studio'] }))
  const screen = <StudioScreen studioSlug="nowhere" orderSearch={null} finder={<p>Search here</p>} />
  const { rerender } = render(screen)
  await waitForText('Search here')
  vi.stubGlobal('fetch', respondWith(500, {}))
  rerender(null)
  rerender(screen)
  await waitForText('Something went wrong on our side')
  expect(pageText()).not.toContain('Search here')
})
