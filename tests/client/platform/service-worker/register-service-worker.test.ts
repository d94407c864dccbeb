// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { notCached, pendingUpdate } from '#platform/api/cache-updates.ts'
import { startServiceWorker } from '#platform/service-worker/register-service-worker.ts'

const createRegistration = () =>
  Object.assign(new EventTarget(), { installing: null, waiting: null, update: vi.fn(async () => undefined) })

/** Simulates an update that is found and then fails, because not all of its files load. */
const failUpdate = (target: EventTarget): void => {
  const worker = Object.assign(new EventTarget(), { scriptURL: `${location.origin}/sw.js`, state: 'installing' })
  Object.assign(target, { installing: worker })
  target.dispatchEvent(new Event('updatefound'))
  Object.assign(worker, { state: 'redundant' })
  worker.dispatchEvent(new Event('statechange'))
}

/** A browser's service workers as seen by a page; `register` is the result of registering. */
const createServiceWorkers = (register: () => Promise<unknown>) =>
  Object.assign(new EventTarget(), {
    controller: null,
    register: vi.fn(register),
    getRegistration: async (): Promise<unknown> => undefined,
    ready: new Promise<unknown>(() => undefined),
  })

let consoleOutput: unknown[][]
/** Removes the page's listeners after its test. */
let listenerAbort: AbortController
const abortListenersAfterTest = (target: Window | Document) => {
  const add = target.addEventListener.bind(target)
  vi.spyOn(target, 'addEventListener').mockImplementation(
    (type: string, listener: EventListenerOrEventListenerObject) =>
      add(type, listener, { signal: listenerAbort.signal }),
  )
}
let cacheUpdates: (string | null)[]
const onChange = (change: string | null) => void cacheUpdates.push(change)

beforeEach(() => {
  cacheUpdates = []
  listenerAbort = new AbortController()
  abortListenersAfterTest(window)
  abortListenersAfterTest(document)
  vi.useFakeTimers()
  // As in production: Workbox logs more in development.
  vi.stubEnv('NODE_ENV', 'production')
  consoleOutput = []
  for (const level of ['log', 'info', 'warn', 'error', 'groupCollapsed'] as const)
    vi.spyOn(console, level).mockImplementation((...messages: unknown[]) => void consoleOutput.push(messages))
})

