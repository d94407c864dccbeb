import printFont from '../../domain/print-text-font.json?url'
import type { ToWorker } from '../../local/messages.ts'
import { addressesFor, addressesOfEvent, type WarmEvent, type WarmPerson } from './warm-addresses.ts'

// With the calls goes what texts are drawn with.
const warm = (urls: string[]): void => {
  const { connection } = navigator as { connection?: { saveData?: boolean } } // Chromium's
  const message: ToWorker = { type: 'warm', urls: [...urls, printFont], sparing: connection?.saveData === true }
  void navigator.serviceWorker?.ready.then(({ active }) => active?.postMessage(message)).catch(() => undefined)
}

/** An event was opened where people are typed in: nobody else's data is waited for. */
export const warmEvent = (event: WarmEvent): void => warm(addressesOfEvent(event))

/**
 * A person was opened: asks the worker to fetch and keep their packages, pictures and the event, once there is a worker. On a first
 * visit it comes a moment later than the person.
 */
export const warmPerson = (person: WarmPerson): void => warm(addressesFor(person))
