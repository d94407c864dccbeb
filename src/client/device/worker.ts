import { Workbox } from 'workbox-window'
import type { FromWorker } from '../../local/messages.ts'
import type { Changed } from './changes.ts'
import { keepEverything } from './leaving.ts'
import { update } from './updates.ts'

const hourMs = 3_600_000

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

/**
 * Registers the service worker, and tells of what `changed` by it. A new version is offered, never taken by itself; once the worker
 * controls this page for the first time everything shown is asked again, so that the first visit is on the device too.
 */
export const startWorker = async (changed: (change: Changed) => void): Promise<void> => {
  const workbox = new Workbox('/sw.js')
  const controlledBefore = navigator.serviceWorker.controller !== null
  // The worker says which answer it found a newer one for.
  navigator.serviceWorker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
    if (data?.type !== 'changed') return
    const { pathname, search } = new URL(data.url, window.location.href)
    changed(pathname + search)
  })
  workbox.addEventListener('waiting', () => offerUpdate(workbox))
  workbox.addEventListener('controlling', () => controlledBefore || changed(null))
  try {
    await workbox.register()
  } catch {
    // A private window, a setting or a policy keeps workers out: the product is whole without one, but for opening offline.
    return
  }
  const lookForNewer = () => void workbox.update().catch(() => undefined)
  setInterval(lookForNewer, hourMs)
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && lookForNewer())
}
