import { Workbox } from 'workbox-window'
import type { PageToWorkerMessage, WorkerToPageMessage } from '#local/transport/worker-messages.ts'
import type { CacheUpdate } from '../api/cache-updates.ts'
import { flushAll } from '../flush-on-unload.ts'
import { pendingUpdate } from './app-update.ts'

const hourMs = 3_600_000
/** After how long it is looked again for a worker, where the network cut one short; one after the other. */
const againMs: readonly number[] = [2_000, 5_000, 15_000, 60_000]

const offerUpdate = (workbox: Workbox) => {
  const accept = async () => {
    await flushAll()
    const registration = await navigator.serviceWorker.getRegistration()
    // Another tab has taken it meanwhile: it is in charge already, and only this page is of before.
    if (!registration?.waiting) return window.location.reload()
    workbox.addEventListener('controlling', () => window.location.reload())
    workbox.messageSkipWaiting()
  }
  pendingUpdate.set({ accept })
}

/** Why a worker is kept out for good: a private window, a setting, a policy. A network, or a phone that is too slow, does so only for now. */
const forGood = ['SecurityError', 'NotSupportedError']

const registered = () => navigator.serviceWorker.getRegistration().catch(() => undefined)

type Registrar = {
  /** Whether it is of use to ask again. */
  register: () => Promise<boolean>
  /** A first one where none came, a newer one where one is. */
  lookForNewer: () => Promise<void>
  /** The network is back: a first one where none came, a newer one where looking for it had failed. */
  lookWhereMissed: () => Promise<void>
}

/** Where the network cuts a worker short it is looked for again: the device is to open without one after a first visit, however bad. */
const createRegistrar = (): Registrar => {
  let waits = againMs
  let next: ReturnType<typeof setTimeout> | undefined
  /** A Workbox hears of one newer worker in its life: after one whose files did not all come, another is to hear of the next. */
  let isDeaf = false

  const again = (): void => {
    const [wait, ...later] = waits
    if (next !== undefined || wait === undefined) return
    waits = later
    next = setTimeout(() => {
      next = undefined
      void look()
    }, wait)
  }
  const register = async (): Promise<boolean> => {
    const workbox = new Workbox('/sw.js')
    workbox.addEventListener('waiting', () => offerUpdate(workbox))
    workbox.addEventListener('redundant', () => {
      isDeaf = true
      again()
    })
    isDeaf = false
    try {
      await workbox.register()
      return true
    } catch (error) {
      const mayCome = !(error instanceof DOMException && forGood.includes(error.name))
      if (mayCome) again()
      return mayCome
    }
  }
  const look = async (): Promise<void> => {
    const registration = await registered()
    if (!registration || isDeaf) await register()
    await registration?.update().catch(again)
  }
  const lookForNewer = async (): Promise<void> => {
    clearTimeout(next)
    next = undefined
    waits = againMs
    await look()
  }
  const lookWhereMissed = async (): Promise<void> => {
    if (waits !== againMs || !(await registered())) await lookForNewer()
  }
  return { register, lookForNewer, lookWhereMissed }
}

// A page that was on its way just as the worker took over is overlooked by it, and would be without one until it is loaded again.
const askToBeTaken = async (): Promise<void> => {
  const { active, waiting } = await navigator.serviceWorker.ready
  // Where a newer one waits, this page may be of its build.
  if (!navigator.serviceWorker.controller && !waiting)
    active?.postMessage({ type: 'claim' } satisfies PageToWorkerMessage)
}

/**
 * Registers the service worker, and tells of what `changed` by it. A new version is offered, never taken by itself; once the worker
 * controls this page for the first time everything shown is asked again, so that the first visit is on the device too.
 */
export const registerServiceWorker = async (changed: (change: CacheUpdate) => void): Promise<void> => {
  const { serviceWorker } = navigator
  const controlledBefore = serviceWorker.controller !== null
  // The worker says which answer it found a newer one for.
  serviceWorker.addEventListener('message', ({ data }: MessageEvent<WorkerToPageMessage>) => {
    if (data?.type !== 'changed') return
    if (data.url === null) return changed(null)
    const { pathname, search } = new URL(data.url, window.location.href)
    changed(pathname + search)
  })
  if (!controlledBefore) serviceWorker.addEventListener('controllerchange', () => changed(null), { once: true })
  const { register, lookForNewer, lookWhereMissed } = createRegistrar()
  const mayCome = await register()
  // Without one the product is whole, but for opening offline.
  if (!mayCome) return
  setInterval(() => void lookForNewer(), hourMs)
  window.addEventListener('online', () => void lookWhereMissed())
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && void lookForNewer())
  askToBeTaken().catch(console.warn)
}
