import printFont from '#domain/printing/print-text-font.json?url'
import { prefersReducedData } from '#local/transport/save-data.ts'
import type { PageToWorkerMessage } from '#local/transport/worker-messages.ts'
import { jobUrls, type PrefetchJob, type PrefetchSubject, subjectUrls } from './prefetch-urls.ts'

const post = (message: PageToWorkerMessage): void =>
  void navigator.serviceWorker?.ready.then(({ active }) => active?.postMessage(message)).catch(() => undefined)

// The print font's glyphs are prefetched too, since texts are drawn with them.
const warm = (urls: string[]): void => post({ type: 'warm', urls: [...urls, printFont], sparing: prefersReducedData() })

/** Prefetches a job whose subjects are typed in: no subject data is needed. */
export const prefetchJob = (event: PrefetchJob): void => warm(jobUrls(event))

/**
 * Prefetches a subject's packages, images and job through the worker, once there is one: on a first visit it starts
 * slightly later.
 */
export const prefetchSubject = (person: PrefetchSubject): void => warm(subjectUrls(person))

/**
 * Prefetches a job again in a new session, with the data of all `people` (ids); if nothing else is known of the job,
 * only what is cached.
 */
export const refreshPrefetchedJob = (
  jobId: number,
  event: PrefetchJob | undefined,
  subjects: readonly number[],
): void => {
  const ofPeople = event ? subjects.flatMap((subjectId) => subjectUrls({ ...event, subjectId })) : []
  const urls = event ? [...jobUrls(event), ...ofPeople] : []
  post({ type: 'renew', jobId, urls: [...new Set(urls)], sparing: prefersReducedData() })
}
