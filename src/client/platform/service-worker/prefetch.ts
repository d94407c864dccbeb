import printFont from '#domain/printing/print-text-font.json?url'
import { ignoring } from '#domain/shared/ignoring.ts'
import { prefersReducedData } from '#local/transport/save-data.ts'
import type { PageToWorkerMessage } from '#local/transport/worker-messages.ts'
import { jobUrls, type PrefetchJob, type PrefetchSubject, subjectUrls } from './prefetch-urls.ts'

const post = (message: PageToWorkerMessage): void =>
  void ignoring('screens fetch what they need', () =>
    navigator.serviceWorker?.ready.then(({ active }) => active?.postMessage(message)),
  )

// The print font's glyphs are prefetched too, since texts are drawn with them.
const prefetch = (urls: string[]): void =>
  post({ type: 'warm', urls: [...urls, printFont], sparing: prefersReducedData() })

/** Prefetches a job whose subjects are typed in: no subject data is needed. */
export const prefetchJob = (job: PrefetchJob): void => prefetch(jobUrls(job))

/**
 * Prefetches a subject's packages, images and job through the worker, as soon as there is one: on a first visit the
 * worker starts later than the page.
 */
export const prefetchSubject = (subject: PrefetchSubject): void => prefetch(subjectUrls(subject))

/**
 * Prefetches a job again in a new session, with the data of its subjects. If `job` is undefined, only the cached
 * responses of the job are fetched again.
 */
export const refreshPrefetchedJob = (
  jobId: number,
  job: PrefetchJob | undefined,
  subjectIds: readonly number[],
): void => {
  const subjectPaths = job ? subjectIds.flatMap((subjectId) => subjectUrls({ ...job, subjectId })) : []
  const urls = job ? [...jobUrls(job), ...subjectPaths] : []
  post({ type: 'renew', jobId, urls: [...new Set(urls)], sparing: prefersReducedData() })
}
