import { expect, test } from 'vitest'
import { catalogueCache } from '#local/store/cache-names.ts'
import { createLandingPageCache, mayBeLandingPage } from '#sw/landing-page-cache.ts'
import { createCaches, origin } from './memory-cache-storage.ts'

const page = (name: string, file = '/assets/start-1.js') =>
  `<script src="${file}"></script><script id="landing">{"studio":{"name":"${name}"}}</script>`

/** The empty page, as in `src/index.html`. */
const shell = '<script src="/assets/start-1.js"></script><script type="application/json" id="landing">null</script>'

type Answer = { status?: number; body: string; redirected?: boolean }

/** A landing page cache whose server answers `/riverside` with the given response, or is unreachable. */
const setUp = (files = ['/assets/start-1.js']) => {
  const caches = createCaches()
  let answer: Answer | null = null
  const fetch = async (): Promise<Response> => {
    if (!answer) throw new TypeError('Failed to fetch')
    const { body, status = 200, redirected = false } = answer
    return Object.defineProperty(new Response(body, { status }), 'redirected', { value: redirected })
  }
  const landing = createLandingPageCache({ caches, fetch, origin, files: new Set(files) })
  const refreshAndRead = async (next: Answer | null): Promise<string | undefined> => {
    answer = next
    await landing.refresh('/riverside').catch(() => undefined)
    return (await landing.cachedPage('/riverside'))?.text()
  }
  const respondWith = (next: Answer): void => {
    answer = next
  }
  return { ...landing, caches, refreshAndRead, respondWith }
}

test.each([
  ['/', true],
  ['/riverside', true],
  ['/riverside/1/search', false],
  ['/riverside/code/ADALVL', false],
  ['/RIVERSIDE', false],
  ['/login', false],
  ['/robots.txt', false],
])('the path %s may be a landing page: %s', (path, expected) => expect(mayBeLandingPage(path)).toBe(expected))

test('a landing page is served as the server last filled it in, also offline', async () => {
  const { refreshAndRead } = setUp()
  expect(await refreshAndRead(null)).toBeUndefined()
  expect(await refreshAndRead({ body: page('Riverside') })).toBe(page('Riverside'))
  expect(await refreshAndRead({ body: page('Riverside Portraits') })).toBe(page('Riverside Portraits'))
  expect(await refreshAndRead(null)).toBe(page('Riverside Portraits'))
})

test.each<[string, Answer]>([
  ['a server under maintenance', { status: 503, body: page('Down') }],
  ['a server that does not know the session', { status: 401, body: page('Who') }],
])('the response of %s is not cached, and removes nothing', async (_, answer) => {
  const { refreshAndRead } = setUp()
  await refreshAndRead({ body: page('Riverside') })
  expect(await refreshAndRead(answer)).toBe(page('Riverside'))
})

test.each<[string, Answer]>([
  ['a deleted studio', { status: 404, body: page('Nobody') }],
  ['a redirect to another address', { body: page('Elsewhere'), redirected: true }],
  ['the empty shell', { body: shell }],
  ['a page of another build', { body: page('Newer', '/assets/start-2.js') }],
])('%s removes the outdated page, and is not cached', async (_, answer) => {
  const { refreshAndRead, caches } = setUp()
  await refreshAndRead({ body: page('Riverside') })
  expect(await refreshAndRead(answer)).toBeUndefined()
  expect(await (await caches.open(catalogueCache)).keys()).toEqual([])
})

test('a landing page of an earlier build is not served', async () => {
  const { caches, cachedPage } = setUp(['/assets/start-2.js'])
  const cache = await caches.open(catalogueCache)
  await cache.put('/riverside', new Response(page('Riverside')))
  expect(await cachedPage('/riverside')).toBeUndefined()
})

test('a landing page that arrives after the session ended is not cached', async () => {
  const { caches, refresh, respondWith } = setUp()
  respondWith({ body: page('Riverside Portraits') })
  const cache = await caches.open(catalogueCache)
  await cache.put('/riverside', new Response(page('Riverside')))
  const refreshing = refresh('/riverside')
  await caches.delete(catalogueCache)
  await refreshing
  expect(await caches.keys()).toEqual([])
})
