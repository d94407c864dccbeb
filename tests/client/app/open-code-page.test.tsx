// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { replaceFirstView } from '#client/app/first-view.ts'
import type * as OpenCodePage from '#client/app/open-code-page.ts'
import type { CodePage } from '#contract/customer/code-page.ts'
import { getAvailability, listPackages } from '#contract/customer/discovery-calls.ts'
import { redeemCode } from '#contract/customer/session-calls.ts'
import type * as HttpClient from '#local/transport/http-client.ts'
import type * as Api from '#platform/api/api.ts'
import type * as UseQuery from '#platform/api/use-query.ts'
import type * as Database from '#platform/database.ts'
import type { EarlyButton } from '#platform/early-button.ts'
import { countElements, getElement, render } from '#support/rendering/render.tsx'
import { springJobContext } from '#tests/client/job-context-examples.ts'

const { availability } = springJobContext()
const subject = {
  ...{ id: 7, jobId: 1, firstName: 'Ada', lastName: 'Lovelace', groupName: null, fields: [] },
  ...{ imageThumbnailUrl: null, imageCount: 2, grantId: 'g', yearBookImageId: null },
}
const redeemed = { jobId: 1, studioId: 4, jobName: 'Spring Portraits 2027', subject }
const codeUrl = '/api/customer/studios/riverside/jobs?code=ADALVL'
const availabilityUrl = '/api/customer/jobs/1/availability'
const packagesUrl = '/api/customer/jobs/1/packages?orderMethod=gallery'
const packagesCall = { params: { jobId: 1 }, query: { orderMethod: 'gallery' } } as const

const success = (data: unknown) => ({ status: 200, body: { data } })
const pageOfAda: CodePage = {
  studioSlug: 'riverside',
  code: 'ADALVL',
  imagesVersion: 'v7',
  responses: {
    [codeUrl]: success(redeemed),
    [availabilityUrl]: success(availability),
    [packagesUrl]: success([]),
  },
}

const fetchMock = vi.fn(async () => Response.json({ data: [] }))
let openCodePage: typeof OpenCodePage.openCodePage
let inlinedForMs: number
let maxInlinedMs: number
let maxOpenMs: number
let callApi: typeof Api.callApi
let useQuery: typeof UseQuery.useQuery
let httpClient: typeof HttpClient
let database: typeof Database.database

beforeEach(async () => {
  vi.resetModules()
  fetchMock.mockClear()
  vi.stubGlobal('fetch', fetchMock)
  vi.stubGlobal('navigator', { ...navigator, serviceWorker: { ready: new Promise(() => {}), controller: null } })
  history.replaceState(null, '', '/riverside/code/ADALVL')
  ;({ openCodePage, inlinedForMs, maxInlinedMs, maxOpenMs } = await import('#client/app/open-code-page.ts'))
  ;({ callApi } = await import('#platform/api/api.ts'))
  ;({ useQuery } = await import('#platform/api/use-query.ts'))
  ;({ database } = await import('#platform/database.ts'))
  httpClient = await import('#local/transport/http-client.ts')
  await Promise.all(database.tables.map((table) => table.clear()))
})

afterEach(() => {
  localStorage.clear()
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
})

const open = async (page: unknown): Promise<HTMLElement> => {
  const block = document.createElement('script')
  block.type = 'application/json'
  block.textContent = JSON.stringify(page)
  document.body.append(block)
  await openCodePage(block)
  return block
}

test('a code page opens its first screen and stores the code without a request', async () => {
  const block = await open(pageOfAda)
  expect(location.pathname).toBe('/riverside/1/subject/7/select-package')
  const code = { studioSlug: 'riverside', studioId: 4, jobId: 1, code: 'ADALVL', subjectId: 7 }
  expect(await database.codes.toArray()).toEqual([code])
  expect(fetchMock).not.toHaveBeenCalled()
  expect(block.isConnected).toBe(false)
})

