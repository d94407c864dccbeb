// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startWorker } from '../../../src/client/device/worker.ts'

const registration = () => Object.assign(new EventTarget(), { installing: null, waiting: null, update: vi.fn() })

/** A browser's workers, as far as a page sees them; `register` is what becomes of a registration. */
const workers = (register: () => Promise<unknown>) =>
  Object.assign(new EventTarget(), { controller: null, register: vi.fn(register) })

let noise: unknown[][]
let changes: (string | null)[]
const changed = (change: string | null) => void changes.push(change)

beforeEach(() => {
  changes = []
  vi.useFakeTimers()
  // As built for customers: in development workbox has more to say.
  vi.stubEnv('NODE_ENV', 'production')
  noise = []
  for (const level of ['log', 'info', 'warn', 'error', 'groupCollapsed'] as const)
    vi.spyOn(console, level).mockImplementation((...words: unknown[]) => void noise.push(words))
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  vi.useRealTimers()
})

test.each([
  ['refuses it', () => Promise.reject(new DOMException('The operation is insecure.', 'SecurityError'))],
  ['was told not to', () => Promise.reject(new DOMException('The user denied permission', 'NotSupportedError'))],
  ['only pretends to', () => Promise.resolve(undefined)],
])('a browser that %s has no worker, and nothing is said or tried again', async (_, register) => {
  const serviceWorker = workers(register)
  vi.stubGlobal('navigator', { ...navigator, serviceWorker })
  await startWorker(changed)
  expect(serviceWorker.register).toHaveBeenCalledOnce()
  expect(noise).toEqual([])
  expect(vi.getTimerCount()).toBe(0)
})

test('a worker that is there tells of newer answers, and a newer worker is looked for each hour', async () => {
  const found = registration()
  const serviceWorker = workers(async () => found)
  vi.stubGlobal('navigator', { ...navigator, serviceWorker })
  await startWorker(changed)
  expect(serviceWorker.register).toHaveBeenCalledWith('/sw.js', expect.anything())
  const data = { type: 'changed', url: `${location.origin}/api/customer/jobs/1?x=1` }
  serviceWorker.dispatchEvent(new MessageEvent('message', { data }))
  expect(changes).toEqual(['/api/customer/jobs/1?x=1'])
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(found.update).toHaveBeenCalledOnce()
})
