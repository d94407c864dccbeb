import { getDefaultStore } from 'jotai'
import type { ReactNode } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { StaffGuard } from '#client/app/staff/staff-guard.tsx'
import { guardRedirect, StudioEnabledGuard, verificationRequiredEvent } from '#client/app/staff/studio-guards.tsx'
import type { StudioSummary } from '#client/staff/kit/routing/staff-context.ts'
import { readNoParams, type StaffRoute, staffRoute } from '#client/staff/kit/routing/staff-route.tsx'
import type { Claims } from '#client/staff/kit/session/claims.ts'
import { claimsAtom } from '#client/staff/kit/session/current-session.ts'
import { cleanUp, render, waitForPage } from '#support/rendering/render.tsx'
import { toastLog } from '#ui/toast/toast.ts'

const staff: Claims = {
  userId: '7',
  name: 'Sam',
  email: 'staff@riverside.test',
  permissions: ['studio.crud'],
  studioId: 3,
  expiresAt: 4_000_000_000_000,
}
const administrator: Claims = { ...staff, permissions: ['studio.crud', 'studio.admin.crud'], studioId: null }

const screen = (more: Partial<Parameters<typeof staffRoute>[0]> = {}): StaffRoute =>
  staffRoute({
    area: 'studio',
    name: 'a screen',
    patterns: ['/admin/studios/:studioId/jobs'],
    title: 'Jobs',
    load: async () => () => null,
    read: readNoParams,
    ...more,
  })

const facts: StudioSummary = {
  id: 3,
  name: 'Riverside Portraits',
  slug: 'riverside',
  timeZone: 'America/New_York',
  isMillersVerified: true,
  features: new Set(['greenscreens']),
}

const signIn = (claims: Claims | null) => getDefaultStore().set(claimsAtom, claims)
const here = () => location.pathname + location.search
const lastToast = () => toastLog.current().at(-1)?.text

beforeEach(() => history.replaceState(null, '', '/admin/studios/3/jobs?page=2'))

const enter = (route: StaffRoute, studioId: number | undefined = 3) =>
  render(
    <StaffGuard route={route} address={here()} studioId={studioId}>
      <p>inside</p>
    </StaffGuard>,
  ).box.textContent

test('a signed-out user is redirected to the login with the requested path as ret (section 2)', () => {
  signIn(null)
  expect(enter(screen())).toBe('')
  expect(here()).toBe('/login?ret=%2Fadmin%2Fstudios%2F3%2Fjobs%3Fpage%3D2')
})

test('after a session expired the guard does not replace the login address with its reason (section 8)', () => {
  signIn(null)
  const address = here()
  history.replaceState(null, '', '/login?ret=%2Fadmin&expired=1')
  const { box } = render(
    <StaffGuard route={screen()} address={address} studioId={3}>
      <p>inside</p>
    </StaffGuard>,
  )
  expect(box.textContent).toBe('')
  expect(here()).toBe('/login?ret=%2Fadmin&expired=1')
})

test('a missing access token is refreshed before the screen opens (section 4)', async () => {
  const token = `h.${btoa(JSON.stringify({ nameid: '7', permission: 'studio.crud', studio_id: 3, exp: 4_000_000_000 }))}.s`
  const pair = { token, refreshToken: 'r2', expiration: '2096-10-02T07:06:40.000Z' }
  const asked: string[] = []
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url)
    return new Response(JSON.stringify({ data: pair }), { status: 200 })
  })
  localStorage.setItem('refreshToken', 'r1')
  signIn(null)
  enter(screen())
  await waitForPage(() => expect(document.body.textContent).toBe('inside'))
  expect(asked).toEqual(['/api/auth/refresh'])
  expect({ ...localStorage }).toMatchObject({ authToken: token, refreshToken: 'r2' })
  vi.unstubAllGlobals()
  localStorage.clear()
})

test.each([
  ['any one of the required permissions grants access (section 6)', staff, screen(), 3, 'inside'],
  ['an administrator has access to any studio', administrator, screen(), 9, 'inside'],
  ['an open route needs no user', null, screen({ area: 'open' }), undefined, 'inside'],
] as const)('%s', (_, claims, route, studioId, shown) => {
  signIn(claims)
  expect(enter(route, studioId)).toBe(shown)
})

