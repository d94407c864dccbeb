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

const staffClaims: Claims = {
  userId: '7',
  name: 'Sam',
  email: 'staff@riverside.test',
  permissions: ['studio.crud'],
  studioId: 3,
  expiresAt: 4_000_000_000_000,
}
const administratorClaims: Claims = {
  ...staffClaims,
  permissions: ['studio.crud', 'studio.admin.crud'],
  studioId: null,
}

const createRoute = (overrides: Partial<Parameters<typeof staffRoute>[0]> = {}): StaffRoute =>
  staffRoute({
    area: 'studio',
    name: 'a screen',
    patterns: ['/admin/studios/:studioId/jobs'],
    title: 'Jobs',
    load: async () => () => null,
    read: readNoParams,
    ...overrides,
  })

const studioSummary: StudioSummary = {
  id: 3,
  name: 'Riverside Portraits',
  slug: 'riverside',
  timeZone: 'America/New_York',
  isMillersVerified: true,
  features: new Set(['greenscreens']),
}

const signIn = (claims: Claims | null) => getDefaultStore().set(claimsAtom, claims)
const currentUrl = () => location.pathname + location.search
const lastToast = () => toastLog.current().at(-1)?.text

beforeEach(() => history.replaceState(null, '', '/admin/studios/3/jobs?page=2'))

const renderGuardedScreen = (route: StaffRoute, studioId: number | undefined = 3) =>
  render(
    <StaffGuard route={route} address={currentUrl()} studioId={studioId}>
      <p>inside</p>
    </StaffGuard>,
  ).box.textContent

test('a signed-out user is redirected to the login with the requested path as ret (section 2)', () => {
  signIn(null)
  expect(renderGuardedScreen(createRoute())).toBe('')
  expect(currentUrl()).toBe('/login?ret=%2Fadmin%2Fstudios%2F3%2Fjobs%3Fpage%3D2')
})

test('the guard does not replace the login URL that an expired session redirected to (section 8)', () => {
  signIn(null)
  const address = currentUrl()
  history.replaceState(null, '', '/login?ret=%2Fadmin&expired=1')
  const { box } = render(
    <StaffGuard route={createRoute()} address={address} studioId={3}>
      <p>inside</p>
    </StaffGuard>,
  )
  expect(box.textContent).toBe('')
  expect(currentUrl()).toBe('/login?ret=%2Fadmin&expired=1')
})

test('a missing access token is refreshed before the screen opens (section 4)', async () => {
  const token = `h.${btoa(JSON.stringify({ nameid: '7', permission: 'studio.crud', studio_id: 3, exp: 4_000_000_000 }))}.s`
  const tokenPair = { token, refreshToken: 'r2', expiration: '2096-10-02T07:06:40.000Z' }
  const requestedUrls: string[] = []
  vi.stubGlobal('fetch', async (url: string) => {
    requestedUrls.push(url)
    return new Response(JSON.stringify({ data: tokenPair }), { status: 200 })
  })
  localStorage.setItem('refreshToken', 'r1')
  signIn(null)
  renderGuardedScreen(createRoute())
  await waitForPage(() => expect(document.body.textContent).toBe('inside'))
  expect(requestedUrls).toEqual(['/api/auth/refresh'])
  expect({ ...localStorage }).toMatchObject({ authToken: token, refreshToken: 'r2' })
  vi.unstubAllGlobals()
  localStorage.clear()
})

test.each([
  ['any one of the required permissions grants access (section 6)', staffClaims, createRoute(), 3, 'inside'],
  ['an administrator has access to any studio', administratorClaims, createRoute(), 9, 'inside'],
  ['an open route needs no user', null, createRoute({ area: 'open' }), undefined, 'inside'],
] as const)('%s', (_, claims, route, studioId, expectedText) => {
  signIn(claims)
  expect(renderGuardedScreen(route, studioId)).toBe(expectedText)
})

test.each([
  [
    'a user without the permission is redirected to their studio’s home',
    staffClaims,
    createRoute({ needs: ['studio.financials.read'] }),
    3,
  ],
  ['a user of another studio is redirected to their studio’s home', staffClaims, createRoute(), 9],
  [
    'a user without platform permissions is redirected to their studio’s home',
    staffClaims,
    createRoute({ area: 'system' }),
    undefined,
  ],
] as const)('%s (section 2, studioadmin-home)', (_, claims, route, studioId) => {
  signIn(claims)
  expect(renderGuardedScreen(route, studioId)).toBe('')
  expect(currentUrl()).toBe('/admin/studios/3')
})

