import printFont from '#domain/printing/print-text-font.json?url'
import { savesData } from '#local/transport/save-data.ts'
import type { ToWorker } from '#local/transport/worker-messages.ts'
import { addressesFor, addressesOfEvent, type WarmEvent, type WarmPerson } from './prefetch-urls.ts'

const post = (message: ToWorker): void =>
  void navigator.serviceWorker?.ready.then(({ active }) => active?.postMessage(message)).catch(() => undefined)

// With the calls goes what texts are drawn with.
const warm = (urls: string[]): void => post({ type: 'warm', urls: [...urls, printFont], sparing: savesData() })

/** An event was opened where people are typed in: nobody else's data is waited for. */
export const warmEvent = (event: WarmEvent): void => warm(addressesOfEvent(event))

/**
 * A person was opened: asks the worker to fetch and keep their packages, pictures and the event, once there is a worker. On a first
 * visit it comes a moment later than the person.
 */
export const warmPerson = (person: WarmPerson): void => warm(addressesFor(person))

/**
 * An event is in a new visit: what is kept of it is fetched again, and all that `people`, by their ids, need of it; no more than what is kept
 * where nothing else is known of the event.
 */
export const renewEvent = (jobId: number, event: WarmEvent | undefined, people: readonly number[]): void => {
  const ofPeople = event ? people.flatMap((subjectId) => addressesFor({ ...event, subjectId })) : []
  const urls = event ? [...addressesOfEvent(event), ...ofPeople] : []
  post({ type: 'renew', jobId, urls: [...new Set(urls)], sparing: savesData() })
}
