import { Workbox } from 'workbox-window'
import type { FromWorker, ToWorker } from '../../local/messages.ts'
import type { Changed } from './changes.ts'
import { keepEverything } from './leaving.ts'
import { update } from './updates.ts'

const hourMs = 3_600_000
/** After how long it is looked for a newer worker again, where the network cut one short; one after the other. */
const againMs: readonly number[] = [2_000, 5_000, 15_000, 60_000]
/** After how long it is looked whether a first worker has come; then each hour. */
const soonMs = [10_000, 40_000, 100_000]

const offerUpdate = (workbox: Workbox) => {
  const accept = async () => {
    await keepEverything()
    const registration = await navigator.serviceWorker.getRegistration()
    // Another tab has taken it meanwhile: it is in charge already, and only this page is of before.
    if (!registration?.waiting) return window.location.reload()
    workbox.addEventListener('controlling', () => window.location.reload())
    workbox.messageSkipWaiting()
  }
  update.set({ accept })
}

/** Why a worker is kept out for good: a private window, a setting, a policy. A network, or a phone that is too slow, does so only for now. */
const forGood = ['SecurityError', 'NotSupportedError']

const registered = () => navigator.serviceWorker.getRegistration().catch(() => undefined)

type Registrar = {
  /** Whether it is of use to ask again. */
  register: () => Promise<boolean>
  /** Whether one is there or may yet come. */
  registerIfMissing: () => Promise<boolean>
  /** A first one where none came, a newer one where one is. */
  lookForNewer: () => Promise<void>
}

const createRegistrar = (): Registrar => {
  let waits = againMs
  let next: ReturnType<typeof setTimeout> | undefined

  const lookAgain = (): void => {
    const [wait, ...later] = waits
    if (next !== undefined || wait === undefined) return
    waits = later
    next = setTimeout(async () => {
      next = undefined
      if (await register()) await look()
    }, wait)
  }
  const register = async (): Promise<boolean> => {
    const workbox = new Workbox('/sw.js')
    workbox.addEventListener('waiting', () => offerUpdate(workbox))
    // It hears of one newer worker in its life: after one whose files did not all come, the next is another's.
    workbox.addEventListener('redundant', lookAgain)
    try {
      await workbox.register()
      return true
    } catch (error) {
      return !(error instanceof DOMException && forGood.includes(error.name))
    }
  }
  const registerIfMissing = async (): Promise<boolean> => Boolean(await registered()) || (await register())
  const look = async (): Promise<void> => {
    const registration = await registered()
    if (registration) await registration.update().catch(lookAgain)
    else await register()
  }
  const lookForNewer = async (): Promise<void> => {
    waits = againMs
    await look()
  }
  return { register, registerIfMissing, lookForNewer }
}

// A page that was on its way just as the worker took over is overlooked by it, and would be without one until it is loaded again.
const askToBeTaken = async (): Promise<void> => {
  const { active, waiting } = await navigator.serviceWorker.ready
  // Where a newer one waits, this page may be of its build.
  if (!navigator.serviceWorker.controller && !waiting) active?.postMessage({ type: 'claim' } satisfies ToWorker)
}

/**
 * Registers the service worker, and tells of what `changed` by it. A new version is offered, never taken by itself; once the worker
 * controls this page for the first time everything shown is asked again, so that the first visit is on the device too.
 */
export const startWorker = async (changed: (change: Changed) => void): Promise<void> => {
  const { serviceWorker } = navigator
  const controlledBefore = serviceWorker.controller !== null
  // The worker says which answer it found a newer one for.
  serviceWorker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
    if (data?.type !== 'changed') return
    const { pathname, search } = new URL(data.url, window.location.href)
    changed(pathname + search)
  })
  if (!controlledBefore) serviceWorker.addEventListener('controllerchange', () => changed(null), { once: true })
  const { register, registerIfMissing, lookForNewer } = createRegistrar()
  const mayCome = await register()
  // Without one the product is whole, but for opening offline.
  if (!mayCome) return
  setInterval(() => void lookForNewer(), hourMs)
  window.addEventListener('online', () => void registerIfMissing())
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && void lookForNewer())
  // The network may have cut it short: the device is to open without one after a first visit, however bad that was.
  for (const ms of soonMs) setTimeout(() => void registerIfMissing(), ms)
  askToBeTaken().catch(console.warn)
}
