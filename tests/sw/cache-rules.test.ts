import { describe, expect, it } from 'vitest'
import { allCalls } from '#contract/calls.ts'
import {
  type CachedImage,
  cacheDecision,
  entriesBeyond,
  imageLifetimeMs,
  imagesIn,
  imagesToEvict,
  isAsset,
  isCatalogue,
  jobOf,
  maxImages,
  mayServeStale,
  nonShellPaths,
  parseImageUrl,
} from '#sw/cache-rules.ts'
import { origin } from './memory-cache-storage.ts'

const requestOf = (path: string, method = 'GET', hasToken = false) => ({ method, url: new URL(path, origin), hasToken })

const cachedCalls = new Set([
  'getStudio',
  'getStudioFeatures',
  'getAvailability',
  'lookUpJob',
  'getJob',
  'getJobPreferences',
  'getJobServices',
  'listPackages',
  'browseSubjects',
  'listGallerySections',
  'getSubject',
  'listImages',
  'listGreenScreens',
  'listJobFields',
])

describe('catalogue responses', () => {
  it.each(Object.entries(allCalls).map(([name, call]) => ({ name, call })))(
    'the catalogue cache includes the call $name only if it is listed',
    ({ name, call }) => {
      const path = call.path.replace(/:slug/, 'riverside').replace(/:\w+/g, '7')
      expect(isCatalogue(requestOf(path, call.method))).toBe(cachedCalls.has(name))
    },
  )

  it('never include requests of a signed-in user', () => {
    expect(isCatalogue(requestOf('/api/customer/studios/riverside', 'GET', true))).toBe(false)
  })
})

it.each([
  ['/', true],
  ['/riverside/1/cart', true],
  ['/riverside/1/order/FP-1234ABCD', true],
  ['/login?ret=/admin/a.b', true],
  ['/riverside/code/SPRING?from=a.b', true],
  ['/api/health', false],
  ['/photos/g1/5/preview-a.webp', false],
  ['/assets/index-1.js', false],
  ['/favicon.ico', false],
  ['/manifest.webmanifest?v=2', false],
])('a navigation to %s gets the empty page: %s', (address, isShell) => {
  expect(nonShellPaths.some((pattern) => pattern.test(address))).toBe(!isShell)
})

it('hashed files are recognised', () => {
  expect(isAsset(requestOf('/assets/index-1.js'))).toBe(true)
  expect(isAsset(requestOf('/assets/index-1.js', 'POST'))).toBe(false)
  expect(isAsset(requestOf('/photos/assets/1/thumb-a'))).toBe(false)
})

describe('image URLs', () => {
  it.each([
    ['/photos/g1/5/thumb-abc', { path: '/photos/g1/5/thumb-abc', grantId: 'g1', imageId: 5 }],
    ['/photos/g1/5/preview-abc?signature=x', null],
    ['/photos/g1/5', null],
    ['/photos/g1/x/preview-abc', null],
    ['/api/photos/g1/5/preview-abc', null],
    // A shared image is never stored, so that it is gone once its link is stopped.
    ['/photos/shared/riverside/AAAAAAAAAAAAAAAAAAAAAA/5/preview-0123456789abcdef', null],
  ])('the image URL %s is parsed', (address, image) => {
    expect(parseImageUrl(new URL(address, origin))).toEqual(image)
  })

  it('each image URL of a response is found once', () => {
    const answer = JSON.stringify({
      data: [{ a: '/photos/g1/5/t-1', b: '/photos/g1/5/p-1' }, { a: '/photos/g1/5/t-1' }],
    })
    expect(imagesIn(answer).map((image) => image.path)).toEqual(['/photos/g1/5/t-1', '/photos/g1/5/p-1'])
  })

  it('the job id of a URL is found', () => {
    expect(jobOf('/api/customer/studios/1/jobs/12/job-preferences')).toBe(12)
    expect(jobOf('/api/customer/jobs/12')).toBe(12)
    expect(jobOf('/api/customer/studios/12')).toBeNull()
  })
})

const openJob = {
  jobId: 1,
  studioSlug: 'riverside',
  studioName: 'Riverside Portraits',
  jobName: 'Spring',
  published: true,
  archived: false,
  prepay: { available: false, opens: null, closes: null },
  gallery: { available: true, opens: null, closes: null },
  codeGiven: true,
  grants: [],
}

it.each([
  ['an open job', openJob, true],
  ['a job whose code was not redeemed', { ...openJob, codeGiven: false }, false],
  ['an archived job', { ...openJob, archived: true }, false],
  ['an unpublished job', { ...openJob, published: false }, false],
  ['a job where nothing can be ordered', { ...openJob, gallery: openJob.prepay }, false],
])('a cached response gives access at once only for an open job: %s', (_, data, expected) => {
  expect(mayServeStale('/api/customer/jobs/1/availability', JSON.stringify({ data }))).toBe(expected)
})

it.each([
  [200, 'keep-new'],
  [401, 'keep-old'],
  [403, 'drop'],
  [404, 'drop'],
  [429, 'keep-old'],
  [500, 'keep-old'],
  [503, 'keep-old'],
])('the cache decision after a %d response is %s', (status, decision) => {
  expect(cacheDecision(status)).toBe(decision)
})

it('entries beyond the maximum are returned, oldest first', () => {
  expect(entriesBeyond(['a', 'b', 'c'], 2)).toEqual(['a'])
  expect(entriesBeyond(['a', 'b'], 2)).toEqual([])
})

describe('images to remove', () => {
  const now = Date.UTC(2027, 3, 20)
  const cachedImage = (imageId: number, overrides: Partial<CachedImage> = {}): CachedImage => ({
    path: `/photos/g1/${imageId}/t-1`,
    grantId: 'g1',
    imageId,
    storedAt: now,
    bytes: 1000,
    ...overrides,
  })
  const rules = { seenAtByGrant: new Map([['g1', now]]), withdrawn: new Set<string>(), pinned: new Set<number>(), now }
  const evictedIds = (cachedImages: CachedImage[], overrides: Partial<typeof rules> = {}) =>
    imagesToEvict(cachedImages, { ...rules, ...overrides }).map((image) => image.imageId)

  it('are those of a revoked grant, in a cart or not', () => {
    const photos = [cachedImage(1), cachedImage(2, { grantId: 'g2' })]
    expect(evictedIds(photos, { withdrawn: new Set(['g1']), pinned: new Set([1, 2]) })).toEqual([1])
  })

  it('are the unpinned ones seven days after the last contact with the server', () => {
    const old = cachedImage(1, { storedAt: now - 30 * imageLifetimeMs })
    expect(evictedIds([old])).toEqual([])
    const silent = { seenAtByGrant: new Map([['g1', now - imageLifetimeMs - 1]]) }
    expect(evictedIds([cachedImage(1), cachedImage(2)], { ...silent, pinned: new Set([2]) })).toEqual([1])
    expect(evictedIds([cachedImage(1, { grantId: 'g9', storedAt: now - imageLifetimeMs - 1 })])).toEqual([1])
  })

  it('are the oldest unpinned ones while there are too many', () => {
    const photos = Array.from({ length: maxImages + 2 }, (_, index) => cachedImage(index + 1))
    expect(evictedIds(photos, { pinned: new Set([1]) })).toEqual([2, 3])
  })

  it('are the oldest unpinned ones while they are too large', () => {
    expect(
      evictedIds([cachedImage(1, { bytes: 60e6 }), cachedImage(2, { bytes: 30e6 }), cachedImage(3, { bytes: 30e6 })]),
    ).toEqual([1])
  })
})
