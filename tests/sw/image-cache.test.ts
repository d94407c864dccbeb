import { Dexie } from 'dexie'
import { expect, it, vi } from 'vitest'
import type { Order } from '#contract/customer/order-calls.ts'
import { imagesHeader } from '#contract/shapes/responses.ts'
import { emptyCart } from '#domain/cart/cart.ts'
import { deviceStamp } from '#local/outbox/device-stamp.ts'
import { catalogueCache, imageCache } from '#local/store/cache-names.ts'
import { createImageCheck } from '#local/store/check-cached-images.ts'
import type { FirstView } from '#local/store/first-view.ts'
import { saveJobAccess } from '#local/store/job-access.ts'
import { imageUrlsIn } from '#local/store/purge-images.ts'
import { imageUrl } from '#server/images/store/image-urls.ts'
import { addLine } from '#support/device/add-line.ts'
import { imageLifetimeMs, parseImageUrl } from '#sw/cache-rules.ts'
import { putCatalogueResponse } from '#sw/catalogue-cache.ts'
import { createImageCache } from '#sw/image-cache.ts'
import { prefetch } from '#sw/prefetch.ts'
import { imageChoice, noContent, packageOf, snapshotOf } from '../domain/cart/cart-fixtures.ts'
import { createCaches, createNetwork, origin, requestFor } from './memory-cache-storage.ts'
import { workerParts } from './worker-fixture.ts'

const images = '/api/customer/jobs/1/subjects/7/images'
const availability = '/api/customer/jobs/1/availability'

const availabilityWith = (grants: string[]) => ({
  jobId: 1,
  studioSlug: 'riverside',
  studioName: 'Riverside Portraits',
  jobName: 'Spring',
  published: true,
  archived: false,
  prepay: { available: false, opens: null, closes: null },
  gallery: { available: true, opens: null, closes: null },
  codeGiven: true,
  grants: grants.map((grantId) => ({ grantId, subjectId: 7 })),
})

/** The worker's two caches over one device, wired as the worker wires them. */
const setUp = (tick = 0) => {
  const { db, caches, network, time, photos, catalogue, checkImages, pageNotifications } = workerParts({ tick })
  const asset = network.fetch
  const prefetchDeps = { origin, catalogue: catalogue.answer, image: photos.answer, asset }
  const prefetchUrls = (...urls: string[]) => prefetch(urls, { sparing: false, ...prefetchDeps })
  const prefetchSparingly = (...urls: string[]) => prefetch(urls, { sparing: true, ...prefetchDeps })
  const cachedPaths = async () => {
    const requests = await (await caches.open(imageCache)).keys()
    return requests.map((request) => new URL(request.url).pathname).sort()
  }
  for (const path of ['/photos/g1/501/t-1', '/photos/g1/501/p-1', '/photos/g1/502/t-1', '/photos/g2/601/t-1']) {
    network.setResponse(path, 'bytes')
  }
  network.setResponse(images, [
    { thumbnailUrl: '/photos/g1/501/t-1', previewUrl: '/photos/g1/501/p-1' },
    { thumbnailUrl: '/photos/g1/502/t-1' },
  ])
  const cachedData = async (path: string) => {
    const cached = await (await caches.open(catalogueCache)).match(origin + path)
    return cached && (await cached.json()).data
  }
  return {
    db,
    caches,
    network,
    time,
    photos,
    prefetchUrls,
    prefetchSparingly,
    cachedPaths,
    cachedData,
    checkImages,
    pageNotifications,
  }
}

const allPaths = ['/photos/g1/501/p-1', '/photos/g1/501/t-1', '/photos/g1/502/t-1']

it('prefetches a subject’s images, and shows them offline', async () => {
  const { network, photos, prefetchUrls, cachedPaths } = setUp()
  await prefetchUrls(images, 'https://elsewhere.test/photos/g1/9/t-1', '/api/customer/jobs/1/cart')
  expect(await cachedPaths()).toEqual(allPaths)
  network.offline()
  const image = { path: '/photos/g1/501/t-1', grantId: 'g1', imageId: 501 }
  expect((await photos.answer(requestFor(image.path), image)).status).toBe(200)
})

// As the server writes them: only the URL shows that an image is a thumbnail.
const imageUrlPairs = [501, 502].map((imageId) => ({
  thumbnailUrl: imageUrl({ grantId: 'g1', imageId, variant: 'thumb', hash: '0123456789abcdef' }),
  previewUrl: imageUrl({ grantId: 'g1', imageId, variant: 'preview', hash: '0123456789abcdef' }),
}))

