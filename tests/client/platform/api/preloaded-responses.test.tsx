import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { getAvailability, getStudio, listPackages } from '#contract/customer/discovery-calls.ts'
import { catalogueCache } from '#local/store/cache-names.ts'
import type * as PreloadedResponses from '#platform/api/preloaded-responses.ts'
import type * as UseQuery from '#platform/api/use-query.ts'
import { render } from '#support/rendering/render.tsx'
import { springJobContext } from '#tests/client/job-context-examples.ts'
import { createCaches } from '#tests/sw/memory-cache-storage.ts'

const { studio, availability } = springJobContext()
const ada = { studioSlug: 'riverside', jobId: 1, subjectId: 7 }
const pathsOfAda = [
  '/api/customer/studios/riverside',
  '/api/customer/jobs/1/availability',
  '/api/customer/studios/1/jobs/1/job-preferences',
  '/api/customer/jobs/1/packages?orderMethod=gallery',
  '/api/customer/jobs/1/subjects/7',
  '/api/customer/jobs/1/subjects/7/images?replacements=1',
]
const otherPaths = [
  '/api/customer/studios/summit',
  '/api/customer/jobs/12/availability',
  '/api/customer/jobs/1/subjects/70',
  '/api/customer/jobs/1/subjects?firstName=a&lastName=lo',
]

let preloaded: typeof PreloadedResponses
let queries: typeof UseQuery

beforeEach(async () => {
  vi.unstubAllGlobals()
  vi.resetModules()
  preloaded = await import('#platform/api/preloaded-responses.ts')
  queries = await import('#platform/api/use-query.ts')
})

afterEach(() => void Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true }))

const storeResponses = async (responses: Record<string, unknown>) => {
  const caches = createCaches()
  vi.stubGlobal('caches', caches)
  const cache = await caches.open(catalogueCache)
  for (const [path, data] of Object.entries(responses))
    await cache.put(new Request(new URL(path, location.href)), new Response(JSON.stringify({ data })))
}

test('preloading reads the responses of a subject’s first screens, each once', async () => {
  await storeResponses(Object.fromEntries([...pathsOfAda, ...otherPaths].map((path) => [path, path])))
  await preloaded.preloadResponses(ada)
  expect([...pathsOfAda, ...otherPaths].filter((path) => preloaded.takePreloadedResponse(path) !== undefined)).toEqual(
    pathsOfAda,
  )
  expect(pathsOfAda.filter((path) => preloaded.takePreloadedResponse(path) !== undefined)).toEqual([])
})

test('a screen starts with preloaded responses, still requests new ones, and ignores invalid ones', async () => {
  const fetchMock = vi.fn(async () => Response.json({ errors: ['no'] }, { status: 503 }))
  vi.stubGlobal('fetch', fetchMock)
  await storeResponses({
    '/api/customer/studios/riverside': studio,
    '/api/customer/jobs/1/availability': availability,
    '/api/customer/jobs/1/packages?orderMethod=gallery': 'no packages',
  })
  await preloaded.preloadResponses(ada)
  const renders: unknown[] = []
  const Screen = () => {
    const { useQuery } = queries
    const results = [
      useQuery(getStudio, { params: { slug: 'riverside' } }),
      useQuery(getAvailability, { params: { jobId: 1 } }),
      useQuery(listPackages, { params: { jobId: 1 }, query: { orderMethod: 'gallery' } }),
    ]
    renders.push(results.map(({ data }) => data))
    return null
  }
  render(<Screen />)
  // Server responses arrive asynchronously.
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false })
  expect(renders[0]).toEqual([studio, availability, undefined])
  await vi.waitFor(() => expect(fetchMock).toHaveBeenCalledTimes(3))
})

test('after a session has ended, none of its responses are shown', async () => {
  await storeResponses({ '/api/customer/studios/riverside': studio })
  await preloaded.preloadResponses(ada)
  queries.clearQueryCache()
  expect(preloaded.takePreloadedResponse('/api/customer/studios/riverside')).toBeUndefined()
})

test('without usable caches, screens start without preloaded responses', async () => {
  await preloaded.preloadResponses(ada)
  await preloaded.responsesPreloaded()
  vi.resetModules()
  const reloaded = await import('#platform/api/preloaded-responses.ts')
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  vi.stubGlobal('caches', { has: () => Promise.reject(new Error('corrupt')) })
  await reloaded.preloadResponses(ada)
  expect(console.warn).toHaveBeenCalled()
  vi.restoreAllMocks()
})
