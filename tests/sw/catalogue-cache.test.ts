import { expect, it } from 'vitest'
import { catalogueCache } from '#local/store/cache-names.ts'
import { createCatalogueCache } from '#sw/catalogue-cache.ts'
import { createCaches, createNetwork, requestFor } from './memory-cache-storage.ts'

const studio = '/api/customer/studios/riverside'

const bench = () => {
  const caches = createCaches()
  const network = createNetwork()
  const told: string[] = []
  const catalogue = createCatalogueCache({
    canRestoreAccess: async () => false,
    caches,
    fetch: network.fetch,
    notifyPages: async (url) => void told.push(new URL(url).pathname),
    listen: async () => async () => true,
  })
  const answer = async (path: string) => {
    const { response, afterwards } = await catalogue.answer(requestFor(path))
    const said = await response.json()
    await afterwards
    return said.data
  }
  return { caches, network, told, catalogue, answer }
}

it('answers at once from what it kept, asks behind the screen, and tells of a change once', async () => {
  const { network, told, answer } = bench()
  network.says(studio, 'one')
  expect(await answer(studio)).toBe('one')
  expect(told).toEqual([])
  network.says(studio, 'two')
  expect(await answer(studio)).toBe('one')
  expect(told).toEqual([studio])
  expect(await answer(studio)).toBe('two')
  expect(told).toEqual([studio])
})

it('does not write once more what says the same a moment later, but keeps its age true', async () => {
  const { caches, network, answer } = bench()
  const [first, second] = [studio, '/api/customer/studios/summit']
  for (const path of [first, second]) {
    network.says(path, 'one')
    await answer(path)
  }
  const inOrder = async () => (await (await caches.open(catalogueCache)).keys()).map(({ url }) => new URL(url).pathname)
  network.time.now += 59_000
  await answer(first)
  expect(await inOrder()).toEqual([first, second])
  network.time.now += 2_000
  await answer(first)
  expect(await inOrder()).toEqual([second, first])
  network.says(second, 'two')
  await answer(second)
  expect(await inOrder()).toEqual([first, second])
})

it('answers without a network, and fails where nothing was kept', async () => {
  const { network, answer } = bench()
  network.says(studio, 'one')
  await answer(studio)
  network.offline()
  expect(await answer(studio)).toBe('one')
  await expect(answer('/api/customer/studios/summit')).rejects.toThrow('Failed to fetch')
})

it('keeps its answer through trouble of the server, and gives it up after a definite no', async () => {
  const { network, told, catalogue, answer } = bench()
  network.says(studio, 'one')
  await answer(studio)
  network.says(studio, null, 503)
  expect(await answer(studio)).toBe('one')
  network.says(studio, null, 404)
  expect(await answer(studio)).toBe('one')
  expect(told).toEqual([studio])
  expect((await catalogue.answer(requestFor(studio))).response.status).toBe(404)
})

it('keeps nothing of a session that ended while it asked', async () => {
  const { caches, network, catalogue } = bench()
  network.says(studio, 'one')
  const answering = catalogue.answer(requestFor(studio))
  await caches.open(catalogueCache)
  await caches.delete(catalogueCache)
  await answering
  expect(await (await caches.open(catalogueCache)).keys()).toEqual([])
})

it('keeps a bounded number of answers', async () => {
  const { caches, network, answer } = bench()
  for (let count = 0; count < 205; count += 1) {
    network.says(`/api/customer/jobs/${count}/packages`, [])
    await answer(`/api/customer/jobs/${count}/packages`)
  }
  expect(await (await caches.open(catalogueCache)).keys()).toHaveLength(200)
})