it('fetches thumbnails before previews', async () => {
  const { network, prefetchUrls } = setUp()
  for (const path of imageUrlPairs.flatMap((urls) => Object.values(urls))) network.setResponse(path, 'bytes')
  network.setResponse(images, imageUrlPairs)
  await prefetchUrls(images)
  const imagePaths = network.requestedPaths.filter((path) => path.startsWith('/photos/'))
  expect(imagePaths.map((path) => path.split('/').at(-1)?.split('-')[0])).toEqual([
    'thumb',
    'thumb',
    'preview',
    'preview',
  ])
})

it('prefetches no previews if the customer prefers reduced data', async () => {
  const { network, prefetchSparingly, cachedPaths } = setUp()
  for (const path of imageUrlPairs.flatMap((urls) => Object.values(urls))) network.setResponse(path, 'bytes')
  network.setResponse(images, imageUrlPairs)
  await prefetchSparingly(images)
  expect(await cachedPaths()).toEqual(imageUrlPairs.map((urls) => urls.thumbnailUrl))
})

it('prefetches the files of a subject’s screens, and continues if one fails', async () => {
  const { network, prefetchUrls, cachedPaths } = setUp()
  await prefetchUrls('/assets/font-1.json', images)
  expect(network.requestedPaths).toContain('/assets/font-1.json')
  expect(await cachedPaths()).toEqual(allPaths)
})

it('caches no error response', async () => {
  const { network, photos, cachedPaths } = setUp()
  network.setResponse('/photos/g9/1/t-1', null, 403)
  const image = { path: '/photos/g9/1/t-1', grantId: 'g9', imageId: 1 }
  expect((await photos.answer(requestFor(image.path), image)).status).toBe(403)
  expect(await cachedPaths()).toEqual([])
})

it('removes the images of a grant that the server no longer lists, and no others', async () => {
  const { network, time, prefetchUrls, cachedPaths } = setUp()
  network.setResponse('/api/customer/jobs/2/subjects/8/images', [{ thumbnailUrl: '/photos/g2/601/t-1' }])
  network.setResponse(availability, availabilityWith(['g1']))
  await prefetchUrls(images, '/api/customer/jobs/2/subjects/8/images', availability)
  expect(await cachedPaths()).toHaveLength(4)
  time.now += 1000
  network.setResponse(availability, availabilityWith(['g3']))
  await prefetchUrls(availability)
  expect(await cachedPaths()).toEqual(['/photos/g2/601/t-1'])
})

it('also caches backgrounds, and the background of a cart line for as long as the line exists', async () => {
  const { db, network, time, photos, prefetchUrls, cachedPaths } = setUp()
  const screens = '/api/customer/jobs/1/greenscreens'
  const [chosen, other] = ['/photos/g1/901/t-1', '/photos/g1/902/t-1']
  for (const path of [chosen, other]) network.setResponse(path, 'bytes')
  network.setResponse(screens, [{ thumbnailUrl: chosen }, { thumbnailUrl: other }])
  await prefetchUrls(screens)
  expect(await cachedPaths()).toEqual([chosen, other])
  const snapshot = snapshotOf(packageOf())
  const background = { imageId: 901, width: 3, height: 2, thumbnailUrl: chosen, greenScreenId: 9 }
  const added = await addLine(db, deviceStamp, {
    jobId: 1,
    orderMethod: 'gallery',
    snapshot: { ...snapshot, images: [...snapshot.images, background] },
    subjectId: 7,
    personId: null,
    quantity: 1,
    content: { ...noContent, greenScreenBackgroundId: 9 },
  })
  expect(added.ok).toBe(true)
  time.now += imageLifetimeMs + 1
  await photos.tidy(new Set())
  expect(await cachedPaths()).toEqual([chosen])
})

it('after seven days without the server only images in a cart stay', async () => {
  const { db, time, photos, prefetchUrls, cachedPaths } = setUp()
  await prefetchUrls(images)
  const added = await addLine(db, deviceStamp, {
    jobId: 1,
    orderMethod: 'gallery',
    snapshot: snapshotOf(packageOf()),
    subjectId: 7,
    personId: null,
    quantity: 1,
    content: { ...noContent, imageNodes: [imageChoice(11, 501)] },
  })
  expect(added.ok).toBe(true)
  time.now += imageLifetimeMs
  await photos.tidy(new Set())
  expect(await cachedPaths()).toEqual(allPaths)
  time.now += 1
  await photos.tidy(new Set())
  expect(await cachedPaths()).toEqual(['/photos/g1/501/p-1', '/photos/g1/501/t-1'])
})