test('a screen renders the page’s responses and sends no request', async () => {
  await open(pageOfAda)
  const renders: unknown[] = []
  const Screen = () => {
    const results = [useQuery(getAvailability, { params: { jobId: 1 } }), useQuery(listPackages, packagesCall)]
    renders.push(results.map(({ data }) => data))
    return null
  }
  render(<Screen />)
  // The responses are read asynchronously.
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false })
  await vi.waitFor(() => expect(renders.at(-1)).toEqual([availability, []]))
  expect(fetchMock).not.toHaveBeenCalled()
})

test('each response of the page answers one call; the next one is a request', async () => {
  await open(pageOfAda)
  expect(await callApi(listPackages, packagesCall)).toMatchObject({ ok: true, data: [] })
  expect(fetchMock).not.toHaveBeenCalled()
  await callApi(listPackages, packagesCall)
  expect(fetchMock).toHaveBeenCalledOnce()
})

test('the page’s responses are not used for calls that are made later', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  await open(pageOfAda)
  vi.setSystemTime(Date.now() + inlinedForMs)
  await callApi(listPackages, packagesCall)
  expect(fetchMock).toHaveBeenCalledOnce()
})

test('the page’s responses are used although the scripts took longer than the responses replace requests', async () => {
  const timeOrigin = Date.parse('2027-04-15T10:00:00.000Z')
  vi.stubGlobal('performance', { timeOrigin, getEntriesByType: () => [{ responseStart: 500 }], now: () => 0 })
  vi.useFakeTimers({ toFake: ['Date'], now: timeOrigin + 500 + 2 * inlinedForMs })
  await open(pageOfAda)
  expect(await callApi(listPackages, packagesCall)).toMatchObject({ ok: true, data: [] })
  expect(fetchMock).not.toHaveBeenCalled()
})

test('the age of the page’s responses is limited from the arrival of the page', async () => {
  const timeOrigin = Date.parse('2027-04-15T10:00:00.000Z')
  vi.stubGlobal('performance', { timeOrigin, getEntriesByType: () => [{ responseStart: 500 }], now: () => 0 })
  vi.useFakeTimers({ toFake: ['Date'], now: timeOrigin + 500 + maxInlinedMs - 1 })
  await open(pageOfAda)
  expect(await callApi(listPackages, packagesCall)).toMatchObject({ ok: true, data: [] })
  expect(fetchMock).not.toHaveBeenCalled()
  vi.setSystemTime(Date.now() + 1)
  await callApi(getAvailability, { params: { jobId: 1 } })
  expect(fetchMock).toHaveBeenCalledOnce()
})

test('once the worker controls the page, only responses that were not in the page are requested again', async () => {
  await open(pageOfAda)
  const { notCached, notifyCacheUpdate } = await import('#platform/api/cache-updates.ts')
  const Screen = () => {
    useQuery(listPackages, packagesCall)
    useQuery(listPackages, { params: { jobId: 1 }, query: { orderMethod: 'prepay' } })
    return null
  }
  render(<Screen />)
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false })
  await vi.waitFor(() => expect(fetchMock).toHaveBeenCalledTimes(1))
  notifyCacheUpdate(notCached)
  await vi.waitFor(() => expect(fetchMock).toHaveBeenCalledTimes(2))
  notifyCacheUpdate(null)
  await vi.waitFor(() => expect(fetchMock).toHaveBeenCalledTimes(4))
})

test('listeners receive the version of the images that the page contains', async () => {
  vi.resetModules()
  const versions: string[] = []
  const images = await import('#local/store/images-version.ts')
  images.onImagesVersion((version) => versions.push(version))
  ;({ openCodePage } = await import('#client/app/open-code-page.ts'))
  await open(pageOfAda)
  expect(versions).toEqual(['v7'])
})

test('a wrong code leaves the URL unchanged, and its response in the page replaces the request', async () => {
  const failure = { status: 404, body: { errors: ['We don’t know this code. Please check it'], problem: 'not-found' } }
  await open({ ...pageOfAda, responses: { [codeUrl]: failure } })
  expect(location.pathname).toBe('/riverside/code/ADALVL')
  const redemption = await callApi(redeemCode, { params: { slug: 'riverside' }, query: { code: 'ADALVL' } })
  expect(redemption).toMatchObject({ ok: false, status: 404, problem: 'not-found' })
  expect(fetchMock).not.toHaveBeenCalled()
})

