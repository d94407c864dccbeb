import { expect, it } from 'vitest'
import { emptyCart } from '../../src/domain/cart.ts'
import { photoCache } from '../../src/local/cache-names.ts'
import { deviceStamp } from '../../src/local/stamp.ts'
import { photoAddress } from '../../src/server/admission/photo-address.ts'
import { photoAt, photoLifeMs } from '../../sw/caching.ts'
import { createPhotos } from '../../sw/photos.ts'
import { warmUp } from '../../sw/warm.ts'
import { imageChoice, noContent, packageOf, snapshotOf } from '../domain/examples.ts'
import { addLine } from '../support/add-line.ts'
import { createCaches, createNetwork, origin, requestFor } from './memory-caches.ts'
import { workerParts } from './worker-parts.ts'

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
  const { db, caches, network, time, photos, catalogue, toldAll } = workerParts({ tick })
  const asset = network.fetch
  const ways = { origin, catalogue: catalogue.answer, photo: photos.answer, asset }
  const warm = (...urls: string[]) => warmUp(urls, { sparing: false, ...ways })
  const warmSparingly = (...urls: string[]) => warmUp(urls, { sparing: true, ...ways })
  const keptPaths = async () => {
    const requests = await (await caches.open(photoCache)).keys()
    return requests.map((request) => new URL(request.url).pathname).sort()
  }
  for (const path of ['/photos/g1/501/t-1', '/photos/g1/501/p-1', '/photos/g1/502/t-1', '/photos/g2/601/t-1']) {
    network.says(path, 'bytes')
  }
  network.says(images, [
    { thumbnailUrl: '/photos/g1/501/t-1', previewUrl: '/photos/g1/501/p-1' },
    { thumbnailUrl: '/photos/g1/502/t-1' },
  ])
  return { db, network, time, photos, warm, warmSparingly, keptPaths, toldAll }
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
  thumbnailUrl: photoAddress({ grantId: 'g1', imageId, variant: 'thumb', hash: '0123456789abcdef' }),
  previewUrl: photoAddress({ grantId: 'g1', imageId, variant: 'preview', hash: '0123456789abcdef' }),
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
  time.now += photoLifeMs + 1
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
  time.now += photoLifeMs
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
  const { answer, tidy } = createPhotos({
    caches,
    fetch: () => onItsWay,
    rules,
    clock: () => 0,
    isWithdrawn: async () => false,
  })
  const kept = async () => (await (await caches.open(photoCache)).keys()).length
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
  const failed = { ok: false, problem: 'device-failed', sentence: 'This phone could not' } as const
  const photos = createPhotos({
    caches,
    fetch: network.fetch,
    rules: async () => failed,
    clock: () => 0,
    isWithdrawn: async () => false,
  })
  const paths = Array.from({ length: 25 }, (_, place) => `/photos/${place === 7 ? 'g2' : 'g1'}/${place}/t-1`)
  for (const path of paths) {
    network.says(path, 'bytes')
    const photo = photoAt(new URL(path, origin))
    if (!photo) throw new Error(`${path} is no photo`)
    expect((await photos.answer(requestFor(path), photo)).status).toBe(200)
  }
  const kept = async () => (await (await caches.open(photoCache)).keys()).map(({ url }) => new URL(url).pathname)
  expect(await kept()).toEqual(paths)
  await photos.tidy(new Set(['g1']))
  expect(await kept()).toEqual(['/photos/g2/7/t-1'])
})

const photo = (path: string) => {
  const found = photoAt(new URL(path, origin))
  if (!found) throw new Error(`${path} is no photo`)
  return found
}

it('a photo that the server refuses takes everything of a withdrawn grant from caches, carts and screens', async () => {
  const { db, network, photos, warm, keptPaths, toldAll } = bench(1)
  network.says(availability, open(['g1', 'g2']))
  await warm(availability, images)
  const { snapshot } = { snapshot: snapshotOf(packageOf()) }
  const face = { firstName: 'Ada', lastName: 'Lovelace', imageThumbnailUrl: '/photos/g1/501/t-1' }
  const key = { jobId: 1, orderMethod: 'gallery' } as const
  const pictured = {
    ...snapshot,
    subject: face,
    images: [{ ...snapshot.images[0], thumbnailUrl: face.imageThumbnailUrl }],
  }
  const owner = { subjectId: 7, personId: null }
  await addLine(db, deviceStamp, {
    ...{ ...key, ...owner, quantity: 1, content: { ...noContent, imageNodes: [imageChoice(11, 501)] } },
    snapshot: pictured as typeof snapshot,
  })
  const cart = { ...emptyCart(1, 'gallery'), id: 3, version: 1, subjects: [{ ...owner, ...face }] }
  await db.carts.put({ ...key, cart, retiredCartId: null })
  network.says(availability, open(['g2']))
  network.says('/photos/g1/503/t-1', null, 404)
  expect((await photos.answer(requestFor('/photos/g1/503/t-1'), photo('/photos/g1/503/t-1'))).status).toBe(404)
  expect(await keptPaths()).toEqual([])
  expect(JSON.stringify([await db.carts.toArray(), await db.outbox.toArray()])).not.toContain('/photos/')
  expect(toldAll).toHaveLength(1)
})

it('a withdrawn photo goes from the cache with the next list of its person’s photos, and the others stay', async () => {
  const { db, network, warm, keptPaths } = bench()
  network.says(availability, open(['g1']))
  await warm(availability, images)
  expect(await db.grants.count()).toBe(1)
  network.says(images, [{ thumbnailUrl: '/photos/g1/502/t-1' }])
  for (const path of all.slice(0, 2)) network.says(path, null, 404)
  await warm(images)
  expect(await keptPaths()).toEqual(['/photos/g1/502/t-1'])
})

it('photos stay on the phone while their event is closed, whatever the server refuses meanwhile', async () => {
  const { network, photos, warm, keptPaths } = bench()
  network.says(availability, open(['g1']))
  await warm(availability, images)
  const gallery = { available: false, opens: null, closes: '2027-03-01T00:00:00.000Z' }
  network.says(availability, { ...open(['g1']), published: false, gallery })
  network.says('/photos/g1/502/p-1', null, 404)
  await photos.answer(requestFor('/photos/g1/502/p-1'), photo('/photos/g1/502/p-1'))
  network.says(images, null, 403)
  await warm(availability, images)
  expect(await keptPaths()).toEqual(all)
})