test.each([
  [
    'a user without the permission is redirected to their studio’s home',
    staff,
    screen({ needs: ['studio.financials.read'] }),
    3,
  ],
  ['a user of another studio is redirected to their studio’s home', staff, screen(), 9],
  [
    'a user without platform permissions is redirected to their studio’s home',
    staff,
    screen({ area: 'system' }),
    undefined,
  ],
] as const)('%s (section 2, studioadmin-home)', (_, claims, route, studioId) => {
  signIn(claims)
  expect(enter(route, studioId)).toBe('')
  expect(here()).toBe('/admin/studios/3')
})

test.each([
  ['none of the permissions', []],
  ['only other permissions', ['studio.financials.read'] as const],
])('a user with %s sees the no-access screen at their studio’s home', (_, permissions) => {
  signIn({ ...staff, permissions: [...permissions] })
  history.replaceState(null, '', '/admin/studios/3?from=mail')
  const { box } = render(
    <StaffGuard route={screen({ name: 'studioadmin-home' })} address={here()} studioId={3}>
      <p>inside</p>
    </StaffGuard>,
  )
  expect(here()).toBe('/admin/studios/3?from=mail')
  expect(box.querySelector('h1')?.textContent).toBe('This page is not open to you')
  expect(box.querySelector('p')?.textContent).toBe(
    'Your sign-in has none of the permissions it asks for; whoever looks after the studio’s staff can give you one.',
  )
  const links = [...box.querySelectorAll('main a')].map((link) => [link.textContent, link.getAttribute('href')])
  expect(links).toEqual([
    ['Your account', '/account'],
    ['Sign out', '/logout'],
  ])
})

test('a user without permissions is redirected from any other screen to their studio’s home', () => {
  signIn({ ...staff, permissions: [] })
  expect(enter(screen())).toBe('')
  expect(here()).toBe('/admin/studios/3')
})

const pass = (route: StaffRoute, studio: StudioSummary): ReactNode =>
  guardRedirect({
    route,
    found: { params: {}, query: new URLSearchParams() },
    studio,
    job: { studioId: 3, jobId: 12 },
  })

test('a studio without the feature is redirected to the alternative screen of the same job with a toast (sections 2 and 8)', () => {
  const route = screen({ area: 'job', feature: { name: 'workflows', instead: 'settings' } })
  render(pass(route, facts))
  expect(here()).toBe('/admin/studios/3/jobs/12/settings')
  expect(lastToast()).toBe('Access to Route Denied')
})

test('a studio with the feature has access', () => {
  expect(pass(screen({ feature: { name: 'greenscreens', instead: '' } }), facts)).toBeNull()
})

test('an unverified studio with the verification feature can open only exempt screens (section 2)', () => {
  const waiting = { ...facts, isMillersVerified: false, features: new Set(['studioVerification']) }
  expect(pass(screen({ isExempt: true }), waiting)).toBeNull()
  render(pass(screen(), waiting))
  expect(here()).toBe('/admin/studios/3/profile')
})

test('an unverified studio without the verification feature has access', () => {
  expect(pass(screen(), { ...facts, isMillersVerified: false })).toBeNull()
})

test('a screen for verified studios redirects unverified ones to the profile with a message and an event (sections 2 and 8)', () => {
  const details: unknown[] = []
  const onEvent = (event: Event) => details.push(event instanceof CustomEvent && event.detail)
  window.addEventListener(verificationRequiredEvent, onEvent)
  render(pass(screen({ isForVerified: true }), { ...facts, isMillersVerified: false }))
  window.removeEventListener(verificationRequiredEvent, onEvent)
  expect(lastToast()).toBe('This studio needs to be verified by the partner to access this feature')
  expect(here()).toBe('/admin/studios/3/profile')
  expect(verificationRequiredEvent).toBe('studio:verification-required')
  expect(details).toContainEqual({ studioId: 3 })
})

test('a disabled studio is closed to its staff and open to administrators (section 5)', () => {
  signIn(staff)
  const closed = <StudioEnabledGuard enabled={false}>inside</StudioEnabledGuard>
  expect(render(closed).box.textContent).toContain('There was an error loading the studio')
  cleanUp()
  signIn(administrator)
  expect(render(closed).box.textContent).toBe('inside')
})