afterEach(() => {
  listenerAbort.abort()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** A new page with an existing worker. */
const openPageWith = async (registration: unknown) => {
  const serviceWorker = Object.assign(
    createServiceWorkers(async () => registration),
    { getRegistration: async () => registration },
  )
  vi.stubGlobal('navigator', { ...navigator, serviceWorker })
  await startServiceWorker(onChange)
  return serviceWorker
}

test.each([
  ['rejects it', () => Promise.reject(new DOMException('The operation is insecure.', 'SecurityError'))],
  ['has it disabled', () => Promise.reject(new DOMException('The user denied permission', 'NotSupportedError'))],
])('a browser that %s has no worker, and nothing is logged or retried', async (_, register) => {
  const serviceWorker = createServiceWorkers(register)
  vi.stubGlobal('navigator', { ...navigator, serviceWorker })
  await startServiceWorker(onChange)
  expect(serviceWorker.register).toHaveBeenCalledOnce()
  expect(consoleOutput).toEqual([])
  expect(vi.getTimerCount()).toBe(0)
})

test('a browser whose registration call returns no registration causes no errors', async () => {
  const serviceWorker = createServiceWorkers(async () => undefined)
  vi.stubGlobal('navigator', { ...navigator, serviceWorker })
  await startServiceWorker(onChange)
  await vi.advanceTimersByTimeAsync(200_000)
  expect(consoleOutput).toEqual([])
})

test('an interrupted registration or installation of a worker is retried until it succeeds', async () => {
  const responses = [
    async () => Promise.reject(new TypeError('Failed to fetch')),
    async () => failingRegistration,
    async () => {
      serviceWorker.getRegistration = async () => createRegistration()
      return createRegistration()
    },
  ]
  const failingRegistration = createRegistration()
  const serviceWorker = createServiceWorkers(async () => responses.shift()?.())
  vi.stubGlobal('navigator', { ...navigator, serviceWorker })
  await startServiceWorker(onChange)
  expect(serviceWorker.register).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(serviceWorker.register).toHaveBeenCalledTimes(2)
  // Its files do not load: the registration is removed.
  failUpdate(failingRegistration)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(serviceWorker.register).toHaveBeenCalledTimes(3)
  await vi.advanceTimersByTimeAsync(200_000)
  expect(serviceWorker.register).toHaveBeenCalledTimes(3)
  expect(consoleOutput).toEqual([])
})

test('a missing worker is registered when the network is back', async () => {
  const serviceWorker = createServiceWorkers(async () => Promise.reject(new TypeError('Failed to fetch')))
  vi.stubGlobal('navigator', { ...navigator, serviceWorker })
  await startServiceWorker(onChange)
  await vi.advanceTimersByTimeAsync(200_000)
  const callsBefore = serviceWorker.register.mock.calls.length
  window.dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(0)
  expect(serviceWorker.register).not.toHaveBeenCalledTimes(callsBefore)
})

test('an active worker reports newer responses, and the page checks for an update hourly', async () => {
  const registration = createRegistration()
  const serviceWorker = await openPageWith(registration)
  expect(serviceWorker.register).toHaveBeenCalledWith('/sw.js', expect.anything())
  const data = { type: 'changed', url: `${location.origin}/api/customer/jobs/1?x=1` }
  serviceWorker.dispatchEvent(new MessageEvent('message', { data }))
  expect(cacheUpdates).toEqual(['/api/customer/jobs/1?x=1'])
  window.dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(0)
  expect(registration.update).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(registration.update).toHaveBeenCalledOnce()
})

/** A page whose worker has been active for an hour, so that it has checked for an update once. */
const openPageForAnHour = async (update: () => Promise<unknown>) => {
  const registration = { ...createRegistration(), addEventListener: vi.fn(), update: vi.fn(update) }
  await openPageWith(registration)
  await vi.advanceTimersByTimeAsync(3_600_000)
  return { countUpdateChecks: () => registration.update.mock.calls.length }
}

test('an update check that the network prevented is retried soon, until it succeeds', async () => {
  const responses = [false, false, true]
  const { countUpdateChecks } = await openPageForAnHour(
    async () => responses.shift() || Promise.reject(new TypeError('Failed to update')),
  )
  expect(countUpdateChecks()).toBe(1)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(countUpdateChecks()).toBe(2)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(countUpdateChecks()).toBe(3)
  await vi.advanceTimersByTimeAsync(200_000)
  expect(countUpdateChecks()).toBe(3)
})

test('an update whose files did not all load is retried soon and then reported', async () => {
  const registration = createRegistration()
  await openPageWith(registration)
  failUpdate(registration)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(registration.update).toHaveBeenCalledOnce()
  const next = Object.assign(new EventTarget(), { scriptURL: `${location.origin}/sw.js`, state: 'installing' })
  Object.assign(registration, { installing: next })
  registration.dispatchEvent(new Event('updatefound'))
  Object.assign(next, { state: 'installed' })
  Object.assign(registration, { installing: null, waiting: next })
  pendingUpdate.set(null)
  next.dispatchEvent(new Event('statechange'))
  await vi.advanceTimersByTimeAsync(1_000)
  expect(pendingUpdate.current()).not.toBeNull()
})

test('a failed update check is repeated at once when the network is back', async () => {
  const responses = [false, true]
  const { countUpdateChecks } = await openPageForAnHour(
    async () => responses.shift() || Promise.reject(new TypeError('Failed to update')),
  )
  window.dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(0)
  expect(countUpdateChecks()).toBe(2)
  await vi.advanceTimersByTimeAsync(200_000)
  expect(countUpdateChecks()).toBe(2)
  window.dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(0)
  expect(countUpdateChecks()).toBe(2)
})

test('an update check that keeps failing is not retried again until the next hourly check', async () => {
  const { countUpdateChecks } = await openPageForAnHour(() => Promise.reject(new TypeError('Failed to update')))
  await vi.advanceTimersByTimeAsync(600_000)
  expect(countUpdateChecks()).toBe(5)
  await vi.advanceTimersByTimeAsync(3_000_000)
  expect(countUpdateChecks()).toBe(6)
})

test.each([
  ['that overlooked this page is asked to claim it', null, null, [{ type: 'claim' }]],
  ['with a waiting update is asked for nothing', null, {}, []],
  ['that controls this page is asked for nothing', {}, null, []],
])('a worker %s', async (_, controller, waiting, messages) => {
  const active = { postMessage: vi.fn() }
  const serviceWorker = Object.assign(
    createServiceWorkers(async () => createRegistration()),
    { controller, ready: Promise.resolve({ active, waiting }) },
  )
  vi.stubGlobal('navigator', { ...navigator, serviceWorker })
  await startServiceWorker(onChange)
  await vi.advanceTimersByTimeAsync(0)
  expect(active.postMessage.mock.calls.flat()).toEqual(messages)
})

/** A page with a waiting update; `accept` is what the customer does in its notice. */
const openPageWithUpdate = async () => {
  const waitingWorker = Object.assign(new EventTarget(), {
    scriptURL: `${location.origin}/sw.js`,
    postMessage: vi.fn(),
  })
  const registration = {
    ...createRegistration(),
    addEventListener: vi.fn(),
    waiting: waitingWorker as typeof waitingWorker | null,
  }
  const serviceWorker = Object.assign(
    createServiceWorkers(async () => registration),
    { getRegistration: async () => registration },
  )
  vi.stubGlobal('navigator', { ...navigator, serviceWorker })
  const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => undefined)
  await startServiceWorker(onChange)
  await vi.advanceTimersByTimeAsync(0)
  return { waitingWorker, registration, serviceWorker, reload, accept: () => pendingUpdate.current()?.accept() }
}

test('an update activates when the customer agrees, and the page reloads once it has', async () => {
  const { waitingWorker, serviceWorker, reload, accept } = await openPageWithUpdate()
  expect(waitingWorker.postMessage).not.toHaveBeenCalled()
  await accept()
  expect(waitingWorker.postMessage.mock.calls[0]?.[0]).toEqual({ type: 'SKIP_WAITING' })
  expect(reload).not.toHaveBeenCalled()
  serviceWorker.dispatchEvent(new Event('controllerchange'))
  expect(reload).toHaveBeenCalledOnce()
})

test('a page reloads at once if another tab has already activated the update', async () => {
  const { waitingWorker, registration, reload, accept } = await openPageWithUpdate()
  registration.waiting = null
  await accept()
  expect(waitingWorker.postMessage).not.toHaveBeenCalled()
  expect(reload).toHaveBeenCalledOnce()
})

test.each([
  ['the data is requested again when the first worker takes control', null, [notCached]],
  ['the data is not requested again when another worker replaces the current one', {}, []],
])('%s', async (_, controller, expectedUpdates) => {
  const serviceWorker = Object.assign(
    createServiceWorkers(async () => createRegistration()),
    { controller },
  )
  vi.stubGlobal('navigator', { ...navigator, serviceWorker })
  await startServiceWorker(onChange)
  expect(cacheUpdates).toEqual([])
  serviceWorker.dispatchEvent(new Event('controllerchange'))
  expect(cacheUpdates).toEqual(expectedUpdates)
})
