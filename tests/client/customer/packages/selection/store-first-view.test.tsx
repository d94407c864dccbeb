// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { storeFirstView } from '#client/customer/packages/selection/store-first-view.ts'
import { listImages, withReplacements } from '#contract/customer/discovery-calls.ts'
import { pathOf } from '#contract/shapes/call.ts'
import { catalogueCache } from '#local/store/cache-names.ts'
import { createCaches, origin } from '#tests/sw/memory-cache-storage.ts'

const subject = { jobId: 1, subjectId: 7 }
const image = '/photos/grant/1/preview-abc'
const screen = '/riverside/1/subject/7/select-package'

beforeEach(() => {
  document.body.innerHTML = `<div id="root"><main><h1>Ada</h1><img src="${image}"><p>Packages</p></main></div>`
  vi.stubGlobal('location', { pathname: screen })
})
afterEach(() => vi.unstubAllGlobals())

/** What is stored for the screen, if the cached list of the subject's images has these. */
const storeWith = async (listedImages: readonly string[] | undefined) => {
  const caches = createCaches()
  vi.stubGlobal('caches', caches)
  const cache = await caches.open(catalogueCache)
  const imagesUrl = pathOf(listImages, subject, withReplacements)
  if (listedImages) await cache.put(origin + imagesUrl, Response.json({ data: listedImages }))
  await storeFirstView(subject, image)
  return (await cache.match(origin + screen))?.json()
}

test.each([
  ['lists the image', [image]],
  ['is not cached yet', undefined],
])('the screen from its top to the image is stored if the list of images %s', async (_, listedImages) => {
  expect(await storeWith(listedImages)).toMatchObject({
    image,
    markup: `<main><h1>Ada</h1><img src="${image}"></main>`,
  })
})

test('nothing stays stored if the image was withdrawn meanwhile', async () => {
  expect(await storeWith(['/photos/grant/2/preview-def'])).toBeUndefined()
})