test.each([
  ['none of the permissions', []],
  ['only other permissions', ['studio.financials.read'] as const],
])('a user with %s sees the no-access screen at their studio’s home', (_, permissions) => {
  signIn({ ...staffClaims, permissions: [...permissions] })
  history.replaceState(null, '', '/admin/studios/3?from=mail')
  const { box } = render(
    <StaffGuard route={createRoute({ name: 'studioadmin-home' })} address={currentUrl()} studioId={3}>
      <p>inside</p>
    </StaffGuard>,
  )
  expect(currentUrl()).toBe('/admin/studios/3?from=mail')
  expect(box.querySelector('h1')?.textContent).toBe('You don’t have access to this page')
  expect(box.querySelector('p')?.textContent).toBe('Ask a studio owner for the permission you need.')
  const links = [...box.querySelectorAll('main a')].map((link) => [link.textContent, link.getAttribute('href')])
  expect(links).toEqual([
    ['Your account', '/account'],
    ['Sign out', '/logout'],
  ])
})

test('a user without permissions is redirected from any other screen to their studio’s home', () => {
  signIn({ ...staffClaims, permissions: [] })
  expect(renderGuardedScreen(createRoute())).toBe('')
  expect(currentUrl()).toBe('/admin/studios/3')
})

const runStudioGuard = (route: StaffRoute, studio: StudioSummary): ReactNode =>
  guardRedirect({
    route,
    input: { params: {}, query: new URLSearchParams() },
    studio,
    job: { studioId: 3, jobId: 12 },
  })

test('a studio without the feature is redirected to the alternative screen of the same job with a toast (sections 2 and 8)', () => {
  const route = createRoute({ area: 'job', feature: { name: 'workflows', redirectTo: 'settings' } })
  render(runStudioGuard(route, studioSummary))
  expect(currentUrl()).toBe('/admin/studios/3/jobs/12/settings')
  expect(lastToast()).toBe('Access to Route Denied')
})

test('a studio with the feature has access', () => {
  expect(runStudioGuard(createRoute({ feature: { name: 'greenscreens', redirectTo: '' } }), studioSummary)).toBeNull()
})

test('an unverified studio with the verification feature can open only exempt screens (section 2)', () => {
  const unverified = { ...studioSummary, isMillersVerified: false, features: new Set(['studioVerification']) }
  expect(runStudioGuard(createRoute({ isExempt: true }), unverified)).toBeNull()
  render(runStudioGuard(createRoute(), unverified))
  expect(currentUrl()).toBe('/admin/studios/3/profile')
})

test('an unverified studio without the verification feature has access', () => {
  expect(runStudioGuard(createRoute(), { ...studioSummary, isMillersVerified: false })).toBeNull()
})

test('a screen for verified studios redirects unverified ones to the profile with a message and an event (sections 2 and 8)', () => {
  const details: unknown[] = []
  const onEvent = (event: Event) => details.push(event instanceof CustomEvent && event.detail)
  window.addEventListener(verificationRequiredEvent, onEvent)
  render(runStudioGuard(createRoute({ isForVerified: true }), { ...studioSummary, isMillersVerified: false }))
  window.removeEventListener(verificationRequiredEvent, onEvent)
  expect(lastToast()).toBe('This studio needs to be verified by the partner to access this feature')
  expect(currentUrl()).toBe('/admin/studios/3/profile')
  expect(verificationRequiredEvent).toBe('studio:verification-required')
  expect(details).toContainEqual({ studioId: 3 })
})

test('a disabled studio is closed to its staff and open to administrators (section 5)', () => {
  signIn(staffClaims)
  const disabledStudio = <StudioEnabledGuard enabled={false}>inside</StudioEnabledGuard>
  expect(render(disabledStudio).box.textContent).toContain('There was an error loading the studio')
  cleanUp()
  signIn(administratorClaims)
  expect(render(disabledStudio).box.textContent).toBe('inside')
})
