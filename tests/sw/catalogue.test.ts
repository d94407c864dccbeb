import { expect, it } from 'vitest'
import { catalogueCache } from '../../src/local/cache-names.ts'
import { createCatalogue } from '../../sw/catalogue.ts'
import { createCaches, createNetwork, requestFor } from './memory-caches.ts'

const studio = '/api/customer/studios/riverside'

const bench = () => {
  const caches = createCaches()
  const network = createNetwork()
  const told: string[] = []
  const heard: string[] = []
  const catalogue = createCatalogue({
    caches,
    fetch: network.fetch,
    tell: async (url) => void told.push(new URL(url).pathname),
    heard: async (url) => void heard.push(url.pathname),
    clock: () => 0,
  })
  const answer = async (path: string) => {
    const { response, afterwards } = await catalogue.answer(requestFor(path))
    const said = await response.json()
    await afterwards
    return said.data
  }
  return { caches, network, told, heard, catalogue, answer }
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
