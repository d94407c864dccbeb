import 'fake-indexeddb/auto'
import { beforeEach, expect, test, vi } from 'vitest'
import { local } from '../../../src/client/device/local.ts'
import { renewCatalogue } from '../../../src/client/device/renew-catalogue.ts'
import { catalogueCache } from '../../../src/local/cache-names.ts'
import { rememberCode, rememberSubject } from '../../../src/local/visits.ts'
import { createCaches } from '../../sw/memory-caches.ts'

const kept = '/api/customer/jobs/1/packages?orderMethod=gallery'
const asked: string[] = []

beforeEach(async () => {
  asked.length = 0
  await local.delete()
  await local.open()
  const caches = createCaches()
  vi.stubGlobal('caches', caches)
  await (await caches.open(catalogueCache)).put(new Request(new URL(kept, location.href)), new Response('{}'))
  const active = { postMessage: ({ urls }: { urls: string[] }) => asked.push(...urls) }
  vi.stubGlobal('navigator', { serviceWorker: { ready: Promise.resolve({ active }) } })
})

const isKept = async () => (await (await caches.open(catalogueCache)).match(new URL(kept, location.href))) !== undefined

const rememberSpring = () =>
  rememberCode(local, { studioSlug: 'riverside', studioId: 1, studioName: 'Riverside', jobId: 1, code: 'SPRING' })

test('In a new visit an event is fetched again, with everybody who was opened in it', async () => {
  await rememberSpring()
  await rememberSubject(local, { jobId: 1, subjectId: 7 })
  await rememberSubject(local, { jobId: 2, subjectId: 9 })
  await renewCatalogue(1)
  expect(await isKept()).toBe(false)
  await vi.waitFor(() => expect(asked).toContain('/api/customer/jobs/1/subjects/7'))
  expect(asked).toContain(kept)
  expect(asked.some((url) => url.includes('/jobs/2'))).toBe(false)
})

test('Where nobody was opened it is the event alone', async () => {
  await rememberSpring()
  await renewCatalogue(1)
  await vi.waitFor(() => expect(asked).toContain(kept))
  expect(asked.filter((url) => url.includes('/subjects/'))).toEqual([])
})

test('An event without a code here is only dropped', async () => {
  await renewCatalogue(1)
  expect(await isKept()).toBe(false)
  expect(asked).toEqual([])
})
