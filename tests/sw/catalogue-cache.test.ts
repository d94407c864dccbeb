import { expect, it } from 'vitest'
import { catalogueCache } from '#local/store/cache-names.ts'
import { createCatalogueCache } from '#sw/catalogue-cache.ts'
import { createCaches, createNetwork, requestFor } from './memory-cache-storage.ts'

const studio = '/api/customer/studios/riverside'

const setUp = () => {
  const caches = createCaches()
  const network = createNetwork()
  const notifiedPaths: string[] = []
  const catalogue = createCatalogueCache({
    canRestoreAccess: async () => false,
    caches,
    fetch: network.fetch,
    notifyPages: async (url) => void notifiedPaths.push(new URL(url).pathname),
    listen: async () => async () => true,
  })
  const answer = async (path: string) => {
    const { response, afterwards } = await catalogue.answer(requestFor(path))
    const body = await response.json()
    await afterwards
    return body.data
  }
  return { caches, network, notifiedPaths, catalogue, answer }
}

it('responds at once from the cache, refreshes in the background, and reports a change once', async () => {
  const { network, notifiedPaths, answer } = setUp()
  network.setResponse(studio, 'one')
  expect(await answer(studio)).toBe('one')
  expect(notifiedPaths).toEqual([])
  network.setResponse(studio, 'two')
  expect(await answer(studio)).toBe('one')
  expect(notifiedPaths).toEqual([studio])
  expect(await answer(studio)).toBe('two')
  expect(notifiedPaths).toEqual([studio])
})

it('does not rewrite an equal response within a minute, and rewrites it with the new date after that', async () => {
  const { caches, network, answer } = setUp()
  const [first, second] = [studio, '/api/customer/studios/summit']
  for (const path of [first, second]) {
    network.setResponse(path, 'one')
    await answer(path)
  }
  const cachedPaths = async () =>
    (await (await caches.open(catalogueCache)).keys()).map(({ url }) => new URL(url).pathname)
  network.time.now += 59_000
  await answer(first)
  expect(await cachedPaths()).toEqual([first, second])
  network.time.now += 2_000
  await answer(first)
  expect(await cachedPaths()).toEqual([second, first])
  network.setResponse(second, 'two')
  await answer(second)
  expect(await cachedPaths()).toEqual([first, second])
})

it('responds offline, and fails if nothing is cached', async () => {
  const { network, answer } = setUp()
  network.setResponse(studio, 'one')
  await answer(studio)
  network.offline()
  expect(await answer(studio)).toBe('one')
  await expect(answer('/api/customer/studios/summit')).rejects.toThrow('Failed to fetch')
})

it('keeps a cached response after server errors, and removes it after a final denial', async () => {
  const { network, notifiedPaths, catalogue, answer } = setUp()
  network.setResponse(studio, 'one')
  await answer(studio)
  network.setResponse(studio, null, 503)
  expect(await answer(studio)).toBe('one')
  network.setResponse(studio, null, 404)
  expect(await answer(studio)).toBe('one')
  expect(notifiedPaths).toEqual([studio])
  expect((await catalogue.answer(requestFor(studio))).response.status).toBe(404)
})

it('stores nothing of a session that ended during the request', async () => {
  const { caches, network, catalogue } = setUp()
  network.setResponse(studio, 'one')
  const answering = catalogue.answer(requestFor(studio))
  await caches.open(catalogueCache)
  await caches.delete(catalogueCache)
  await answering
  expect(await (await caches.open(catalogueCache)).keys()).toEqual([])
})

it('caches a limited number of responses', async () => {
  const { caches, network, answer } = setUp()
  for (let count = 0; count < 205; count += 1) {
    network.setResponse(`/api/customer/jobs/${count}/packages`, [])
    await answer(`/api/customer/jobs/${count}/packages`)
  }
  expect(await (await caches.open(catalogueCache)).keys()).toHaveLength(200)
})
