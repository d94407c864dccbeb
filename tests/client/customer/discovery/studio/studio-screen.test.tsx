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

const renderScreen = () => render(<StudioScreen studioSlug="riverside" orderSearch={null} />)

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
