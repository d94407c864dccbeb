import { afterEach, expect, test, vi } from 'vitest'
import { getStudio } from '#contract/customer/discovery-calls.ts'
import { pathOf } from '#contract/shapes/call.ts'
import { fetchLandingStudio, preloadStudio, studioUrl } from '#platform/api/preload-studio.ts'
import { springJobContext } from '../../job-context-examples.ts'

const { studio } = springJobContext()

afterEach(() => void vi.unstubAllGlobals())

const answering = (status: number, said: object) => {
  const fetched = vi.fn(async (_: string) => Response.json(said, { status }))
  vi.stubGlobal('fetch', fetched)
  return fetched
}

test.each(['riverside', 'a b/c'])('the URL of %s equals the contract’s', (slug) => {
  expect(studioUrl(slug)).toBe(pathOf(getStudio, { slug }, {}))
})

test('a preloaded studio is not requested twice, and is used once', async () => {
  const fetched = answering(200, { data: studio })
  preloadStudio('riverside')
  expect(await fetchLandingStudio('riverside')).toMatchObject({ slug: studio.slug, name: studio.name })
  expect(fetched).toHaveBeenCalledTimes(1)
  await fetchLandingStudio('riverside')
  expect(fetched).toHaveBeenCalledTimes(2)
})

test.each([
  ['that is disabled for customers', () => answering(200, { data: { ...studio, rspoEnabled: false } })],
  ['that does not exist', () => answering(404, { errors: ['There was an error loading the studio'] })],
  ['with an invalid response', () => answering(200, { data: null })],
  ['without a response', () => vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))],
])('a studio %s is left to the full client, which reports the reason', async (_, arrange) => {
  arrange()
  expect(await fetchLandingStudio('riverside')).toBeNull()
})
