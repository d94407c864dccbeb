import printFont from '#domain/printing/print-text-font.json?url'
import { prefersReducedData } from '#local/transport/save-data.ts'
import type { PageToWorkerMessage } from '#local/transport/worker-messages.ts'
import { jobUrls, type PrefetchJob, type PrefetchSubject, subjectUrls } from './prefetch-urls.ts'

const post = (message: PageToWorkerMessage): void =>
  void navigator.serviceWorker?.ready.then(({ active }) => active?.postMessage(message)).catch(() => undefined)

// With the calls goes what texts are drawn with.
const warm = (urls: string[]): void => post({ type: 'warm', urls: [...urls, printFont], sparing: prefersReducedData() })

/** An event was opened where people are typed in: nobody else's data is waited for. */
export const prefetchJob = (event: PrefetchJob): void => warm(jobUrls(event))

/**
 * A person was opened: asks the worker to fetch and keep their packages, pictures and the event, once there is a worker. On a first
 * visit it comes a moment later than the person.
 */
export const prefetchSubject = (person: PrefetchSubject): void => warm(subjectUrls(person))

/**
 * An event is in a new visit: what is kept of it is fetched again, and all that `people`, by their ids, need of it; no more than what is kept
 * where nothing else is known of the event.
 */
export const refreshPrefetchedJob = (
  jobId: number,
  event: PrefetchJob | undefined,
  people: readonly number[],
): void => {
  const ofPeople = event ? people.flatMap((subjectId) => subjectUrls({ ...event, subjectId })) : []
  const urls = event ? [...jobUrls(event), ...ofPeople] : []
  post({ type: 'renew', jobId, urls: [...new Set(urls)], sparing: prefersReducedData() })
}
