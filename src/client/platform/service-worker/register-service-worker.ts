import { Workbox } from 'workbox-window'
import type { PageToWorkerMessage, WorkerToPageMessage } from '#local/transport/worker-messages.ts'
import type { CacheUpdate } from '../api/cache-updates.ts'
import { flushAll } from '../flush-on-unload.ts'
import { pendingUpdate } from './app-update.ts'

const hourMs = 3_600_000
/** Delays before each retry of a registration that the network interrupted. */
const againMs: readonly number[] = [2_000, 5_000, 15_000, 60_000]

const offerUpdate = (workbox: Workbox) => {
  const accept = async () => {
    await flushAll()
    const registration = await navigator.serviceWorker.getRegistration()
    // Another tab has activated it already: only this page is outdated.
    if (!registration?.waiting) return window.location.reload()
    workbox.addEventListener('controlling', () => window.location.reload())
    workbox.messageSkipWaiting()
  }
  pendingUpdate.set({ accept })
}

/**
 * Errors that rule out a worker for good: private window, setting or policy. Others, such as a bad network or a slow
 * phone, are temporary.
 */
const forGood = ['SecurityError', 'NotSupportedError']

const registered = () => navigator.serviceWorker.getRegistration().catch(() => undefined)

type Registrar = {
  /** Whether retrying makes sense. */
  register: () => Promise<boolean>
  /** Registers the worker if there is none; otherwise checks for an update. */
  lookForNewer: () => Promise<void>
  /** The network is back: registers a missing worker, or repeats a failed update check. */
  lookWhereMissed: () => Promise<void>
}

/**
 * Retries a registration that the network interrupted: after a first visit, however bad the connection, the app should
 * open offline.
 */
const createRegistrar = (): Registrar => {
  let waits = againMs
  let next: ReturnType<typeof setTimeout> | undefined
  /** A Workbox instance reports only one update: after an incomplete one, a new instance is needed for the next. */
  let isDeaf = false

  const retry = (): void => {
    const [wait, ...later] = waits
    if (next !== undefined || wait === undefined) return
    waits = later
    next = setTimeout(() => {
      next = undefined
      void checkForUpdate()
    }, wait)
  }
  const register = async (): Promise<boolean> => {
    const workbox = new Workbox('/sw.js')
    workbox.addEventListener('waiting', () => offerUpdate(workbox))
    workbox.addEventListener('redundant', () => {
      isDeaf = true
      retry()
    })
    isDeaf = false
    try {
      await workbox.register()
      return true
    } catch (error) {
      const mayCome = !(error instanceof DOMException && forGood.includes(error.name))
      if (mayCome) retry()
      return mayCome
    }
  }
  const checkForUpdate = async (): Promise<void> => {
    const registration = await registered()
    if (!registration || isDeaf) await register()
    await registration?.update().catch(retry)
  }
  const lookForNewer = async (): Promise<void> => {
    clearTimeout(next)
    next = undefined
    waits = againMs
    await checkForUpdate()
  }
  const lookWhereMissed = async (): Promise<void> => {
    if (waits !== againMs || !(await registered())) await lookForNewer()
  }
  return { register, lookForNewer, lookWhereMissed }
}

// A page that was loading while the worker activated is not controlled, and would stay without a worker until reloaded.
const askToBeTaken = async (): Promise<void> => {
  const { active, waiting } = await navigator.serviceWorker.ready
  // While an update is waiting, this page may belong to its build.
  if (!navigator.serviceWorker.controller && !waiting)
    active?.postMessage({ type: 'claim' } satisfies PageToWorkerMessage)
}

/**
 * Registers the service worker and reports cache updates to `changed`. A new version is offered, never applied
 * automatically. When the worker first controls this page, everything shown is requested again, so that the first visit
 * is cached too.
 */
export const registerServiceWorker = async (changed: (change: CacheUpdate) => void): Promise<void> => {
  const { serviceWorker } = navigator
  const controlledBefore = serviceWorker.controller !== null
  // The worker names the response that has a newer version.
  serviceWorker.addEventListener('message', ({ data }: MessageEvent<WorkerToPageMessage>) => {
    if (data?.type !== 'changed') return
    if (data.url === null) return changed(null)
    const { pathname, search } = new URL(data.url, window.location.href)
    changed(pathname + search)
  })
  if (!controlledBefore) serviceWorker.addEventListener('controllerchange', () => changed(null), { once: true })
  const { register, lookForNewer, lookWhereMissed } = createRegistrar()
  const mayCome = await register()
  // Without a worker everything works except opening offline.
  if (!mayCome) return
  setInterval(() => void lookForNewer(), hourMs)
  window.addEventListener('online', () => void lookWhereMissed())
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && void lookForNewer())
  askToBeTaken().catch(console.warn)
}
