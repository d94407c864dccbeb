import { getDefaultStore } from 'jotai'
import { act } from 'react'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { LoginScreen } from '#client/staff/account/login-screen.tsx'
import { formDrafts } from '#client/staff/kit/form/form-drafts.ts'
import { claimsAtom, session } from '#client/staff/kit/session/current-session.ts'
import { slowDownMessage } from '#contract/shapes/problems.ts'
import { online } from '#platform/online.ts'
import { click, getButton, getElement, render, type } from '#support/rendering/render.tsx'
import {
  jobResponse,
  jobSettingsResponse,
  staffScreenAt,
  stubStaffServer,
  waitUntil,
} from '#support/rendering/render-staff-screen.tsx'

const noJobs = { resultItems: [], currentPage: 1, pageSize: 50, totalRecords: 0 }
const studioPath = '/api/studioadmin/studios/3'
const jobPath = `${studioPath}/jobs/12`
stubStaffServer((path) =>
  path === jobPath
    ? { ...jobResponse, organizationId: null, organizationName: null }
    : path === `${jobPath}/settings`
      ? jobSettingsResponse
      : path === `${studioPath}/jobs`
        ? noJobs
        : undefined,
)

type FailingFetch = () => Promise<Response>
const networkError: FailingFetch = () => Promise.reject(new TypeError('Failed to fetch'))
const errorResponse = (status: number, message: string, headers = {}): FailingFetch => {
  const problem = status === 429 ? 'slow-down' : status === 403 ? 'not-allowed' : undefined
  return async () => Response.json({ errors: [message], problem }, { status, headers })
}

const causeMessages = {
  offline: 'There is no connection right now',
  unreachable: 'There was no answer',
  tooManyTries: 'Too many tries. Please wait 30 seconds and try again',
  serverError: 'Something went wrong on our side',
  forbidden: 'You may not do this',
  missing: 'We could not find this',
} as const
type Cause = keyof typeof causeMessages

const causes: [Cause, { hasNetwork: boolean; fail: FailingFetch }][] = [
  ['offline', { hasNetwork: false, fail: networkError }],
  ['unreachable', { hasNetwork: true, fail: networkError }],
  ['tooManyTries', { hasNetwork: true, fail: errorResponse(429, slowDownMessage, { 'retry-after': '30' }) }],
  ['serverError', { hasNetwork: true, fail: errorResponse(500, 'An error occurred') }],
  ['forbidden', { hasNetwork: true, fail: errorResponse(403, causeMessages.forbidden) }],
  ['missing', { hasNetwork: true, fail: errorResponse(404, causeMessages.missing) }],
]
/** Temporary causes: the server fails or cannot be reached, so a retry may succeed. */
const temporaryCauses = causes.slice(0, 4)

/** The given calls fail from now on; all others succeed as before. */
const failCalls = (
  { hasNetwork, fail }: { hasNetwork: boolean; fail: FailingFetch },
  isAffected: (path: string, method: string) => boolean,
) => {
  const previousFetch = globalThis.fetch
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(hasNetwork)
  vi.stubGlobal('fetch', async (address: string, init: RequestInit = {}) => {
    const { pathname } = new URL(address, 'https://fieldproof.test')
    // The page itself polls whether the server can be reached.
    const isHealth = pathname === '/api/health'
    return isAffected(pathname, init.method ?? 'GET') || isHealth ? await fail() : await previousFetch(address, init)
  })
}

/** Expects the screen to show this cause and no other. */
const expectCause = (cause: Cause) =>
  waitUntil(() => {
    const text = document.body.textContent ?? ''
    const shownCauses = Object.entries(causeMessages).flatMap(([name, message]) =>
      text.includes(message) ? [name] : [],
    )
    expect(shownCauses, text).toEqual([cause])
  })

beforeAll(async () => {
  // Loads the code of the screens once for all tests.
  await import('#client/staff/studio/jobs/jobs-screen.tsx')
  await import('#client/staff/studio/job-editor/general-settings-screen.tsx')
}, 30_000)

beforeEach(() => {
  vi.restoreAllMocks()
  online.set(true)
})

const field = (name: string) => getElement<HTMLInputElement>(`[name="${name}"]`)

