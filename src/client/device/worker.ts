import { Workbox } from 'workbox-window'
import type { FromWorker, ToWorker } from '../../local/messages.ts'
import type { Changed } from './changes.ts'
import { keepEverything } from './leaving.ts'
import { update } from './updates.ts'

const hourMs = 3_600_000
/** After how long it is looked whether a first worker has come, one after the other; then each hour. */
const soonMs = [10_000, 30_000, 60_000]

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

/** Whether it is of use to ask again. */
const register = async (): Promise<boolean> => {
  const workbox = new Workbox('/sw.js')
  workbox.addEventListener('waiting', () => offerUpdate(workbox))
  try {
    await workbox.register()
    return true
  } catch (error) {
    return !(error instanceof DOMException && forGood.includes(error.name))
  }
}

const registered = () => navigator.serviceWorker.getRegistration().catch(() => undefined)

/** Whether one is there or may yet come. */
const registerIfMissing = async (): Promise<boolean> => Boolean(await registered()) || (await register())

/** Again for as long as the network cut it short: the device is to open without one after a first visit, however bad that was. */
const registerUntilThere = async ([wait, ...later]: readonly number[]): Promise<void> => {
  if (wait === undefined) return
  await new Promise((resolve) => setTimeout(resolve, wait))
  if (await registerIfMissing()) await registerUntilThere(later)
}

// A page that was on its way just as the worker took over is overlooked by it, and would be without one until it is loaded again.
const askToBeTaken = async (): Promise<void> => {
  const { active, waiting } = await navigator.serviceWorker.ready
  // Where a newer one waits, this page may be of its build.
  if (!navigator.serviceWorker.controller && !waiting) active?.postMessage({ type: 'claim' } satisfies ToWorker)
}

/** A first one where none came, a newer one where one is. */
const lookForNewer = async (): Promise<void> => {
  const registration = await registered()
  if (!registration) await register()
  else await registration.update().catch(() => undefined)
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
  const mayCome = await register()
  // Without one the product is whole, but for opening offline.
  if (!mayCome) return
  setInterval(() => void lookForNewer(), hourMs)
  window.addEventListener('online', () => void registerIfMissing())
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && void lookForNewer())
  void registerUntilThere(soonMs)
  askToBeTaken().catch(console.warn)
}
