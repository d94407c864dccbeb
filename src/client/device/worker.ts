import { Workbox } from 'workbox-window'
import type { FromWorker } from '../../local/messages.ts'
import { announceChange } from './changes.ts'
import { keepEverything } from './leaving.ts'
import { update } from './updates.ts'

const hourMs = 3_600_000

// The worker says which answer it found a newer one for.
const hear = ({ data }: MessageEvent<FromWorker>) => {
  if (data?.type !== 'changed') return
  const { pathname, search } = new URL(data.url, window.location.href)
  announceChange(pathname + search)
}

const offerUpdate = (workbox: Workbox) => {
  const accept = async () => {
    await keepEverything()
    workbox.addEventListener('controlling', () => window.location.reload())
    workbox.messageSkipWaiting()
  }
  update.set({ accept })
}

/**
 * Registers the service worker. A new version is offered, never taken by itself; once the worker controls this page for the first
 * time everything shown is asked again, so that the first visit is on the device too.
 */
export const startWorker = async (): Promise<void> => {
  const workbox = new Workbox('/sw.js')
  const controlledBefore = navigator.serviceWorker.controller !== null
  navigator.serviceWorker.addEventListener('message', hear)
  workbox.addEventListener('waiting', () => offerUpdate(workbox))
  workbox.addEventListener('controlling', () => controlledBefore || announceChange(null))
  await workbox.register()
  const lookForNewer = () => void workbox.update().catch(() => undefined)
  setInterval(lookForNewer, hourMs)
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && lookForNewer())
}
