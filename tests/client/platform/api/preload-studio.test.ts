import { afterEach, expect, test, vi } from 'vitest'
import { getStudio } from '#contract/customer/discovery-calls.ts'
import { pathOf } from '#contract/shapes/call.ts'
import { fetchLandingStudio, preloadStudio, studioUrl } from '#platform/api/preload-studio.ts'
import { springJobContext } from '#tests/client/job-context-examples.ts'

const { studio } = springJobContext()

afterEach(() => void vi.unstubAllGlobals())

const stubResponse = (status: number, body: object) => {
  const fetchMock = vi.fn(async (_: string) => Response.json(body, { status }))
  vi.stubGlobal('fetch', fetchMock)
  return fetchMock
}

test.each(['riverside', 'a b/c'])('the URL of %s equals the contract’s', (slug) => {
  expect(studioUrl(slug)).toBe(pathOf(getStudio, { slug }, {}))
})

test('a preloaded studio is not requested twice, and is used once', async () => {
  const fetchMock = stubResponse(200, { data: studio })
  preloadStudio('riverside')
  expect(await fetchLandingStudio('riverside')).toMatchObject({ slug: studio.slug, name: studio.name })
  expect(fetchMock).toHaveBeenCalledTimes(1)
  await fetchLandingStudio('riverside')
  expect(fetchMock).toHaveBeenCalledTimes(2)
})

test.each([
  ['that is disabled for customers', () => stubResponse(200, { data: { ...studio, rspoEnabled: false } })],
  ['that does not exist', () => stubResponse(404, { errors: ['There was an error loading the studio'] })],
  ['with an invalid response', () => stubResponse(200, { data: null })],
  ['without a response', () => vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))],
])('a studio %s is left to the full client, which reports the reason', async (_, stubServer) => {
  stubServer()
  expect(await fetchLandingStudio('riverside')).toBeNull()
})
