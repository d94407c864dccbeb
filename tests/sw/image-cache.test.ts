import { Dexie } from 'dexie'
import { expect, it, vi } from 'vitest'
import type { Order } from '#contract/customer/checkout-calls.ts'
import { imagesHeader } from '#contract/shapes/responses.ts'
import { emptyCart } from '#domain/cart/cart.ts'
import { deviceStamp } from '#local/outbox/device-stamp.ts'
import { catalogueCache, imageCache } from '#local/store/cache-names.ts'
import { createImageCheck } from '#local/store/check-cached-images.ts'
import { saveJobAccess } from '#local/store/job-access.ts'
import { imageUrlsIn } from '#local/store/purge-images.ts'
import { imageUrl } from '#server/images/store/image-url.ts'
import { addLine } from '#support/device/add-line.ts'
import { imageLifetimeMs, parseImageUrl } from '#sw/cache-rules.ts'
import { createImageCache } from '#sw/image-cache.ts'
import { prefetch } from '#sw/prefetch.ts'
import { putCatalogueResponse } from '#sw/put-catalogue-response.ts'
import { imageChoice, noContent, packageOf, snapshotOf } from '../domain/cart/cart-fixtures.ts'
import { createCaches, createNetwork, origin, requestFor } from './memory-cache-storage.ts'
import { workerParts } from './worker-fixture.ts'

const images = '/api/customer/jobs/1/subjects/7/images'
const availability = '/api/customer/jobs/1/availability'

