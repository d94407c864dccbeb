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

const ask = (path: string, method = 'GET', hasToken = false) => ({ method, url: new URL(path, origin), hasToken })

const kept = new Set([
  'getStudio',
  'getStudioFeatures',
  'getAvailability',
  'lookUpJob',
  'getJob',
  'getJobPreferences',
  'getJobServices',
  'listPackages',
  'browseSubjects',
  'getSubject',
  'listImages',
  'listGreenScreens',
  'listJobFields',
])

describe('which answers are catalogue', () => {
  it.each(Object.entries(allCalls).map(([name, call]) => ({ name, call })))('$name', ({ name, call }) => {
    const path = call.path.replace(/:slug/, 'riverside').replace(/:\w+/g, '7')
    expect(isCatalogue(ask(path, call.method))).toBe(kept.has(name))
  })

  it('never what a signed-in user asks', () => {
    expect(isCatalogue(ask('/api/customer/studios/riverside', 'GET', true))).toBe(false)
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
])('answers a navigation to %s with the shell: %s', (address, shell) => {
  expect(nonShellPaths.some((pattern) => pattern.test(address))).toBe(!shell)
})

it('knows hashed files', () => {
  expect(isAsset(ask('/assets/index-1.js'))).toBe(true)
  expect(isAsset(ask('/assets/index-1.js', 'POST'))).toBe(false)
  expect(isAsset(ask('/photos/assets/1/thumb-a'))).toBe(false)
})

describe('photos by their address', () => {
  it.each([
    ['/photos/g1/5/thumb-abc', { path: '/photos/g1/5/thumb-abc', grantId: 'g1', imageId: 5 }],
    ['/photos/g1/5/preview-abc?signature=x', null],
    ['/photos/g1/5', null],
    ['/photos/g1/x/preview-abc', null],
    ['/api/photos/g1/5/preview-abc', null],
  ])('%s', (address, photo) => {
    expect(parseImageUrl(new URL(address, origin))).toEqual(photo)
  })

  it('finds each of an answer once', () => {
    const answer = JSON.stringify({
      data: [{ a: '/photos/g1/5/t-1', b: '/photos/g1/5/p-1' }, { a: '/photos/g1/5/t-1' }],
    })
    expect(imagesIn(answer).map((photo) => photo.path)).toEqual(['/photos/g1/5/t-1', '/photos/g1/5/p-1'])
  })

  it('knows the job an address speaks of', () => {
    expect(jobOf('/api/customer/studios/1/jobs/12/job-preferences')).toBe(12)
    expect(jobOf('/api/customer/jobs/12')).toBe(12)
    expect(jobOf('/api/customer/studios/12')).toBeNull()
  })
})

const open = {
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
  ['an open door', open, true],
  ['one whose code was not given', { ...open, codeGiven: false }, false],
  ['an archived event', { ...open, archived: true }, false],
  ['one that is not published', { ...open, published: false }, false],
  ['one where nothing can be ordered', { ...open, gallery: open.prepay }, false],
])('lets in at once by what was true before: %s', (_, data, shown) => {
  expect(mayServeStale('/api/customer/jobs/1/availability', JSON.stringify({ data }))).toBe(shown)
})

it.each([
  [200, 'keep-new'],
  [401, 'keep-old'],
  [403, 'drop'],
  [404, 'drop'],
  [429, 'keep-old'],
  [500, 'keep-old'],
  [503, 'keep-old'],
])('after a %d the kept answer: %s', (status, decision) => {
  expect(cacheDecision(status)).toBe(decision)
})

it('names what is beyond the most, oldest first', () => {
  expect(entriesBeyond(['a', 'b', 'c'], 2)).toEqual(['a'])
  expect(entriesBeyond(['a', 'b'], 2)).toEqual([])
})

describe('photos that must go', () => {
  const now = Date.UTC(2027, 3, 20)
  const photo = (imageId: number, with_: Partial<CachedImage> = {}): CachedImage => ({
    path: `/photos/g1/${imageId}/t-1`,
    grantId: 'g1',
    imageId,
    keptAt: now,
    bytes: 1000,
    ...with_,
  })
  const rules = { seenAtByGrant: new Map([['g1', now]]), withdrawn: new Set<string>(), pinned: new Set<number>(), now }
  const gone = (photos: CachedImage[], with_: Partial<typeof rules> = {}) =>
    imagesToEvict(photos, { ...rules, ...with_ }).map((one) => one.imageId)

  it('are those of a withdrawn grant, in a cart or not', () => {
    const photos = [photo(1), photo(2, { grantId: 'g2' })]
    expect(gone(photos, { withdrawn: new Set(['g1']), pinned: new Set([1, 2]) })).toEqual([1])
  })

  it('are the unpinned ones after seven days without the server, counted from its last word', () => {
    const old = photo(1, { keptAt: now - 30 * imageLifetimeMs })
    expect(gone([old])).toEqual([])
    const silent = { seenAtByGrant: new Map([['g1', now - imageLifetimeMs - 1]]) }
    expect(gone([photo(1), photo(2)], { ...silent, pinned: new Set([2]) })).toEqual([1])
    expect(gone([photo(1, { grantId: 'g9', keptAt: now - imageLifetimeMs - 1 })])).toEqual([1])
  })

  it('are the oldest unpinned ones while there are too many', () => {
    const photos = Array.from({ length: maxImages + 2 }, (_, index) => photo(index + 1))
    expect(gone(photos, { pinned: new Set([1]) })).toEqual([2, 3])
  })

  it('are the oldest unpinned ones while they are too large', () => {
    expect(gone([photo(1, { bytes: 60e6 }), photo(2, { bytes: 30e6 }), photo(3, { bytes: 30e6 })])).toEqual([1])
  })
})
