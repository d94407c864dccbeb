import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { getAvailability, getStudio, listPackages } from '#contract/customer/discovery-calls.ts'
import { catalogueCache } from '#local/store/cache-names.ts'
import type * as KeptAhead from '#platform/api/preloaded-responses.ts'
import type * as UseAsk from '#platform/api/use-query.ts'
import { render } from '#support/rendering/render.tsx'
import { createCaches } from '../../../sw/memory-cache-storage.ts'
import { springJobContext } from '../../job-context-examples.ts'

const { studio, availability } = springJobContext()
const ada = { studioSlug: 'riverside', jobId: 1, subjectId: 7 }
const ofAda = [
  '/api/customer/studios/riverside',
  '/api/customer/jobs/1/availability',
  '/api/customer/studios/1/jobs/1/job-preferences',
  '/api/customer/jobs/1/packages?orderMethod=gallery',
  '/api/customer/jobs/1/subjects/7',
  '/api/customer/jobs/1/subjects/7/images?replacements=1',
]
const ofOthers = [
  '/api/customer/studios/summit',
  '/api/customer/jobs/12/availability',
  '/api/customer/jobs/1/subjects/70',
  '/api/customer/jobs/1/subjects?firstName=a&lastName=lo',
]

let ahead: typeof KeptAhead
let asking: typeof UseAsk

beforeEach(async () => {
  vi.unstubAllGlobals()
  vi.resetModules()
  ahead = await import('#platform/api/preloaded-responses.ts')
  asking = await import('#platform/api/use-query.ts')
})

afterEach(() => void Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true }))

const keep = async (answers: Record<string, unknown>) => {
  const caches = createCaches()
  vi.stubGlobal('caches', caches)
  const cache = await caches.open(catalogueCache)
  for (const [path, data] of Object.entries(answers))
    await cache.put(new Request(new URL(path, location.href)), new Response(JSON.stringify({ data })))
}

test('preloading reads the responses of a subject’s first screens, each once', async () => {
  await keep(Object.fromEntries([...ofAda, ...ofOthers].map((path) => [path, path])))
  await ahead.preloadResponses(ada)
  expect([...ofAda, ...ofOthers].filter((path) => ahead.takePreloadedResponse(path) !== undefined)).toEqual(ofAda)
  expect(ofAda.filter((path) => ahead.takePreloadedResponse(path) !== undefined)).toEqual([])
})

test('a screen starts with preloaded responses, still requests new ones, and ignores invalid ones', async () => {
  const fetched = vi.fn(async () => Response.json({ errors: ['no'] }, { status: 503 }))
  vi.stubGlobal('fetch', fetched)
  await keep({
    '/api/customer/studios/riverside': studio,
    '/api/customer/jobs/1/availability': availability,
    '/api/customer/jobs/1/packages?orderMethod=gallery': 'no packages',
  })
  await ahead.preloadResponses(ada)
  const drawn: unknown[] = []
  const Screen = () => {
    const { useQuery } = asking
    const known = [
      useQuery(getStudio, { params: { slug: 'riverside' } }),
      useQuery(getAvailability, { params: { jobId: 1 } }),
      useQuery(listPackages, { params: { jobId: 1 }, query: { orderMethod: 'gallery' } }),
    ]
    drawn.push(known.map(({ data }) => data))
    return null
  }
  render(<Screen />)
  // Server responses arrive asynchronously.
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false })
  expect(drawn[0]).toEqual([studio, availability, undefined])
  await vi.waitFor(() => expect(fetched).toHaveBeenCalledTimes(3))
})

test('after a session has ended, none of its responses are shown', async () => {
  await keep({ '/api/customer/studios/riverside': studio })
  await ahead.preloadResponses(ada)
  asking.clearQueryCache()
  expect(ahead.takePreloadedResponse('/api/customer/studios/riverside')).toBeUndefined()
})

test('without usable caches, screens start without preloaded responses', async () => {
  await ahead.preloadResponses(ada)
  await ahead.responsesPreloaded()
  vi.resetModules()
  const anew = await import('#platform/api/preloaded-responses.ts')
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  vi.stubGlobal('caches', { has: () => Promise.reject(new Error('corrupt')) })
  await anew.preloadResponses(ada)
  expect(console.warn).toHaveBeenCalled()
  vi.restoreAllMocks()
})
