import { expect, type Page } from 'playwright/test'
import { getStudio, listImages, withReplacements } from '#contract/customer/discovery-calls.ts'
import { pathOf } from '#contract/shapes/call.ts'
import type { Image } from '#contract/shapes/image-structs.ts'
import { subjectUrls } from '#platform/service-worker/prefetch-urls.ts'
import { idsInUrl } from '../journeys/customer-steps.ts'
import { waitForServiceWorker } from '../journeys/journey-test.ts'

/** Runs a function in a page of any browser engine. The function can use only its argument. */
export type RunInPage = <Argument, Result>(
  work: (argument: Argument) => Promise<Result>,
  argument: Argument,
) => Promise<Result>

/** A subject, as in the URL of a job's screen. */
export type SubjectAddress = { studioSlug: string; jobId: number; subjectId: number }

type FetchData = (path: string) => Promise<unknown>

const fetchInPage: FetchData = async (path) => (await (await fetch(path)).json()).data

/** The URLs that no cache of the device holds. */
const uncachedInPage = async (urls: string[]): Promise<string[]> => {
  const responses = await Promise.all(urls.map((url) => caches.match(url, { ignoreVary: true })))
  const cachedRequests = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()))
  const hasFont = cachedRequests.flat().some(({ url }) => url.includes('/assets/print-text-font-'))
  return [...urls.filter((_, index) => !responses[index]), ...(hasFont ? [] : ['the print font'])]
}

/** The URL of each catalogue response of a subject, and of each image in those responses. */
const expectedUrls = async (fetchData: FetchData, { studioSlug, ...subjectKey }: SubjectAddress): Promise<string[]> => {
  const { id: studioId } = (await fetchData(pathOf(getStudio, { slug: studioSlug }, {}))) as { id: number }
  const images = (await fetchData(pathOf(listImages, subjectKey, withReplacements))) as Image[]
  const imageUrls = images.flatMap(({ thumbnailUrl, previewUrl }) => [thumbnailUrl, previewUrl])
  expect(imageUrls.length).toBeGreaterThan(2)
  return [...subjectUrls({ studioSlug, studioId, ...subjectKey }), ...imageUrls]
}

/**
 * Waits until everything of a subject is cached on the device and a service worker controls the page. `fetchData` fetches without the page if
 * possible, because a fetch by the page fills the cache.
 */
export const waitUntilSubjectCached = async (
  run: RunInPage,
  subject: SubjectAddress,
  fetchData: FetchData = (path) => run(fetchInPage, path),
): Promise<void> => {
  const urls = await expectedUrls(fetchData, subject)
  const findMissing = () => run(uncachedInPage, urls)
  await expect.poll(findMissing, { message: 'Everything of this subject is cached.', timeout: 30_000 }).toEqual([])
}

/** Waits in the same way for the subject on a page's screen. The network may fail after this. */
export const waitUntilPageCached = async (page: Page, studioSlug = 'riverside'): Promise<void> => {
  await waitForServiceWorker(page)
  const run: RunInPage = (work, argument) => page.evaluate(work as never, argument) as never // the page returns what `work` returns
  const fetchData: FetchData = async (path) => (await (await page.request.get(path)).json()).data
  await waitUntilSubjectCached(run, { studioSlug, ...idsInUrl(page) }, fetchData)
}
