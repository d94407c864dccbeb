import { expect, type Page } from 'playwright/test'
import { addressesFor } from '../../src/client/device/warm-addresses.ts'
import { pathOf } from '../../src/contract/call.ts'
import { getStudio, type Image, listImages, withReplacements } from '../../src/contract/customer-find.ts'
import { underControl } from './journey.ts'
import { placeOf } from './parent.ts'

/**
 * Waits until everything of the person on the screen is kept on the device: the worker in control, and in its caches each catalogue
 * answer and each picture the server speaks of. From here on the network may go.
 */
export const untilWarm = async (page: Page, studioSlug = 'riverside'): Promise<void> => {
  await underControl(page)
  const { jobId, subjectId } = placeOf(page)
  const ask = async <Data>(path: string): Promise<Data> => {
    const { data } = (await (await page.request.get(path)).json()) as { data: Data }
    return data
  }
  const { id: studioId } = await ask<{ id: number }>(getStudio.path.replace(':slug', studioSlug))
  const images = await ask<Image[]>(pathOf(listImages, { jobId, subjectId }, withReplacements))
  const pictures = images.flatMap(({ thumbnailUrl, previewUrl }) => [thumbnailUrl, previewUrl])
  expect(pictures.length).toBeGreaterThan(2)
  const wanted = [...addressesFor({ studioSlug, studioId, jobId, subjectId }), ...pictures]
  const missing = () =>
    page.evaluate(async (addresses) => {
      const kept = await Promise.all(addresses.map((address) => caches.match(address, { ignoreVary: true })))
      const caught = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()))
      const hasFont = caught.flat().some(({ url }) => url.includes('/assets/print-text-font-'))
      return [...addresses.filter((_, index) => !kept[index]), ...(hasFont ? [] : ['the print font'])]
    }, wanted)
  await expect.poll(missing, { message: 'everything of this person is on the device' }).toEqual([])
}
