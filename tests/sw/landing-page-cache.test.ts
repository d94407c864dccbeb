import { expect, test } from 'vitest'
import { catalogueCache } from '#local/store/cache-names.ts'
import { createLandingPageCache, mayBeLandingPage } from '#sw/landing-page-cache.ts'
import { createCaches, origin } from './memory-cache-storage.ts'

const page = (name: string, file = '/assets/start-1.js') =>
  `<script src="${file}"></script><script id="landing">{"studio":{"name":"${name}"}}</script>`

/** As `src/index.html` has it. */
const shell = '<script src="/assets/start-1.js"></script><script type="application/json" id="landing">null</script>'

type Answer = { status?: number; body: string; redirected?: boolean }

/** Landing pages over a server that answers `/riverside` as told, or is not there. */
const landingOf = (files = ['/assets/start-1.js']) => {
  const caches = createCaches()
  let answer: Answer | null = null
  const fetch = async (): Promise<Response> => {
    if (!answer) throw new TypeError('Failed to fetch')
    const { body, status = 200, redirected = false } = answer
    return Object.defineProperty(new Response(body, { status }), 'redirected', { value: redirected })
  }
  const landing = createLandingPageCache({ caches, fetch, origin, files: new Set(files) })
  const renewed = async (next: Answer | null): Promise<string | undefined> => {
    answer = next
    await landing.renew('/riverside').catch(() => undefined)
    return (await landing.kept('/riverside'))?.text()
  }
  return { ...landing, caches, renewed }
}

test.each([
  ['/', true],
  ['/riverside', true],
  ['/riverside/1/search', false],
  ['/RIVERSIDE', false],
  ['/login', false],
  ['/robots.txt', false],
])('%s: may be a landing page: %s', (path, may) => expect(mayBeLandingPage(path)).toBe(may))

test('a landing page is there as the server filled it in last, without a network too', async () => {
  const { renewed } = landingOf()
  expect(await renewed(null)).toBeUndefined()
  expect(await renewed({ body: page('Riverside') })).toBe(page('Riverside'))
  expect(await renewed({ body: page('Riverside Portraits') })).toBe(page('Riverside Portraits'))
  expect(await renewed(null)).toBe(page('Riverside Portraits'))
})

test.each<[string, Answer]>([
  ['a server in trouble', { status: 503, body: page('Down') }],
  ['a visit that the server forgot', { status: 401, body: page('Who') }],
])('what %s answers is not kept, and takes nothing away', async (_, answer) => {
  const { renewed } = landingOf()
  await renewed({ body: page('Riverside') })
  expect(await renewed(answer)).toBe(page('Riverside'))
})

test.each<[string, Answer]>([
  ['a studio that is no more', { status: 404, body: page('Nobody') }],
  ['another address that this one leads to', { body: page('Elsewhere'), redirected: true }],
  ['the empty shell', { body: shell }],
  ['another build', { body: page('Newer', '/assets/start-2.js') }],
])('%s takes the page along that would grow old, and is not kept', async (_, answer) => {
  const { renewed, caches } = landingOf()
  await renewed({ body: page('Riverside') })
  expect(await renewed(answer)).toBeUndefined()
  expect(await (await caches.open(catalogueCache)).keys()).toEqual([])
})

test('the page of the build before is not shown by this one', async () => {
  const { caches, kept } = landingOf(['/assets/start-2.js'])
  const cache = await caches.open(catalogueCache)
  await cache.put('/riverside', new Response(page('Riverside')))
  expect(await kept('/riverside')).toBeUndefined()
})

test('a page that comes after the visit was ended here is kept nowhere', async () => {
  const { caches, renew } = landingOf()
  const cache = await caches.open(catalogueCache)
  await cache.put('/riverside', new Response(page('Riverside')))
  const renewing = renew('/riverside')
  await caches.delete(catalogueCache)
  await renewing.catch(() => undefined)
  expect(await caches.keys()).toEqual([])
})