it('an image that was loading while its grant was revoked is not cached', async () => {
  const caches = createCaches()
  const rules = async () => ({ seenAtByGrant: new Map(), pinned: new Set<number>(), now: 0 })
  let arrive = (_: Response) => {}
  const pendingResponse = new Promise<Response>((resolve) => {
    arrive = resolve
  })
  const { answer, tidy } = createImageCache({
    caches,
    fetch: () => pendingResponse,
    rules,
    clock: () => 0,
  })
  const cachedCount = async () => (await (await caches.open(imageCache)).keys()).length
  const path = '/photos/g1/501/t-1'
  const request = () => answer(requestFor(path), { path, grantId: 'g1', imageId: 501 })
  const response = request()
  await tidy(new Set(['g1']))
  arrive(new Response('bytes'))
  expect(await (await response).text()).toBe('bytes')
  expect(await cachedCount()).toBe(0)
})

it('images are shown, and withdrawn ones removed, although the database cannot be opened', async () => {
  const caches = createCaches()
  const network = createNetwork()
  const deviceFailure = { ok: false, problem: 'device-failed', message: 'This phone could not' } as const
  const photos = createImageCache({
    caches,
    fetch: network.fetch,
    rules: async () => deviceFailure,
    clock: () => 0,
  })
  const paths = Array.from({ length: 25 }, (_, index) => `/photos/${index === 7 ? 'g2' : 'g1'}/${index}/t-1`)
  for (const path of paths) {
    network.setResponse(path, 'bytes')
    const image = parseImageUrl(new URL(path, origin))
    if (!image) throw new Error(`${path} is no photo`)
    expect((await photos.answer(requestFor(path), image)).status).toBe(200)
  }
  const cached = async () => (await (await caches.open(imageCache)).keys()).map(({ url }) => new URL(url).pathname)
  expect(await cached()).toEqual(paths)
  await photos.tidy(new Set(['g1']))
  expect(await cached()).toEqual(['/photos/g2/7/t-1'])
})

const check = '/api/customer/photos/check'

/** A device with Ada's images in caches, in a cart, in a pending mutation and in an order. */
const setUpWithImages = async () => {
  const setup = setUp(1)
  const { db, network, prefetchUrls } = setup
  network.setResponse(availability, availabilityWith(['g1']))
  await prefetchUrls(availability, images)
  const snapshot = snapshotOf(packageOf())
  const subject = { firstName: 'Ada', lastName: 'Lovelace', imageThumbnailUrl: '/photos/g1/501/t-1' }
  const key = { jobId: 1, orderMethod: 'gallery' } as const
  const [image] = snapshot.images
  if (!image) throw new Error('the example has no image')
  const snapshotWithImages = {
    ...{ ...snapshot, subject },
    images: [501, 502].map((imageId) => ({ ...image, imageId, thumbnailUrl: `/photos/g1/${imageId}/t-1` })),
  }
  const subjectKey = { subjectId: 7, personId: null }
  await addLine(db, deviceStamp, {
    ...{ ...key, ...subjectKey, quantity: 1, content: { ...noContent, imageNodes: [imageChoice(11, 501)] } },
    snapshot: snapshotWithImages,
  })
  const cart = { ...emptyCart(1, 'gallery'), id: 3, version: 1, subjects: [{ ...subjectKey, ...subject }] }
  await db.carts.put({ ...key, cart, retiredCartId: null, writing: crypto.randomUUID() })
  const order = { lines: [{ imageThumbnailUrl: subject.imageThumbnailUrl }] } as unknown as Order // only its images matter here
  await db.orders.put({ orderNumber: 'FP-1', jobId: 1, order, keptAt: '2027-04-01T00:00:00.000Z' })
  const storedImageUrls = async () =>
    imageUrlsIn(JSON.stringify([await db.carts.toArray(), await db.outbox.toArray(), await db.orders.toArray()]))
  return { ...setup, storedImageUrls }
}

const imagesOfAda = allPaths.slice(0, 2)

it('withdrawn images are removed from caches, cached responses, carts, mutations and orders, and the others stay', async () => {
  const { network, cachedPaths, cachedData, checkImages, storedImageUrls, pageNotifications } = await setUpWithImages()
  network.setResponse(check, { withdrawn: imagesOfAda })
  await checkImages('other')
  expect(await cachedPaths()).toEqual(['/photos/g1/502/t-1'])
  expect(await cachedData(images)).toEqual([{ thumbnailUrl: '/photos/g1/502/t-1' }])
  expect(await storedImageUrls()).toEqual(['/photos/g1/502/t-1'])
  expect(pageNotifications).toHaveLength(1)
})

