import { expect, type Page } from 'playwright/test'
import { getStudio, listImages, withReplacements } from '#contract/customer/discovery-calls.ts'
import { pathOf } from '#contract/shapes/call.ts'
import type { Image } from '#contract/shapes/image-structs.ts'
import { subjectUrls } from '#platform/service-worker/prefetch-urls.ts'
import { idsInUrl } from '../journeys/customer-steps.ts'
import { waitForServiceWorker } from '../journeys/journey-test.ts'

/** Runs a function in a page, whichever the browser; it sees nothing but what it is given. */
export type RunInPage = <Given, Answer>(work: (given: Given) => Promise<Answer>, given: Given) => Promise<Answer>

/** A person on the screen of an event. */
export type SubjectAddress = { studioSlug: string; jobId: number; subjectId: number }

type FetchData = (path: string) => Promise<unknown>

const fetchInPage: FetchData = async (path) => (await (await fetch(path)).json()).data

/** Which of these addresses are in no cache of the device. */
const uncachedInPage = async (addresses: string[]): Promise<string[]> => {
  const kept = await Promise.all(addresses.map((address) => caches.match(address, { ignoreVary: true })))
  const caught = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()))
  const hasFont = caught.flat().some(({ url }) => url.includes('/assets/print-text-font-'))
  return [...addresses.filter((_, index) => !kept[index]), ...(hasFont ? [] : ['the print font'])]
}

/** Each catalogue answer of a person, and each picture the server speaks of. */
const expectedUrls = async (ask: FetchData, { studioSlug, ...ofPerson }: SubjectAddress): Promise<string[]> => {
  const { id: studioId } = (await ask(pathOf(getStudio, { slug: studioSlug }, {}))) as { id: number }
  const images = (await ask(pathOf(listImages, ofPerson, withReplacements))) as Image[]
  const pictures = images.flatMap(({ thumbnailUrl, previewUrl }) => [thumbnailUrl, previewUrl])
  expect(pictures.length).toBeGreaterThan(2)
  return [...subjectUrls({ studioSlug, studioId, ...ofPerson }), ...pictures]
}

/**
 * Waits until everything of a person is kept on the device, in the caches of a worker that is in control. `ask`: past the page where that can be
 * done, since what a page asks for is kept by that.
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

/** The same for the person on a page's screen. From here on the network may go. */
export const waitUntilPageCached = async (page: Page, studioSlug = 'riverside'): Promise<void> => {
  await waitForServiceWorker(page)
  const run: RunInPage = (work, given) => page.evaluate(work as never, given) as never // the page gives back what the work gives
  const ask: FetchData = async (path) => (await (await page.request.get(path)).json()).data
  await waitUntilSubjectCached(run, { studioSlug, ...idsInUrl(page) }, ask)
}