test.each(causes)(
  'a job list that fails to load shows the cause, and a retry where it may help: %s',
  async (cause, failure) => {
    failCalls(failure, (path) => path === `${studioPath}/jobs`)
    render(staffScreenAt('/admin/studios/3/jobs'))
    // The layout's notice may show the cause before the list does.
    await waitUntil(() => expect(document.querySelector('main h2')).not.toBeNull())
    await expectCause(cause)
    expect(document.querySelector('main')?.textContent?.includes('Try again')).toBe(cause !== 'forbidden')
  },
)

test.each(causes)('the screen of job settings that fail to load shows the cause: %s', async (cause, failure) => {
  failCalls(failure, (path) => path === `${jobPath}/settings`)
  render(staffScreenAt('/admin/studios/3/jobs/12/settings/general'))
  await expectCause(cause)
  expect(document.querySelector('form')).toBeNull()
})

test.each(causes)('a form that fails to save shows the cause and keeps its input: %s', async (cause, failure) => {
  render(staffScreenAt('/admin/studios/3/jobs/12/settings/general'))
  await waitUntil(() => expect(field('name').value).toBe('Spring'))
  failCalls(failure, (_, method) => method !== 'GET')
  type(field('name'), 'Spring, second day')
  click(getButton('Save'))
  await expectCause(cause)
  expect(field('name').value).toBe('Spring, second day')
  expect(document.body.textContent).toContain('Not saved yet')
  expect(formDrafts.read('job 12 general')).toMatchObject({ values: { name: 'Spring, second day' } })
})

test.each(causes)('the screen of a studio that fails to load shows the cause: %s', async (cause, failure) => {
  failCalls(failure, (path) => path === studioPath)
  render(staffScreenAt('/admin/studios/3/jobs'))
  await expectCause(cause)
})

test.each(causes)('a failed login shows the cause and keeps its input: %s', async (cause, failure) => {
  localStorage.clear()
  session.clear()
  failCalls(failure, () => true)
  render(<LoginScreen expired={false} />)
  type(field('username'), 'owner@riverside.test')
  type(field('password'), 'fieldproof-demo')
  click(getButton('Log in'))
  await expectCause(cause)
  expect([field('username').value, field('password').value]).toEqual(['owner@riverside.test', 'fieldproof-demo'])
})

test.each(temporaryCauses)('a user whose session cannot be refreshed sees the cause: %s', async (cause, failure) => {
  localStorage.removeItem('authToken')
  act(() => getDefaultStore().set(claimsAtom, null))
  failCalls(failure, () => true)
  render(staffScreenAt('/admin/studios/3/jobs'))
  await expectCause(cause)
  expect(document.body.textContent).toContain('You are still signed in')
})

test('a session that could not be refreshed is refreshed once the server can be reached', async () => {
  localStorage.removeItem('authToken')
  act(() => getDefaultStore().set(claimsAtom, null))
  failCalls({ hasNetwork: true, fail: networkError }, () => true)
  render(staffScreenAt('/admin/studios/3/jobs'))
  await expectCause('unreachable')
  const expiration = '2096-10-02T07:06:40.000Z'
  const token = `h.${btoa(JSON.stringify({ nameid: '7', permission: 'studio.admin.crud', exp: 4_000_000_000 }))}.s`
  vi.stubGlobal('fetch', async () => Response.json({ data: { token, refreshToken: 'r2', expiration } }))
  act(() => online.set(true))
  await waitUntil(() => expect(session.refreshToken()).toBe('r2'))
  await waitUntil(() => expect(document.body.textContent).not.toContain('You are still signed in'))
})

test.each(temporaryCauses)(
  'a save after the token expired shows the cause if the session cannot be refreshed: %s',
  async (cause, failure) => {
    render(staffScreenAt('/admin/studios/3/jobs/12/settings/general'))
    await waitUntil(() => expect(field('name').value).toBe('Spring'))
    localStorage.removeItem('authToken')
    failCalls(failure, () => true)
    type(field('name'), 'Spring, second day')
    click(getButton('Save'))
    await expectCause(cause)
    expect(field('name').value).toBe('Spring, second day')
  },
)