it('a preview is shown instead of its small one, and a small one instead of the preview without a network', async () => {
  const { network, photos, cachedPaths } = setUp()
  const answerTo = async (path: string) => {
    const image = parseImageUrl(new URL(path, origin))
    if (!image) throw new Error(`${path} is not the path of an image`)
    return (await photos.answer(requestFor(path), image)).text()
  }
  const textOf = (data: string) => JSON.stringify({ data })
  const [preview, other] = ['/photos/g1/501/preview-1', '/photos/g1/502/preview-2']
  network.setResponse(preview, 'large')
  network.setResponse(`${preview}-900`, 'small')
  network.setResponse(`${other}-900`, 'other, small')
  expect(await answerTo(preview)).toBe(textOf('large'))
  expect(await answerTo(`${preview}-900`)).toBe(textOf('large'))
  expect(await answerTo(`${other}-900`)).toBe(textOf('other, small'))
  network.offline()
  expect(await answerTo(other)).toBe(textOf('other, small'))
  expect(await cachedPaths()).toEqual([preview, `${other}-900`])
  network.setResponse(other, 'other, large')
  expect(await answerTo(other)).toBe(textOf('other, large'))
})

it('a first view that shows a withdrawn image is deleted', async () => {
  const { caches, network, prefetchUrls, checkImages } = setUp()
  await prefetchUrls(images)
  const [preview = '', thumbnail = ''] = imagesOfAda
  const firstView: FirstView = {
    startTag: '<html lang="en">',
    markup: `<img src="${thumbnail}"><img src="/photos/g1/502/p-1">`,
    image: '/photos/g1/502/p-1',
    stylesheets: [],
  }
  const cache = await caches.open(catalogueCache)
  const screens = ['/riverside/1/subject/7/select-package', '/riverside/1/subject/8/select-package'].map(
    (path) => origin + path,
  )
  const [withdrawnScreen = '', otherScreen = ''] = screens
  await cache.put(withdrawnScreen, Response.json(firstView))
  await cache.put(otherScreen, Response.json({ ...firstView, markup: '<img src="/photos/g1/502/p-1">' }))
  network.setResponse(check, { withdrawn: [preview, thumbnail] })
  await checkImages('other')
  expect(await cache.match(withdrawnScreen)).toBeUndefined()
  expect(await (await cache.match(otherScreen))?.json()).toMatchObject({ image: firstView.image })
})

it('a response requested before images were withdrawn is cached without them', async () => {
  const duringRequest = Promise.withResolvers<void>()
  const { catalogue, network, caches } = workerParts({ tick: 0 }, ({ fetch }) => ({
    fetch: async (request) => {
      const response = await fetch(request)
      await duringRequest.promise
      return response
    },
  }))
  network.setResponse(images, [{ thumbnailUrl: '/photos/g1/501/t-1' }, { thumbnailUrl: '/photos/g1/502/t-1' }])
  const cachedData = async () =>
    (await (await (await caches.open(catalogueCache)).match(origin + images))?.json())?.data
  const pendingResponse = catalogue.answer(requestFor(images))
  await vi.waitUntil(() => network.requestedPaths.includes(images))
  await catalogue.withdraw(new Set(['/photos/g1/501/t-1']))
  duringRequest.resolve()
  await pendingResponse
  expect(await cachedData()).toEqual([{ thumbnailUrl: '/photos/g1/502/t-1' }])
  // A later request stores what the server answers: the image is visible again.
  await (await catalogue.answer(requestFor(images))).afterwards
  expect(await cachedData()).toHaveLength(2)
})

it('a cart that lacks one of its images is refreshed at each images version, since the image may be visible again', async () => {
  const { db, network, checkImages } = await setUpWithImages()
  const cartReads = () => network.requestedPaths.filter((path) => path.startsWith('/api/customer/jobs/1/cart')).length
  network.setResponse(check, { withdrawn: [] })
  await checkImages('other')
  expect(cartReads()).toBe(0)
  const retouch = {
    ...{ id: 1, cartId: 3, subjectId: 7, personId: null, orderServiceId: 1, price: 8 },
    ...{ level: 'basic' as const, imageLookupId: 501, withdrawn: true },
  }
  await db.carts.toCollection().modify(({ cart }) => {
    cart.cartOrderServicesDetails.retouches.push(retouch)
  })
  await checkImages('a third')
  expect(cartReads()).toBe(1)
})