const open = (grants: string[]) => ({
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
const bench = (tick = 0) => {
  const { db, caches, network, time, photos, catalogue, checkPhotos, toldAll } = workerParts({ tick })
  const asset = network.fetch
  const ways = { origin, catalogue: catalogue.answer, photo: photos.answer, asset }
  const warm = (...urls: string[]) => prefetch(urls, { sparing: false, ...ways })
  const warmSparingly = (...urls: string[]) => prefetch(urls, { sparing: true, ...ways })
  const keptPaths = async () => {
    const requests = await (await caches.open(imageCache)).keys()
    return requests.map((request) => new URL(request.url).pathname).sort()
  }
  for (const path of ['/photos/g1/501/t-1', '/photos/g1/501/p-1', '/photos/g1/502/t-1', '/photos/g2/601/t-1']) {
    network.says(path, 'bytes')
  }
  network.says(images, [
    { thumbnailUrl: '/photos/g1/501/t-1', previewUrl: '/photos/g1/501/p-1' },
    { thumbnailUrl: '/photos/g1/502/t-1' },
  ])
  const keptAnswer = async (path: string) => {
    const kept = await (await caches.open(catalogueCache)).match(origin + path)
    return kept && (await kept.json()).data
  }
  return { db, network, time, photos, warm, warmSparingly, keptPaths, keptAnswer, checkPhotos, toldAll }
}

const all = ['/photos/g1/501/p-1', '/photos/g1/501/t-1', '/photos/g1/502/t-1']

it('fetches a person’s photos ahead, and shows them without a network', async () => {
  const { network, photos, warm, keptPaths } = bench()
  await warm(images, 'https://elsewhere.test/photos/g1/9/t-1', '/api/customer/jobs/1/cart')
  expect(await keptPaths()).toEqual(all)
  network.offline()
  const photo = { path: '/photos/g1/501/t-1', grantId: 'g1', imageId: 501 }
  expect((await photos.answer(requestFor(photo.path), photo)).status).toBe(200)
})

// As the server writes them: what is small is told by its address alone.
const sized = [501, 502].map((imageId) => ({
  thumbnailUrl: imageUrl({ grantId: 'g1', imageId, variant: 'thumb', hash: '0123456789abcdef' }),
  previewUrl: imageUrl({ grantId: 'g1', imageId, variant: 'preview', hash: '0123456789abcdef' }),
}))

it('fetches what is small before what is large', async () => {
  const { network, warm } = bench()
  for (const path of sized.flatMap((one) => Object.values(one))) network.says(path, 'bytes')
  network.says(images, sized)
  await warm(images)
  const photos = network.asked.filter((path) => path.startsWith('/photos/'))
  expect(photos.map((path) => path.split('/').at(-1)?.split('-')[0])).toEqual(['thumb', 'thumb', 'preview', 'preview'])
})

it('fetches nothing large ahead for who wants little fetched', async () => {
  const { network, warmSparingly, keptPaths } = bench()
  for (const path of sized.flatMap((one) => Object.values(one))) network.says(path, 'bytes')
  network.says(images, sized)
  await warmSparingly(images)
  expect(await keptPaths()).toEqual(sized.map((one) => one.thumbnailUrl))
})

it('fetches a file of the build that a person’s screens need, and goes on where it cannot', async () => {
  const { network, warm, keptPaths } = bench()
  await warm('/assets/font-1.json', images)
  expect(network.asked).toContain('/assets/font-1.json')
  expect(await keptPaths()).toEqual(all)
})

it('keeps no refusal', async () => {
  const { network, photos, keptPaths } = bench()
  network.says('/photos/g9/1/t-1', null, 403)
  const photo = { path: '/photos/g9/1/t-1', grantId: 'g9', imageId: 1 }
  expect((await photos.answer(requestFor(photo.path), photo)).status).toBe(403)
  expect(await keptPaths()).toEqual([])
})

it('removes the photos of a grant the server names no more, and no others', async () => {
  const { network, time, warm, keptPaths } = bench()
  network.says('/api/customer/jobs/2/subjects/8/images', [{ thumbnailUrl: '/photos/g2/601/t-1' }])
  network.says(availability, open(['g1']))
  await warm(images, '/api/customer/jobs/2/subjects/8/images', availability)
  expect(await keptPaths()).toHaveLength(4)
  time.now += 1000
  network.says(availability, open(['g3']))
  await warm(availability)
  expect(await keptPaths()).toEqual(['/photos/g2/601/t-1'])
})

it('keeps the backgrounds beside the pictures, and the one a cart’s line stands on as long as the line', async () => {
  const { db, network, time, photos, warm, keptPaths } = bench()
  const screens = '/api/customer/jobs/1/greenscreens'
  const [chosen, other] = ['/photos/g1/901/t-1', '/photos/g1/902/t-1']
  for (const path of [chosen, other]) network.says(path, 'bytes')
  network.says(screens, [{ thumbnailUrl: chosen }, { thumbnailUrl: other }])
  await warm(screens)
  expect(await keptPaths()).toEqual([chosen, other])
  const made = snapshotOf(packageOf())
  const background = { imageId: 901, width: 3, height: 2, thumbnailUrl: chosen, greenScreenId: 9 }
  const added = await addLine(db, deviceStamp, {
    jobId: 1,
    orderMethod: 'gallery',
    snapshot: { ...made, images: [...made.images, background] },
    subjectId: 7,
    personId: null,
    quantity: 1,
    content: { ...noContent, greenScreenBackgroundId: 9 },
  })
  expect(added.ok).toBe(true)
  time.now += imageLifetimeMs + 1
  await photos.tidy(new Set())
  expect(await keptPaths()).toEqual([chosen])
})

it('after seven days without the server keeps only what is in a cart', async () => {
  const { db, time, photos, warm, keptPaths } = bench()
  await warm(images)
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
  expect(await keptPaths()).toEqual(all)
  time.now += 1
  await photos.tidy(new Set())
  expect(await keptPaths()).toEqual(['/photos/g1/501/p-1', '/photos/g1/501/t-1'])
})

it('a photo that was on its way as its grant was withdrawn does not stay', async () => {
  const caches = createCaches()
  const rules = async () => ({ seenAtByGrant: new Map(), pinned: new Set<number>(), now: 0 })
  let arrive = (_: Response) => {}
  const onItsWay = new Promise<Response>((resolve) => {
    arrive = resolve
  })
  const { answer, tidy } = createImageCache({
    caches,
    fetch: () => onItsWay,
    rules,
    clock: () => 0,
  })
  const kept = async () => (await (await caches.open(imageCache)).keys()).length
  const path = '/photos/g1/501/t-1'
  const asked = () => answer(requestFor(path), { path, grantId: 'g1', imageId: 501 })
  const shown = asked()
  await tidy(new Set(['g1']))
  arrive(new Response('bytes'))
  expect(await (await shown).text()).toBe('bytes')
  expect(await kept()).toBe(0)
})

it('shows pictures, and gives up what was withdrawn, though the device’s database is dead', async () => {
  const caches = createCaches()
  const network = createNetwork()
  const failed = { ok: false, problem: 'device-failed', message: 'This phone could not' } as const
  const photos = createImageCache({
    caches,
    fetch: network.fetch,
    rules: async () => failed,
    clock: () => 0,
  })
  const paths = Array.from({ length: 25 }, (_, place) => `/photos/${place === 7 ? 'g2' : 'g1'}/${place}/t-1`)
  for (const path of paths) {
    network.says(path, 'bytes')
    const photo = parseImageUrl(new URL(path, origin))
    if (!photo) throw new Error(`${path} is no photo`)
    expect((await photos.answer(requestFor(path), photo)).status).toBe(200)
  }
  const kept = async () => (await (await caches.open(imageCache)).keys()).map(({ url }) => new URL(url).pathname)
  expect(await kept()).toEqual(paths)
  await photos.tidy(new Set(['g1']))
  expect(await kept()).toEqual(['/photos/g2/7/t-1'])
})

const check = '/api/customer/photos/check'

/** A device with Ada's photos in caches, in a cart, in a mutation that waits and in an order. */
const filled = async () => {
  const one = bench(1)
  const { db, network, warm } = one
  network.says(availability, open(['g1']))
  await warm(availability, images)
  const snapshot = snapshotOf(packageOf())
  const face = { firstName: 'Ada', lastName: 'Lovelace', imageThumbnailUrl: '/photos/g1/501/t-1' }
  const key = { jobId: 1, orderMethod: 'gallery' } as const
  const [image] = snapshot.images
  if (!image) throw new Error('the example has no image')
  const pictured = {
    ...{ ...snapshot, subject: face },
    images: [501, 502].map((imageId) => ({ ...image, imageId, thumbnailUrl: `/photos/g1/${imageId}/t-1` })),
  }
  const owner = { subjectId: 7, personId: null }
  await addLine(db, deviceStamp, {
    ...{ ...key, ...owner, quantity: 1, content: { ...noContent, imageNodes: [imageChoice(11, 501)] } },
    snapshot: pictured,
  })
  const cart = { ...emptyCart(1, 'gallery'), id: 3, version: 1, subjects: [{ ...owner, ...face }] }
  await db.carts.put({ ...key, cart, retiredCartId: null, writing: crypto.randomUUID() })
  const order = { lines: [{ imageThumbnailUrl: face.imageThumbnailUrl }] } as unknown as Order // as far as photos go
  await db.orders.put({ orderNumber: 'FP-1', jobId: 1, order, keptAt: '2027-04-01T00:00:00.000Z' })
  const named = async () =>
    imageUrlsIn(JSON.stringify([await db.carts.toArray(), await db.outbox.toArray(), await db.orders.toArray()]))
  return { ...one, named }
}

const adas = all.slice(0, 2)

it('withdrawn photos go from caches, kept answers, carts, mutations and orders, and the others stay', async () => {
  const { network, keptPaths, keptAnswer, checkPhotos, named, toldAll } = await filled()
  network.says(check, { withdrawn: adas })
  await checkPhotos('other')
  expect(await keptPaths()).toEqual(['/photos/g1/502/t-1'])
  expect(await keptAnswer(images)).toEqual([{ thumbnailUrl: '/photos/g1/502/t-1' }])
  expect(await named()).toEqual(['/photos/g1/502/t-1'])
  expect(toldAll).toHaveLength(1)
})

it('a cart that lacks a photo is read again with each state of the photos: it may be back', async () => {
  const { db, network, checkPhotos } = await filled()
  const read = () => network.asked.filter((path) => path.startsWith('/api/customer/jobs/1/cart')).length
  network.says(check, { withdrawn: [] })
  await checkPhotos('other')
  expect(read()).toBe(0)
  const retouch = {
    ...{ id: 1, cartId: 3, subjectId: 7, personId: null, orderServiceId: 1, price: 8 },
    ...{ level: 'basic' as const, imageLookupId: 501, withdrawn: true },
  }
  await db.carts.toCollection().modify(({ cart }) => {
    cart.cartOrderServicesDetails.retouches.push(retouch)
  })
  await checkPhotos('a third')
  expect(read()).toBe(1)
})

it('the server is asked once for each state of the photos, by whichever worker', async () => {
  const { db, network, checkPhotos, toldAll } = await filled()
  const asked = () => network.asked.filter((path) => path === check).length
  network.says(check, { withdrawn: [] })
  await checkPhotos('other')
  await checkPhotos('other')
  expect(asked()).toBe(1)
  const next = createImageCheck({
    ...{ db, stored: async () => ['/photos/g1/501/t-1'], remove: async () => {}, tellAll: async () => {} },
    ask: () => Promise.reject(new Error('asked again')),
  })
  await next('other')
  await checkPhotos('a third')
  expect(asked()).toBe(2)
  expect(toldAll).toEqual([])
})

it.each([
  ['the server can’t be reached', async ({ network }: Awaited<ReturnType<typeof filled>>) => network.offline()],
  ['the server fails', async ({ network }: Awaited<ReturnType<typeof filled>>) => network.says(check, null, 500)],
  [
    'the codes were not all given again in a new session',
    async ({ network, db }: Awaited<ReturnType<typeof filled>>) => {
      network.says(check, { withdrawn: adas })
      await saveJobAccess(db, 1, { refusal: null, stale: true })
    },
  ],
])('nothing goes where %s, and the next answer has it tried again', async (_, prevent) => {
  const one = await filled()
  const { db, network, keptPaths, checkPhotos, named } = one
  await prevent(one)
  await checkPhotos('other')
  expect(await keptPaths()).toEqual(all)
  expect(await named()).toContain('/photos/g1/501/t-1')
  await saveJobAccess(db, 1, null)
  network.says(check, { withdrawn: adas })
  await checkPhotos('other')
  expect(await keptPaths()).toEqual(['/photos/g1/502/t-1'])
})

it('photos in caches go though the device’s database is dead', async () => {
  const { db, network, keptPaths, checkPhotos } = await filled()
  network.says(check, { withdrawn: adas })
  db.close()
  const died = new Dexie.UnknownError('Connection to Indexed Database server lost')
  const opening = vi.spyOn(db, 'open').mockRejectedValue(died)
  await checkPhotos('other')
  expect(await keptPaths()).toEqual(['/photos/g1/502/t-1'])
  opening.mockRestore()
})

it('a photo that was on its way as it was withdrawn does not stay, and one that is shown again does', async () => {
  const { network, photos, keptPaths, checkPhotos } = await filled()
  const path = '/photos/g1/503/t-1'
  network.says(path, 'bytes')
  const asked = { path, grantId: 'g1', imageId: 503 }
  const onItsWay = photos.answer(requestFor(path), asked)
  await photos.withdraw(new Set([path]))
  expect((await onItsWay).status).toBe(200)
  expect(await keptPaths()).not.toContain(path)
  network.says(check, { withdrawn: [] })
  await checkPhotos('other')
  await photos.answer(requestFor(path), asked)
  expect(await keptPaths()).toContain(path)
})

it('photos stay on the phone while their event is closed, whatever the server refuses meanwhile', async () => {
  const { network, photos, warm, keptPaths } = bench()
  network.says(availability, open(['g1']))
  await warm(availability, images)
  const gallery = { available: false, opens: null, closes: '2027-03-01T00:00:00.000Z' }
  network.says(availability, { ...open(['g1']), published: false, gallery })
  const path = '/photos/g1/502/p-1'
  network.says(path, null, 404)
  await photos.answer(requestFor(path), { path, grantId: 'g1', imageId: 502 })
  network.says(images, null, 403)
  await warm(availability, images)
  expect(await keptPaths()).toEqual(all)
})

it('a kept answer names no state of the photos: shown later, it would speak of the past', async () => {
  const caches = createCaches()
  const cache = await caches.open(catalogueCache)
  const headers = { [imagesHeader]: 'old', 'content-type': 'application/json' }
  await putCatalogueResponse(cache, origin + images, new Response('{}', { headers }))
  const kept = await cache.match(origin + images)
  expect([...(kept?.headers ?? [])]).toEqual([['content-type', 'application/json']])
})
