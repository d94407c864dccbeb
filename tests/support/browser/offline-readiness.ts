import { expect, type Page } from 'playwright/test'
import { getStudio, listImages, withReplacements } from '#contract/customer/discovery-calls.ts'
import { pathOf } from '#contract/shapes/call.ts'
import type { Image } from '#contract/shapes/image-structs.ts'
import { subjectUrls } from '#platform/service-worker/prefetch-urls.ts'
import { idsInUrl } from '../journeys/customer-steps.ts'
import { waitForServiceWorker } from '../journeys/journey-test.ts'

/** Runs a function in a page of any browser engine. The function sees only its argument. */
export type RunInPage = <Given, Answer>(work: (given: Given) => Promise<Answer>, given: Given) => Promise<Answer>

/** A subject, as in the URL of a job's screen. */
export type SubjectAddress = { studioSlug: string; jobId: number; subjectId: number }

type FetchData = (path: string) => Promise<unknown>

const fetchInPage: FetchData = async (path) => (await (await fetch(path)).json()).data

/** The URLs that no cache of the device holds. */
const uncachedInPage = async (addresses: string[]): Promise<string[]> => {
  const kept = await Promise.all(addresses.map((address) => caches.match(address, { ignoreVary: true })))
  const caught = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()))
  const hasFont = caught.flat().some(({ url }) => url.includes('/assets/print-text-font-'))
  return [...addresses.filter((_, index) => !kept[index]), ...(hasFont ? [] : ['the print font'])]
}

/** The URL of each catalogue response of a subject, and of each image in those responses. */
const expectedUrls = async (ask: FetchData, { studioSlug, ...ofPerson }: SubjectAddress): Promise<string[]> => {
  const { id: studioId } = (await ask(pathOf(getStudio, { slug: studioSlug }, {}))) as { id: number }
  const images = (await ask(pathOf(listImages, ofPerson, withReplacements))) as Image[]
  const pictures = images.flatMap(({ thumbnailUrl, previewUrl }) => [thumbnailUrl, previewUrl])
  expect(pictures.length).toBeGreaterThan(2)
  return [...subjectUrls({ studioSlug, studioId, ...ofPerson }), ...pictures]
}

/**
 * Waits until everything of a subject is cached on the device and a service worker controls the page. `ask` fetches without the page where
 * possible, because a fetch by the page itself fills the cache.
 */
export const waitUntilSubjectCached = async (
  run: RunInPage,
  place: SubjectAddress,
  ask: FetchData = (path) => run(fetchInPage, path),
): Promise<void> => {
  const wanted = await expectedUrls(ask, place)
  const missing = () => run(uncachedInPage, wanted)
  await expect.poll(missing, { message: 'everything of this person is on the device', timeout: 30_000 }).toEqual([])
}

/** Waits in the same way for the subject on a page's screen. The network may fail after this. */
export const waitUntilPageCached = async (page: Page, studioSlug = 'riverside'): Promise<void> => {
  await waitForServiceWorker(page)
  const run: RunInPage = (work, given) => page.evaluate(work as never, given) as never // the page returns what `work` returns
  const ask: FetchData = async (path) => (await (await page.request.get(path)).json()).data
  await waitUntilSubjectCached(run, { studioSlug, ...idsInUrl(page) }, ask)
}