it('the server is asked once for each images version, even if another worker is started', async () => {
  const { db, network, checkImages, pageNotifications } = await setUpWithImages()
  const checkCount = () => network.requestedPaths.filter((path) => path === check).length
  network.setResponse(check, { withdrawn: [] })
  await checkImages('other')
  await checkImages('other')
  expect(checkCount()).toBe(1)
  const nextCheck = createImageCheck({
    ...{ db, stored: async () => ['/photos/g1/501/t-1'], remove: async () => {}, notifyAllPages: async () => {} },
    ask: () => Promise.reject(new Error('asked again')),
  })
  await nextCheck('other')
  await checkImages('a third')
  expect(checkCount()).toBe(2)
  expect(pageNotifications).toEqual([])
})

it.each([
  [
    'the server can’t be reached',
    async ({ network }: Awaited<ReturnType<typeof setUpWithImages>>) => network.offline(),
  ],
  [
    'the server fails',
    async ({ network }: Awaited<ReturnType<typeof setUpWithImages>>) => network.setResponse(check, null, 500),
  ],
  [
    'not all codes were redeemed again in a new session',
    async ({ network, db }: Awaited<ReturnType<typeof setUpWithImages>>) => {
      network.setResponse(check, { withdrawn: imagesOfAda })
      await saveJobAccess(db, 1, { rejection: null, stale: true })
    },
  ],
])('nothing is removed if %s, and the check is repeated at the next response', async (_, prevent) => {
  const setup = await setUpWithImages()
  const { db, network, cachedPaths, checkImages, storedImageUrls } = setup
  await prevent(setup)
  await checkImages('other')
  expect(await cachedPaths()).toEqual(allPaths)
  expect(await storedImageUrls()).toContain('/photos/g1/501/t-1')
  await saveJobAccess(db, 1, null)
  network.setResponse(check, { withdrawn: imagesOfAda })
  await checkImages('other')
  expect(await cachedPaths()).toEqual(['/photos/g1/502/t-1'])
})

it('cached images are removed although the database cannot be opened', async () => {
  const { db, network, cachedPaths, checkImages } = await setUpWithImages()
  network.setResponse(check, { withdrawn: imagesOfAda })
  db.close()
  const connectionLost = new Dexie.UnknownError('Connection to Indexed Database server lost')
  const opening = vi.spyOn(db, 'open').mockRejectedValue(connectionLost)
  await checkImages('other')
  expect(await cachedPaths()).toEqual(['/photos/g1/502/t-1'])
  opening.mockRestore()
})

it('an image that was loading while it was withdrawn is not cached until it is visible again', async () => {
  const { network, photos, cachedPaths, checkImages } = await setUpWithImages()
  const path = '/photos/g1/503/t-1'
  network.setResponse(path, 'bytes')
  const image = { path, grantId: 'g1', imageId: 503 }
  const pendingResponse = photos.answer(requestFor(path), image)
  await photos.withdraw(new Set([path]))
  expect((await pendingResponse).status).toBe(200)
  expect(await cachedPaths()).not.toContain(path)
  network.setResponse(check, { withdrawn: [] })
  await checkImages('other')
  await photos.answer(requestFor(path), image)
  expect(await cachedPaths()).toContain(path)
})

it('a small preview that was loading while its preview was withdrawn is not cached', async () => {
  const { network, photos, cachedPaths } = await setUpWithImages()
  const preview = '/photos/g1/503/preview-1'
  const path = `${preview}-900`
  network.setResponse(path, 'bytes')
  const pendingResponse = photos.answer(requestFor(path), { path, grantId: 'g1', imageId: 503 })
  await photos.withdraw(new Set([preview]))
  expect((await pendingResponse).status).toBe(200)
  expect(await cachedPaths()).not.toContain(path)
})

it('images stay on the phone while their job is closed, whatever the server denies meanwhile', async () => {
  const { network, photos, prefetchUrls, cachedPaths } = setUp()
  network.setResponse(availability, availabilityWith(['g1']))
  await prefetchUrls(availability, images)
  const gallery = { available: false, opens: null, closes: '2027-03-01T00:00:00.000Z' }
  network.setResponse(availability, { ...availabilityWith(['g1']), published: false, gallery })
  const path = '/photos/g1/502/p-1'
  network.setResponse(path, null, 404)
  await photos.answer(requestFor(path), { path, grantId: 'g1', imageId: 502 })
  network.setResponse(images, null, 403)
  await prefetchUrls(availability, images)
  expect(await cachedPaths()).toEqual(allPaths)
})

it('a cached response has no images version, because it would be outdated later', async () => {
  const caches = createCaches()
  const cache = await caches.open(catalogueCache)
  const headers = { [imagesHeader]: 'old', 'content-type': 'application/json' }
  await putCatalogueResponse(cache, origin + images, new Response('{}', { headers }))
  const cached = await cache.match(origin + images)
  expect([...(cached?.headers ?? [])]).toEqual([['content-type', 'application/json']])
})
