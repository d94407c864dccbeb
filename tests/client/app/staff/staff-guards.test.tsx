import { getDefaultStore } from 'jotai'
import type { ReactNode } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { StaffGuard } from '#client/app/staff/staff-guard.tsx'
import { guardRedirect, StudioEnabledGuard, verificationRequiredEvent } from '#client/app/staff/studio-guards.tsx'
import type { StudioSummary } from '#client/staff/kit/routing/staff-context.ts'
import { readNoParams, type StaffRoute, staffRoute } from '#client/staff/kit/routing/staff-route.tsx'
import type { Claims } from '#client/staff/kit/session/claims.ts'
import { claimsAtom } from '#client/staff/kit/session/current-session.ts'
import { cleanUp, render } from '#support/rendering/render.tsx'
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

test('nobody is sent to the login, with the wanted path as ret (section 2)', () => {
  signIn(null)
  expect(enter(screen())).toBe('')
  expect(here()).toBe('/login?ret=%2Fadmin%2Fstudios%2F3%2Fjobs%3Fpage%3D2')
})

test('a session that ended by itself keeps the reason it was sent to the login with (section 8)', () => {
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

test('without the access token the refresh token brings another, and lets in (section 4)', async () => {
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
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false })
  await vi
    .waitFor(() => expect(document.body.textContent).toBe('inside'))
    .finally(() => Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true }))
  expect(asked).toEqual(['/api/auth/refresh'])
  expect({ ...localStorage }).toMatchObject({ authToken: token, refreshToken: 'r2' })
  vi.unstubAllGlobals()
  localStorage.clear()
})

test.each([
  ['holding any of what is asked for lets in (section 6)', staff, screen(), 3, 'inside'],
  ['so does being an administrator, in any studio', administrator, screen(), 9, 'inside'],
  ['what is open to everybody needs nothing', null, screen({ area: 'open' }), undefined, 'inside'],
] as const)('%s', (_, claims, route, studioId, shown) => {
  signIn(claims)
  expect(enter(route, studioId)).toBe(shown)
})

test.each([
  ['holding none of it leads to the own studio’s start', staff, screen({ needs: ['studio.financials.read'] }), 3],
  ['so does asking for another studio', staff, screen(), 9],
  ['so does the platform’s own part', staff, screen({ area: 'system' }), undefined],
] as const)('%s (section 2, studioadmin-home)', (_, claims, route, studioId) => {
  signIn(claims)
  expect(enter(route, studioId)).toBe('')
  expect(here()).toBe('/admin/studios/3')
})

test.each([
  ['none of the permissions', []],
  ['only others', ['studio.financials.read'] as const],
])('who holds %s is told so at their own studio’s start, with the way out', (_, permissions) => {
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
  const ways = [...box.querySelectorAll('main a')].map((link) => [link.textContent, link.getAttribute('href')])
  expect(ways).toEqual([
    ['Your account', '/account'],
    ['Sign out', '/logout'],
  ])
})

test('who holds none of the permissions is led from any other screen to that start', () => {
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

test('a studio without the feature is led to the given screen, keeping studio and job, with the toast (sections 2 and 8)', () => {
  const route = screen({ area: 'job', feature: { name: 'workflows', instead: 'settings' } })
  render(pass(route, facts))
  expect(here()).toBe('/admin/studios/3/jobs/12/settings')
  expect(lastToast()).toBe('Access to Route Denied')
})

test('a studio with the feature is let through', () => {
  expect(pass(screen({ feature: { name: 'greenscreens', instead: '' } }), facts)).toBeNull()
})

test('where verification is a feature, an unverified studio only reaches the exempt screen (section 2)', () => {
  const waiting = { ...facts, isMillersVerified: false, features: new Set(['studioVerification']) }
  expect(pass(screen({ isExempt: true }), waiting)).toBeNull()
  render(pass(screen(), waiting))
  expect(here()).toBe('/admin/studios/3/profile')
})

test('an unverified studio without that feature works on', () => {
  expect(pass(screen(), { ...facts, isMillersVerified: false })).toBeNull()
})

test('what only verified studios may: the message, the way to the profile, and an event (sections 2 and 8)', () => {
  const told: unknown[] = []
  const hear = (event: Event) => told.push(event instanceof CustomEvent && event.detail)
  window.addEventListener(verificationRequiredEvent, hear)
  render(pass(screen({ isForVerified: true }), { ...facts, isMillersVerified: false }))
  window.removeEventListener(verificationRequiredEvent, hear)
  expect(lastToast()).toBe('This studio needs to be verified by the partner to access this feature')
  expect(here()).toBe('/admin/studios/3/profile')
  expect(verificationRequiredEvent).toBe('studio:verification-required')
  expect(told).toContainEqual({ studioId: 3 })
})

test('a studio that is not enabled does not load for its own people; administrators reach it (section 5)', () => {
  signIn(staff)
  const closed = <StudioEnabledGuard enabled={false}>inside</StudioEnabledGuard>
  expect(render(closed).box.textContent).toContain('There was an error loading the studio')
  cleanUp()
  signIn(administrator)
  expect(render(closed).box.textContent).toBe('inside')
})
