import { afterEach, expect, test, vi } from 'vitest'
import { StudioScreen } from '#client/customer/discovery/studio/studio-screen.tsx'
import { getButton, render } from '#support/rendering/render.tsx'
import { springJobContext } from '../../../job-context-examples.ts'

const { studio } = springJobContext()
const words = () => document.body.textContent
const answering = (status: number, said: object) => async () => new Response(JSON.stringify(said), { status })

/** Renders the screen and waits for asynchronous changes, outside of `act`. */
const shows = async (text: string) => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false })
  await vi.waitFor(() => expect(words()).toContain(text))
}

afterEach(() => {
  vi.unstubAllGlobals()
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
})

const draw = () => render(<StudioScreen studioSlug="riverside" orderSearch={null} />)

test.each([
  [
    'no studio has that slug',
    answering(404, { errors: ['There was an error loading the studio'] }),
    'Check the address',
  ],
  ['it is disabled for customers', answering(200, { data: { ...studio, rspoEnabled: false } }), 'Check the address'],
  ['the server is unreachable', () => Promise.reject(new TypeError('Failed to fetch')), 'There was no answer'],
  ['the server fails', answering(500, {}), 'Something went wrong on our side'],
  ['there were too many requests', answering(429, {}), 'Too many tries'],
])('a studio does not load when %s (section 5), which is shown with a retry', async (_, fetch, why) => {
  vi.stubGlobal('fetch', fetch)
  draw()
  await shows('There was an error loading the studio')
  await shows(why)
  vi.stubGlobal('fetch', answering(200, { data: studio }))
  getButton('Try again').click()
  await shows('Riverside Portraits')
  expect(document.querySelector('input[name="code"]')).not.toBeNull()
})