test('the data of a page is not used while a logout is pending', async () => {
  localStorage.setItem('pending-logout', '1')
  await open(pageOfAda)
  expect(location.pathname).toBe('/riverside/code/ADALVL')
  expect(await database.codes.toArray()).toEqual([])
  expect(httpClient.inlinedResponses.size).toBe(0)
})

test('a page with data of another version is ignored', async () => {
  await open({ code: 'ADALVL' })
  expect(location.pathname).toBe('/riverside/code/ADALVL')
  expect(fetchMock).not.toHaveBeenCalled()
})

test('the first view stays until the app has rendered a heading, and the app is hidden until then', async () => {
  document.body.innerHTML = '<div id="first-view"><main><img src="/photos/1"></main></div><div id="root"></div>'
  const root = getElement('#root')
  replaceFirstView()
  expect(root.style.visibility).toBe('hidden')
  root.innerHTML = '<div role="status">Loading…</div>'
  expect(countElements('#first-view')).toBe(1)
  root.innerHTML = '<main><h1>Ada Lovelace</h1></main>'
  await vi.waitFor(() => expect(countElements('#first-view')).toBe(0))
  expect(root.hasAttribute('style')).toBe(false)
})

test.each([
  ['the app begins with another screen', () => Promise.resolve()],
  ['the code is not opened', async () => void (await import('#client/app/first-view.ts')).removeFirstView()],
])('a package that was tapped early is forgotten if %s', async (_, leaveFirstView) => {
  document.body.innerHTML = '<div id="first-view"><button value="40"></button></div><div id="root"></div>'
  Object.assign(window, { earlyButton: getElement('button') })
  replaceFirstView()
  await leaveFirstView()
  getElement('#root').innerHTML = '<main><h1>Enter your code</h1></main>'
  const readEarlyButton = (): EarlyButton => window.earlyButton
  await vi.waitFor(() => expect(readEarlyButton()).toBeNull())
})

const firstView = '<div id="first-view"></div><div id="root"></div>'

const expectAppVisible = () => {
  expect(countElements('#first-view')).toBe(0)
  expect(getElement('#root').hasAttribute('style')).toBe(false)
  expect(location.pathname).toBe('/riverside/code/ADALVL')
}

const startPage = async (load?: () => Promise<typeof OpenCodePage>) => {
  const { startCodePage } = await import('#client/app/start-code-page.ts')
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  document.body.innerHTML = firstView
  replaceFirstView()
  const block = document.createElement('script')
  block.type = 'application/json'
  block.textContent = JSON.stringify(pageOfAda)
  await startCodePage(block, load)
}

test('the app is visible if the code cannot be stored', async () => {
  vi.spyOn(database, 'transaction').mockRejectedValue(new DOMException('full', 'QuotaExceededError'))
  await startPage()
  expectAppVisible()
})

test('the app is visible if the code’s script cannot be loaded', async () => {
  await startPage(() => Promise.reject(new TypeError('Failed to fetch dynamically imported module')))
  expectAppVisible()
})

test('the app is visible if the browser blocks its storage', async () => {
  const { pendingLogout } = await import('#platform/session/pending-logout.ts')
  vi.spyOn(pendingLogout, 'isPending').mockImplementation(() => {
    throw new DOMException('blocked', 'SecurityError')
  })
  await startPage()
  expectAppVisible()
})

test('the app is visible after a while if the database does not answer, and a later answer changes nothing', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const stored = Promise.withResolvers<never>()
  const transaction = vi.spyOn(database, 'transaction').mockReturnValue(stored.promise as never) // Dexie's own promise
  const started = startPage()
  await vi.waitFor(() => expect(transaction).toHaveBeenCalled())
  await vi.advanceTimersByTimeAsync(maxOpenMs)
  await started
  expectAppVisible()
  stored.resolve(undefined as never)
  await new Promise(setImmediate)
  expectAppVisible()
})

test('the app is visible at once while a logout is pending', async () => {
  localStorage.setItem('pending-logout', '1')
  await startPage()
  expectAppVisible()
})
