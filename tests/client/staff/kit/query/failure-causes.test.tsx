import { getDefaultStore } from 'jotai'
import { act } from 'react'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { LoginScreen } from '#client/staff/account/login-screen.tsx'
import { formDrafts } from '#client/staff/kit/form/form-drafts.ts'
import { claimsAtom, session } from '#client/staff/kit/session/current-session.ts'
import { slowDownMessage } from '#contract/shapes/problems.ts'
import type { JobSettings } from '#contract/studio/job-settings.ts'
import { online } from '#platform/online.ts'
import { click, getButton, getElement, render, type } from '#support/rendering/render.tsx'
import { jobResponse, staffScreenAt, stubStaffServer, waitUntil } from '#support/rendering/render-staff-screen.tsx'

const closed = { enabled: false, opensAt: null, closesAt: null, importedData: false }
const settings: JobSettings = {
  ...{ version: 1, timeZone: 'America/New_York', watermarks: [], templates: [], prefields: [] },
  general: {
    ...{ name: 'Spring', description: '', eventDate: null, orderBy: null, organizationId: null, code: 'SPRING' },
    ...{ ownCodeOnly: false, contact: null },
    preferences: { namesOnThumbnails: true, pricesBeforePose: true, orderByCountdown: true, contact: true },
  },
  standard: {
    ...{ allowRetouch: false, allowNameOnAllPrints: false, allowNameOnWallets: false, imageLevelService: false },
    services: [],
  },
  preorder: { ...closed, shipsHome: true, shipsBatch: true, batchClosesOn: null },
  gallery: {
    ...{ ...closed, isPublic: false, expiresOn: null, watermarkId: null },
    ...{ enableYearBookPoseSelection: false, yearBookPoseExpiresAt: null, isYearBookPoseSelectionExpired: false },
  },
}

const noJobs = { resultItems: [], currentPage: 1, pageSize: 50, totalRecords: 0 }
const studioPath = '/api/studioadmin/studios/3'
const jobPath = `${studioPath}/jobs/12`
stubStaffServer((path) =>
  path === jobPath
    ? { ...jobResponse, organizationId: null, organizationName: null }
    : path === `${jobPath}/settings`
      ? settings
      : path === `${studioPath}/jobs`
        ? noJobs
        : undefined,
)

type Fails = () => Promise<Response>
const cut: Fails = () => Promise.reject(new TypeError('Failed to fetch'))
const says = (status: number, sentence: string, headers = {}): Fails => {
  const problem = status === 429 ? 'slow-down' : status === 403 ? 'not-allowed' : undefined
  return async () => Response.json({ errors: [sentence], problem }, { status, headers })
}

const sentences = {
  offline: 'There is no connection right now',
  unreachable: 'There was no answer',
  tooManyTries: 'Too many tries. Please wait 30 seconds and try again',
  ourFault: 'Something went wrong on our side',
  forbidden: 'You may not do this',
  missing: 'We could not find this',
} as const
type Cause = keyof typeof sentences

const causes: [Cause, { hasNetwork: boolean; fails: Fails }][] = [
  ['offline', { hasNetwork: false, fails: cut }],
  ['unreachable', { hasNetwork: true, fails: cut }],
  ['tooManyTries', { hasNetwork: true, fails: says(429, slowDownMessage, { 'retry-after': '30' }) }],
  ['ourFault', { hasNetwork: true, fails: says(500, 'An error occurred') }],
  ['forbidden', { hasNetwork: true, fails: says(403, sentences.forbidden) }],
  ['missing', { hasNetwork: true, fails: says(404, sentences.missing) }],
]
/** Causes that may pass: the server fails or cannot be reached, so a retry may succeed. */
const passing = causes.slice(0, 4)

/** The given calls fail from now on; all others succeed as before. */
const failing = (
  { hasNetwork, fails }: { hasNetwork: boolean; fails: Fails },
  meant: (path: string, method: string) => boolean,
) => {
  const answered = globalThis.fetch
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(hasNetwork)
  vi.stubGlobal('fetch', async (address: string, init: RequestInit = {}) => {
    const { pathname } = new URL(address, 'https://fieldproof.test')
    // The page itself polls whether the server can be reached.
    const isHealth = pathname === '/api/health'
    return meant(pathname, init.method ?? 'GET') || isHealth ? await fails() : await answered(address, init)
  })
}

