// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { pendingUpdate } from '#platform/service-worker/app-update.ts'
import { registerServiceWorker } from '#platform/service-worker/register-service-worker.ts'

const registration = () =>
  Object.assign(new EventTarget(), { installing: null, waiting: null, update: vi.fn(async () => undefined) })

/** An update is found, but not all of its files load. */
const comeToNothing = (found: EventTarget): void => {
  const cut = Object.assign(new EventTarget(), { scriptURL: `${location.origin}/sw.js`, state: 'installing' })
  Object.assign(found, { installing: cut })
  found.dispatchEvent(new Event('updatefound'))
  Object.assign(cut, { state: 'redundant' })
  cut.dispatchEvent(new Event('statechange'))
}

/** A browser's service workers as seen by a page; `register` is the result of registering. */
const workers = (register: () => Promise<unknown>) =>
  Object.assign(new EventTarget(), {
    controller: null,
    register: vi.fn(register),
    getRegistration: async (): Promise<unknown> => undefined,
    ready: new Promise<unknown>(() => undefined),
  })

let noise: unknown[][]
/** Removes the page's listeners after its test. */
let leaving: AbortController
const listenUntilGone = (target: Window | Document) => {
  const add = target.addEventListener.bind(target)
  vi.spyOn(target, 'addEventListener').mockImplementation(
    (type: string, listener: EventListenerOrEventListenerObject) => add(type, listener, { signal: leaving.signal }),
  )
}
let changes: (string | null)[]
const changed = (change: string | null) => void changes.push(change)

beforeEach(() => {
  changes = []
  leaving = new AbortController()
  listenUntilGone(window)
  listenUntilGone(document)
  vi.useFakeTimers()
  // As in production: Workbox logs more in development.
  vi.stubEnv('NODE_ENV', 'production')
  noise = []
  for (const level of ['log', 'info', 'warn', 'error', 'groupCollapsed'] as const)
    vi.spyOn(console, level).mockImplementation((...words: unknown[]) => void noise.push(words))
})

