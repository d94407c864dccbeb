import { act } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { afterEach, expect, test, vi } from 'vitest'
import { App } from '#client/app/app.tsx'
import { landingRoutes } from '#client/app/landing-routes.tsx'
import { preloadScreen } from '#client/app/preload-screen.ts'
import { markers, renderHome, renderStudio } from '#client/prerender.tsx'
import { type Landing, LandingContext, noLanding, readLanding } from '#platform/landing.ts'

// React warns about every change outside `act` unless it knows that a test drives it.
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

const pageErrors = vi.spyOn(console, 'error')
afterEach(() => {
  expect(pageErrors).not.toHaveBeenCalled()
  pageErrors.mockClear()
  document.body.innerHTML = ''
})

const takeOver = async (html: string, landing: Landing, path: string) => {
  history.replaceState(null, '', path)
  document.body.innerHTML = html
  const routes = landingRoutes(landing)
  await preloadScreen(routes, path)
  const unexpected: unknown[] = []
  const page = (
    <LandingContext value={landing}>
      <App routes={routes} />
    </LandingContext>
  )
  const root = await act(async () =>
    hydrateRoot(document.body, page, { onRecoverableError: (error) => unexpected.push(error) }),
  )
  expect(unexpected).toEqual([])
  return { end: () => act(() => root.unmount()) }
}

const studio = {
  slug: 'riverside',
  name: 'Müller & Söhne',
  logo: null,
  logoShape: null,
  accent: null,
  phone: '(555) 010-7788',
  email: 'hello@riverside.test',
}

test('home is taken over as it was made', async () => {
  const html = await renderHome()
  expect(html).toContain('Event Online Ordering Platform')
  const { end } = await takeOver(html, noLanding, '/')
  expect(document.querySelector('h1')?.textContent).toBe('Welcome to Fieldproof')
  await end()
})

const [logo, width, height] = ['/photos/logos/1-abc.webp', 312, 104]

test.each([
  ['initial', { logo: null, logoShape: null }],
  ['logo', { logo, logoShape: { width, height: width, wordmark: false } }],
  ['wordmark', { logo, logoShape: { width, height, wordmark: true } }],
] as const)('a studio’s page with its %s, filled by the server, is taken over as it was made', async (face, shown) => {
  const template = await renderStudio(face)
  const html = template
    .replaceAll(markers.name, 'Müller &amp; Söhne')
    .replaceAll(markers.slug, 'riverside')
    .replaceAll(markers.logo, shown.logo ?? '')
    .replaceAll(markers.logoWidth, String(shown.logoShape?.width))
    .replaceAll(markers.logoHeight, String(shown.logoShape?.height))
    .replaceAll(markers.initial, 'M')
  expect(html).not.toMatch(/marker|90000000/)
  const { end } = await takeOver(html, { studio: { ...studio, ...shown }, ownHost: false }, '/riverside')
  const header = document.querySelector('header')
  const mark = header?.querySelector('img')
  expect([header?.textContent, mark?.getAttribute('alt')]).toEqual(
    { initial: ['MMüller & Söhne', undefined], logo: ['Müller & Söhne', ''], wordmark: ['', 'Müller & Söhne'] }[face],
  )
  const size = shown.logoShape && [String(shown.logoShape.width), String(shown.logoShape.height)]
  expect(mark ? [mark.getAttribute('width'), mark.getAttribute('height')] : null).toEqual(size)
  await end()
})

test('on a studio’s own host name the start is its job search', async () => {
  const html = (await renderStudio('initial'))
    .replaceAll(markers.name, 'Müller &amp; Söhne')
    .replaceAll(markers.slug, 'riverside')
    .replaceAll(markers.initial, 'M')
  const { end } = await takeOver(html, { studio, ownHost: true }, '/')
  expect(document.querySelector('h1')?.textContent).toBe('See your pictures')
  await end()
})

test('a page that the server did not make has no landing', () => {
  expect(readLanding('null', '/')).toBeNull()
  expect(readLanding(undefined, '/')).toBeNull()
  expect(readLanding('{broken', '/')).toBeNull()
  expect(readLanding(JSON.stringify({ studio, ownHost: true }), '/old-name/x')).toEqual({
    studio,
    ownHost: true,
    askedFor: 'old-name',
  })
})