/** Expects the screen to show this cause and no other. */
const blames = (cause: Cause) =>
  waitUntil(() => {
    const text = document.body.textContent ?? ''
    const said = Object.entries(sentences).flatMap(([name, sentence]) => (text.includes(sentence) ? [name] : []))
    expect(said, text).toEqual([cause])
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

test.each(causes)('a job list that fails to load shows the cause: %s', async (cause, how) => {
  failing(how, (path) => path === `${studioPath}/jobs`)
  render(staffScreenAt('/admin/studios/3/jobs'))
  // The layout's notice may show the cause before the list does.
  await waitUntil(() => expect(getButton('Try again')).toBeDefined())
  await blames(cause)
})

test.each(causes)('job settings that fail to load show the cause: %s', async (cause, how) => {
  failing(how, (path) => path === `${jobPath}/settings`)
  render(staffScreenAt('/admin/studios/3/jobs/12/settings/general'))
  await blames(cause)
  expect(document.querySelector('form')).toBeNull()
})

test.each(causes)('a form that fails to save shows the cause and keeps its input: %s', async (cause, how) => {
  render(staffScreenAt('/admin/studios/3/jobs/12/settings/general'))
  await waitUntil(() => expect(field('name').value).toBe('Spring'))
  failing(how, (_, method) => method !== 'GET')
  type(field('name'), 'Spring, second day')
  click(getButton('Save'))
  await blames(cause)
  expect(field('name').value).toBe('Spring, second day')
  expect(document.body.textContent).toContain('Not saved yet')
  expect(formDrafts.read('job 12 general')).toMatchObject({ values: { name: 'Spring, second day' } })
})

test.each(causes)('a studio that fails to load shows the cause: %s', async (cause, how) => {
  failing(how, (path) => path === studioPath)
  render(staffScreenAt('/admin/studios/3/jobs'))
  await blames(cause)
})

test.each(causes)('a failed login shows the cause and keeps its input: %s', async (cause, how) => {
  localStorage.clear()
  session.clear()
  failing(how, () => true)
  render(<LoginScreen expired={false} />)
  type(field('username'), 'owner@riverside.test')
  type(field('password'), 'fieldproof-demo')
  click(getButton('Log in'))
  await blames(cause)
  expect([field('username').value, field('password').value]).toEqual(['owner@riverside.test', 'fieldproof-demo'])
})

test.each(passing)('a user whose session cannot be refreshed sees the cause: %s', async (cause, how) => {
  localStorage.removeItem('authToken')
  act(() => getDefaultStore().set(claimsAtom, null))
  failing(how, () => true)
  render(staffScreenAt('/admin/studios/3/jobs'))
  await blames(cause)
  expect(document.body.textContent).toContain('You are still signed in')
})

test('a session that could not be refreshed is refreshed once the server can be reached', async () => {
  localStorage.removeItem('authToken')
  act(() => getDefaultStore().set(claimsAtom, null))
  failing({ hasNetwork: true, fails: cut }, () => true)
  render(staffScreenAt('/admin/studios/3/jobs'))
  await blames('unreachable')
  const expiration = '2096-10-02T07:06:40.000Z'
  const token = `h.${btoa(JSON.stringify({ nameid: '7', permission: 'studio.admin.crud', exp: 4_000_000_000 }))}.s`
  vi.stubGlobal('fetch', async () => Response.json({ data: { token, refreshToken: 'r2', expiration } }))
  act(() => online.set(true))
  await waitUntil(() => expect(session.refreshToken()).toBe('r2'))
  await waitUntil(() => expect(document.body.textContent).not.toContain('You are still signed in'))
})

test.each(passing)(
  'a save after the token expired shows the cause if the session cannot be refreshed: %s',
  async (cause, how) => {
    render(staffScreenAt('/admin/studios/3/jobs/12/settings/general'))
    await waitUntil(() => expect(field('name').value).toBe('Spring'))
    localStorage.removeItem('authToken')
    failing(how, () => true)
    type(field('name'), 'Spring, second day')
    click(getButton('Save'))
    await blames(cause)
    expect(field('name').value).toBe('Spring, second day')
  },
)
