import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LoginScreen } from '#client/staff/account/login-screen.tsx'
import { session } from '#client/staff/kit/session/current-session.ts'
import { click, getButton, getElement, render, type, waitForPage } from '#support/rendering/render.tsx'

const token = `h.${btoa(JSON.stringify({ nameid: '7', name: 'Olive', exp: 4_000_000_000 }))}.s`
const tokenPair = { token, refreshToken: 'r1', expiration: '2096-10-02T07:06:40.000Z' }

let requestedUrls: string[] = []
const createFetch = (status: number, body: object) => async (url: string) => {
  requestedUrls.push(url)
  return new Response(JSON.stringify(body), { status })
}

const logIn = () => {
  type(getElement<HTMLInputElement>('[name="username"]'), 'owner@riverside.test')
  type(getElement<HTMLInputElement>('[name="password"]'), 'fieldproof-demo')
  click(getButton('Log in'))
}

beforeEach(() => {
  requestedUrls = []
  history.replaceState(null, '', '/login')
  localStorage.clear()
  session.clear()
})

afterEach(() => vi.unstubAllGlobals())

test('the login shows the exact message of the specification after a session expired (section 8)', () => {
  const { box, rerender } = render(<LoginScreen expired />)
  expect(box.textContent).toContain('Session expired. Please log in again.')
  rerender(<LoginScreen expired={false} />)
  expect(box.textContent).not.toContain('Session expired')
})

test('a login with an empty field shows an error there and sends no request', () => {
  vi.stubGlobal('fetch', createFetch(200, { data: tokenPair }))
  const { box } = render(<LoginScreen expired={false} />)
  type(getElement<HTMLInputElement>('[name="username"]'), 'owner@riverside.test')
  click(getButton('Log in'))
  expect(box.textContent?.match(/This field is required/g)).toHaveLength(1)
  expect(getElement('[aria-invalid="true"]').getAttribute('name')).toBe('password')
  expect(requestedUrls).toEqual([])
})

test('a wrong password shows the server’s message and stores no token', async () => {
  vi.stubGlobal('fetch', createFetch(401, { errors: ['Failed to authenticate'], problem: 'authentication-failed' }))
  render(<LoginScreen expired={false} />)
  logIn()
  await waitForPage(() => expect(getElement('[role="alert"]').textContent).toBe('Failed to authenticate'))
  expect(localStorage.length).toBe(0)
})

test('a login without ret leads owners to their studio and administrators to the platform', async () => {
  const createToken = (claims: object) => `h.${btoa(JSON.stringify({ nameid: '7', exp: 4_000_000_000, ...claims }))}.s`
  vi.stubGlobal('fetch', createFetch(200, { data: { ...tokenPair, token: createToken({ studio_id: 4 }) } }))
  const { rerender } = render(<LoginScreen expired={false} />)
  logIn()
  await waitForPage(() => expect(location.pathname).toBe('/admin/studios/4'))
  act(() => session.clear())
  vi.stubGlobal(
    'fetch',
    createFetch(200, { data: { ...tokenPair, token: createToken({ permission: 'studio.admin.crud' }) } }),
  )
  rerender(<LoginScreen key="again" expired={false} />)
  logIn()
  await waitForPage(() => expect(location.pathname).toBe('/admin'))
})

test('a login applies the user’s dark mode to this device', async () => {
  const preferences = { id: 1, userId: 7, buildMaximumCropperSize: 200, buildImagesPerRow: 6, useDarkMode: true }
  vi.stubGlobal('fetch', (url: string) =>
    createFetch(200, { data: url.includes('login') ? tokenPair : preferences })(url),
  )
  render(<LoginScreen expired={false} />)
  logIn()
  await waitForPage(() => expect(document.documentElement.dataset.theme).toBe('dark'))
  delete document.documentElement.dataset.theme
})

test.each([
  [undefined, '/account'],
  ['/account?tab=2', '/account?tab=2'],
  ['https://elsewhere.test/', '/account'],
])('a successful login stores both tokens and leads from ret %s to %s', async (ret, address) => {
  vi.stubGlobal('fetch', createFetch(200, { data: tokenPair }))
  render(<LoginScreen ret={ret} expired={false} />)
  logIn()
  await waitForPage(() => expect(location.pathname + location.search).toBe(address))
  expect(requestedUrls).toEqual(['/api/auth/login', '/api/account/preferences'])
  expect({ ...localStorage }).toMatchObject({ authToken: token, refreshToken: 'r1' })
})

test('a signed-in user is redirected from the login and never back to it', async () => {
  session.store(tokenPair)
  render(<LoginScreen ret="/login" expired={false} />)
  await waitForPage(() => expect(location.pathname).toBe('/account'))
  expect(document.querySelector('[name="password"]')).toBeNull()
})
