import { Workbox } from 'workbox-window'
import { ignoring } from '#domain/shared/ignoring.ts'
import type { PageToWorkerMessage, WorkerToPageMessage } from '#local/transport/worker-messages.ts'
import { type CacheUpdate, notCached, pendingUpdate } from '../api/cache-updates.ts'
import { flushAll } from '../flush-on-unload.ts'

const hourMs = 3_600_000
/** Milliseconds before each retry of a failed registration or update check. */
const retryDelaysMs: readonly number[] = [2_000, 5_000, 15_000, 60_000]

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
 * Errors that rule out a worker permanently: private window, setting or policy. Others, such as a bad network or a slow
 * phone, are temporary.
 */
const permanentErrors = ['SecurityError', 'NotSupportedError']

const currentRegistration = () => ignoring('registers again', () => navigator.serviceWorker.getRegistration())

type Registrar = {
  /** Registers the worker. Returns whether it is registered or a retry makes sense. */
  register: () => Promise<boolean>
  /** Registers the worker if there is none; otherwise checks for an update. */
  checkForUpdate: () => Promise<void>
  /** The network is back: registers a missing worker, or repeats a failed update check. */
  retryIfMissed: () => Promise<void>
}

/**
 * Retries a registration that the network interrupted: after a first visit, however bad the connection, the app should
 * open offline.
 */
const createRegistrar = (): Registrar => {
  let remainingDelays = retryDelaysMs
  let retryTimer: ReturnType<typeof setTimeout> | undefined
  /** A Workbox instance reports only one update: after an incomplete one, a new instance is needed for the next. */
  let needsNewInstance = false

  const retry = (): void => {
    const [delayMs, ...laterDelays] = remainingDelays
    if (retryTimer !== undefined || delayMs === undefined) return
    remainingDelays = laterDelays
    retryTimer = setTimeout(() => {
      retryTimer = undefined
      void registerOrUpdate()
    }, delayMs)
  }
  const register = async (): Promise<boolean> => {
    const workbox = new Workbox('/sw.js')
    workbox.addEventListener('waiting', () => offerUpdate(workbox))
    workbox.addEventListener('redundant', () => {
      needsNewInstance = true
      retry()
    })
    needsNewInstance = false
    try {
      await workbox.register()
      return true
    } catch (error) {
      const canRetry = !(error instanceof DOMException && permanentErrors.includes(error.name))
      if (canRetry) retry()
      return canRetry
    }
  }
  const registerOrUpdate = async (): Promise<void> => {
    const registration = await currentRegistration()
    if (!registration || needsNewInstance) await register()
    await registration?.update().catch(retry)
  }
  const checkForUpdate = async (): Promise<void> => {
    clearTimeout(retryTimer)
    retryTimer = undefined
    remainingDelays = retryDelaysMs
    await registerOrUpdate()
  }
  const retryIfMissed = async (): Promise<void> => {
    if (remainingDelays !== retryDelaysMs || !(await currentRegistration())) await checkForUpdate()
  }
  return { register, checkForUpdate, retryIfMissed }
}

// A page that was loading while the worker activated is not controlled, and would stay without a worker until reloaded.
const requestControl = async (): Promise<void> => {
  const { active, waiting } = await navigator.serviceWorker.ready
  // While an update is waiting, this page may belong to its build.
  if (!navigator.serviceWorker.controller && !waiting)
    active?.postMessage({ type: 'claim' } satisfies PageToWorkerMessage)
}

/**
 * Registers the service worker and reports cache updates to `onChange`. A new version is offered, never applied
 * automatically. When the worker first controls this page, everything shown that it does not prefetch is requested again,
 * so that the first visit is cached too.
 */
export const startServiceWorker = async (onChange: (change: CacheUpdate) => void): Promise<void> => {
  const { serviceWorker } = navigator
  const wasControlled = serviceWorker.controller !== null
  // The worker sends the URL of the response that changed, or null for all.
  serviceWorker.addEventListener('message', ({ data }: MessageEvent<WorkerToPageMessage>) => {
    if (data?.type !== 'changed') return
    if (data.url === null) return onChange(null)
    const { pathname, search } = new URL(data.url, window.location.href)
    onChange(pathname + search)
  })
  if (!wasControlled) serviceWorker.addEventListener('controllerchange', () => onChange(notCached), { once: true })
  const { register, checkForUpdate, retryIfMissed } = createRegistrar()
  const canRetry = await register()
  // Without a worker everything works except opening offline.
  if (!canRetry) return
  setInterval(() => void checkForUpdate(), hourMs)
  window.addEventListener('online', () => void retryIfMissed())
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && void checkForUpdate())
  requestControl().catch(console.warn)
}