afterEach(() => {
  leaving.abort()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** A new page with an existing worker. */
const beginWith = async (found: unknown) => {
  const serviceWorker = Object.assign(
    workers(async () => found),
    { getRegistration: async () => found },
  )
  vi.stubGlobal('navigator', { ...navigator, serviceWorker })
  await registerServiceWorker(changed)
  return serviceWorker
}

test.each([
  ['rejects it', () => Promise.reject(new DOMException('The operation is insecure.', 'SecurityError'))],
  ['has it disabled', () => Promise.reject(new DOMException('The user denied permission', 'NotSupportedError'))],
])('a browser that %s has no worker, and nothing is logged or retried', async (_, register) => {
  const serviceWorker = workers(register)
  vi.stubGlobal('navigator', { ...navigator, serviceWorker })
  await registerServiceWorker(changed)
  expect(serviceWorker.register).toHaveBeenCalledOnce()
  expect(noise).toEqual([])
  expect(vi.getTimerCount()).toBe(0)
})

test('a browser that only pretends to register a worker causes no errors', async () => {
  const serviceWorker = workers(async () => undefined)
  vi.stubGlobal('navigator', { ...navigator, serviceWorker })
  await registerServiceWorker(changed)
  await vi.advanceTimersByTimeAsync(200_000)
  expect(noise).toEqual([])
})

test('a worker whose registration or installation was interrupted is retried until it is there', async () => {
  const answers = [
    async () => Promise.reject(new TypeError('Failed to fetch')),
    async () => cut,
    async () => {
      serviceWorker.getRegistration = async () => registration()
      return registration()
    },
  ]
  const cut = registration()
  const serviceWorker = workers(async () => answers.shift()?.())
  vi.stubGlobal('navigator', { ...navigator, serviceWorker })
  await registerServiceWorker(changed)
  expect(serviceWorker.register).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(serviceWorker.register).toHaveBeenCalledTimes(2)
  // Its files do not load: the registration is removed.
  comeToNothing(cut)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(serviceWorker.register).toHaveBeenCalledTimes(3)
  await vi.advanceTimersByTimeAsync(200_000)
  expect(serviceWorker.register).toHaveBeenCalledTimes(3)
  expect(noise).toEqual([])
})

test('a missing worker is registered when the network is back', async () => {
  const serviceWorker = workers(async () => Promise.reject(new TypeError('Failed to fetch')))
  vi.stubGlobal('navigator', { ...navigator, serviceWorker })
  await registerServiceWorker(changed)
  await vi.advanceTimersByTimeAsync(200_000)
  const before = serviceWorker.register.mock.calls.length
  window.dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(0)
  expect(serviceWorker.register).not.toHaveBeenCalledTimes(before)
})

test('an active worker reports newer responses, and updates are checked hourly', async () => {
  const found = registration()
  const serviceWorker = await beginWith(found)
  expect(serviceWorker.register).toHaveBeenCalledWith('/sw.js', expect.anything())
  const data = { type: 'changed', url: `${location.origin}/api/customer/jobs/1?x=1` }
  serviceWorker.dispatchEvent(new MessageEvent('message', { data }))
  expect(changes).toEqual(['/api/customer/jobs/1?x=1'])
  window.dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(0)
  expect(found.update).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(found.update).toHaveBeenCalledOnce()
})

/** A page whose worker has been active for an hour, counting update checks. */
const withWorker = async (update: () => Promise<unknown>) => {
  const found = { ...registration(), addEventListener: vi.fn(), update: vi.fn(update) }
  await beginWith(found)
  await vi.advanceTimersByTimeAsync(3_600_000)
  return { looks: () => found.update.mock.calls.length }
}

test('an update check that the network prevented is retried soon, until it succeeds', async () => {
  const answers = [false, false, true]
  const { looks } = await withWorker(async () => answers.shift() || Promise.reject(new TypeError('Failed to update')))
  expect(looks()).toBe(1)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(looks()).toBe(2)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(looks()).toBe(3)
  await vi.advanceTimersByTimeAsync(200_000)
  expect(looks()).toBe(3)
})

test('an update whose files did not all load is reported again after a retry soon', async () => {
  const found = registration()
  await beginWith(found)
  comeToNothing(found)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(found.update).toHaveBeenCalledOnce()
  const next = Object.assign(new EventTarget(), { scriptURL: `${location.origin}/sw.js`, state: 'installing' })
  Object.assign(found, { installing: next })
  found.dispatchEvent(new Event('updatefound'))
  Object.assign(next, { state: 'installed' })
  Object.assign(found, { installing: null, waiting: next })
  pendingUpdate.set(null)
  next.dispatchEvent(new Event('statechange'))
  await vi.advanceTimersByTimeAsync(1_000)
  expect(pendingUpdate.current()).not.toBeNull()
})

test('a failed update check is repeated at once when the network is back', async () => {
  const answers = [false, true]
  const { looks } = await withWorker(async () => answers.shift() || Promise.reject(new TypeError('Failed to update')))
  window.dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(0)
  expect(looks()).toBe(2)
  await vi.advanceTimersByTimeAsync(200_000)
  expect(looks()).toBe(2)
  window.dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(0)
  expect(looks()).toBe(2)
})

test('an update check that never succeeds is left for an hour', async () => {
  const { looks } = await withWorker(() => Promise.reject(new TypeError('Failed to update')))
  await vi.advanceTimersByTimeAsync(600_000)
  expect(looks()).toBe(5)
  await vi.advanceTimersByTimeAsync(3_000_000)
  expect(looks()).toBe(6)
})

test.each([
  ['that overlooked this page is asked to claim it', null, null, [{ type: 'claim' }]],
  ['with a waiting update is asked for nothing', null, {}, []],
  ['that controls this page is asked for nothing', {}, null, []],
])('a worker %s', async (_, controller, waiting, asked) => {
  const active = { postMessage: vi.fn() }
  const serviceWorker = Object.assign(
    workers(async () => registration()),
    { controller, ready: Promise.resolve({ active, waiting }) },
  )
  vi.stubGlobal('navigator', { ...navigator, serviceWorker })
  await registerServiceWorker(changed)
  await vi.advanceTimersByTimeAsync(0)
  expect(active.postMessage.mock.calls.flat()).toEqual(asked)
})

/** A waiting update, and what the page observes of it. */
const withNewer = async () => {
  const newer = Object.assign(new EventTarget(), { scriptURL: `${location.origin}/sw.js`, postMessage: vi.fn() })
  const found = { ...registration(), addEventListener: vi.fn(), waiting: newer as typeof newer | null }
  const serviceWorker = Object.assign(
    workers(async () => found),
    { getRegistration: async () => found },
  )
  vi.stubGlobal('navigator', { ...navigator, serviceWorker })
  const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => undefined)
  await registerServiceWorker(changed)
  await vi.advanceTimersByTimeAsync(0)
  return { newer, found, serviceWorker, reload, accept: () => pendingUpdate.current()?.accept() }
}

test('an update activates when the customer agrees, and the page reloads once it has', async () => {
  const { newer, serviceWorker, reload, accept } = await withNewer()
  expect(newer.postMessage).not.toHaveBeenCalled()
  await accept()
  expect(newer.postMessage.mock.calls[0]?.[0]).toEqual({ type: 'SKIP_WAITING' })
  expect(reload).not.toHaveBeenCalled()
  serviceWorker.dispatchEvent(new Event('controllerchange'))
  expect(reload).toHaveBeenCalledOnce()
})

test('a page whose update another tab has activated already reloads at once', async () => {
  const { newer, found, reload, accept } = await withNewer()
  found.waiting = null
  await accept()
  expect(newer.postMessage).not.toHaveBeenCalled()
  expect(reload).toHaveBeenCalledOnce()
})

test.each([
  ['first', null, [null]],
  ['next', {}, []],
])(
  'when a worker takes control for the %s time, the shown data is requested again or not',
  async (_, controller, told) => {
    const serviceWorker = Object.assign(
      workers(async () => registration()),
      { controller },
    )
    vi.stubGlobal('navigator', { ...navigator, serviceWorker })
    await registerServiceWorker(changed)
    expect(changes).toEqual([])
    serviceWorker.dispatchEvent(new Event('controllerchange'))
    expect(changes).toEqual(told)
  },
)
