// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { pendingUpdate } from '#platform/service-worker/app-update.ts'
import { registerServiceWorker } from '#platform/service-worker/register-service-worker.ts'

const registration = () =>
  Object.assign(new EventTarget(), { installing: null, waiting: null, update: vi.fn(async () => undefined) })

/** A newer worker is found, and not all of its files come. */
const comeToNothing = (found: EventTarget): void => {
  const cut = Object.assign(new EventTarget(), { scriptURL: `${location.origin}/sw.js`, state: 'installing' })
  Object.assign(found, { installing: cut })
  found.dispatchEvent(new Event('updatefound'))
  Object.assign(cut, { state: 'redundant' })
  cut.dispatchEvent(new Event('statechange'))
}

/** A browser's workers, as far as a page sees them; `register` is what becomes of a registration. */
const workers = (register: () => Promise<unknown>) =>
  Object.assign(new EventTarget(), {
    controller: null,
    register: vi.fn(register),
    getRegistration: async (): Promise<unknown> => undefined,
    ready: new Promise<unknown>(() => undefined),
  })

let noise: unknown[][]
/** A page goes with its test, and what it listens to. */
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
  // As built for customers: in development workbox has more to say.
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

/** A page begins, whose worker is there. */
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
  ['refuses it', () => Promise.reject(new DOMException('The operation is insecure.', 'SecurityError'))],
  ['was told not to', () => Promise.reject(new DOMException('The user denied permission', 'NotSupportedError'))],
])('a browser that %s has no worker, and nothing is said or tried again', async (_, register) => {
  const serviceWorker = workers(register)
  vi.stubGlobal('navigator', { ...navigator, serviceWorker })
  await registerServiceWorker(changed)
  expect(serviceWorker.register).toHaveBeenCalledOnce()
  expect(noise).toEqual([])
  expect(vi.getTimerCount()).toBe(0)
})

test('a browser that only pretends to keep a worker makes no noise', async () => {
  const serviceWorker = workers(async () => undefined)
  vi.stubGlobal('navigator', { ...navigator, serviceWorker })
  await registerServiceWorker(changed)
  await vi.advanceTimersByTimeAsync(200_000)
  expect(noise).toEqual([])
})

test('a worker that the network cut short, as it was asked for or while it installed, is asked for again until it is there', async () => {
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
  // Its files do not come: the registration goes again.
  comeToNothing(cut)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(serviceWorker.register).toHaveBeenCalledTimes(3)
  await vi.advanceTimersByTimeAsync(200_000)
  expect(serviceWorker.register).toHaveBeenCalledTimes(3)
  expect(noise).toEqual([])
})

test('a worker that never came is asked for as the network comes back', async () => {
  const serviceWorker = workers(async () => Promise.reject(new TypeError('Failed to fetch')))
  vi.stubGlobal('navigator', { ...navigator, serviceWorker })
  await registerServiceWorker(changed)
  await vi.advanceTimersByTimeAsync(200_000)
  const before = serviceWorker.register.mock.calls.length
  window.dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(0)
  expect(serviceWorker.register).not.toHaveBeenCalledTimes(before)
})

test('a worker that is there tells of newer answers, and a newer worker is looked for each hour', async () => {
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

/** A page whose worker has been there for an hour, and how often a newer one was looked for. */
const withWorker = async (update: () => Promise<unknown>) => {
  const found = { ...registration(), addEventListener: vi.fn(), update: vi.fn(update) }
  await beginWith(found)
  await vi.advanceTimersByTimeAsync(3_600_000)
  return { looks: () => found.update.mock.calls.length }
}

test('a newer worker the network kept from being looked for is looked for again soon, until it answers', async () => {
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

test('a newer worker whose files did not all come is heard of again, by a look of its own soon', async () => {
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

test('a network that comes back is used at once where looking had failed', async () => {
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

test('where it never answers, it is left alone for an hour', async () => {
  const { looks } = await withWorker(() => Promise.reject(new TypeError('Failed to update')))
  await vi.advanceTimersByTimeAsync(600_000)
  expect(looks()).toBe(5)
  await vi.advanceTimersByTimeAsync(3_000_000)
  expect(looks()).toBe(6)
})

test.each([
  ['that overlooked this page is asked to take it', null, null, [{ type: 'claim' }]],
  ['behind which a newer one waits is asked for nothing', null, {}, []],
  ['that has this page is asked for nothing', {}, null, []],
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

/** A newer version that waits, and what a page hears of it. */
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

test('a newer version is asked to take over when the customer agrees, and the page begins anew once it has', async () => {
  const { newer, serviceWorker, reload, accept } = await withNewer()
  expect(newer.postMessage).not.toHaveBeenCalled()
  await accept()
  expect(newer.postMessage.mock.calls[0]?.[0]).toEqual({ type: 'SKIP_WAITING' })
  expect(reload).not.toHaveBeenCalled()
  serviceWorker.dispatchEvent(new Event('controllerchange'))
  expect(reload).toHaveBeenCalledOnce()
})

test('a page whose newer version another tab has taken already begins anew at once', async () => {
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
  'as a worker takes over a page for the %s time, what it shows is asked again or not',
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
