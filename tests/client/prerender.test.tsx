import { act } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { afterEach, expect, test, vi } from 'vitest'
import { App } from '#client/app/app.tsx'
import { landingRoutes } from '#client/app/landing-routes.tsx'
import { preloadScreen } from '#client/app/preload-on-intent.tsx'
import { markers, renderHome, renderOpeningView, renderStudio } from '#client/prerender.tsx'
import { type Landing, LandingContext, noLanding, readLanding } from '#platform/landing.ts'

// Without this flag React warns about each change inside `act`.
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

const pageErrors = vi.spyOn(console, 'error')
afterEach(() => {
  expect(pageErrors).not.toHaveBeenCalled()
  pageErrors.mockClear()
  document.body.innerHTML = ''
})

const hydrate = async (html: string, landing: Landing, path: string) => {
  history.replaceState(null, '', path)
  document.body.innerHTML = html
  const routes = landingRoutes(landing)
  await preloadScreen(routes, path)
  const hydrationErrors: unknown[] = []
  const page = (
    <LandingContext value={landing}>
      <App routes={routes} />
    </LandingContext>
  )
  const root = await act(async () =>
    hydrateRoot(document.body, page, { onRecoverableError: (error) => hydrationErrors.push(error) }),
  )
  expect(hydrationErrors).toEqual([])
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

test('the prerendered home page hydrates without differences', async () => {
  const html = await renderHome()
  expect(html).toContain('Event Online Ordering Platform')
  const { end } = await hydrate(html, noLanding, '/')
  expect(document.querySelector('h1')?.textContent).toBe('Welcome to Fieldproof')
  await end()
})

const [logo, width, height] = ['/photos/logos/1-abc.webp', 312, 104]

test.each([
  ['initial', { logo: null, logoShape: null }],
  ['logo', { logo, logoShape: { width, height: width, wordmark: false } }],
  ['wordmark', { logo, logoShape: { width, height, wordmark: true } }],
] as const)(
  'a studio’s page with its %s, filled in by the server, hydrates without differences',
  async (landingFace, logoValues) => {
    const template = await renderStudio(landingFace)
    const html = template
      .replaceAll(markers.name, 'Müller &amp; Söhne')
      .replaceAll(markers.slug, 'riverside')
      .replaceAll(markers.logo, logoValues.logo ?? '')
      .replaceAll(markers.logoWidth, String(logoValues.logoShape?.width))
      .replaceAll(markers.logoHeight, String(logoValues.logoShape?.height))
      .replaceAll(markers.initial, 'M')
    expect(html).not.toMatch(/marker|90000000/)
    const { end } = await hydrate(html, { studio: { ...studio, ...logoValues }, ownHost: false }, '/riverside')
    const header = document.querySelector('header')
    const logoImage = header?.querySelector('img')
    expect([header?.textContent, logoImage?.getAttribute('alt')]).toEqual(
      { initial: ['MMüller & Söhne', undefined], logo: ['Müller & Söhne', ''], wordmark: ['', 'Müller & Söhne'] }[
        landingFace
      ],
    )
    const size = logoValues.logoShape && [String(logoValues.logoShape.width), String(logoValues.logoShape.height)]
    expect(logoImage ? [logoImage.getAttribute('width'), logoImage.getAttribute('height')] : null).toEqual(size)
    await end()
  },
)

test('on a studio’s own host name the root URL is its job search', async () => {
  const html = (await renderStudio('initial'))
    .replaceAll(markers.name, 'Müller &amp; Söhne')
    .replaceAll(markers.slug, 'riverside')
    .replaceAll(markers.initial, 'M')
  const { end } = await hydrate(html, { studio, ownHost: true }, '/')
  expect(document.querySelector('h1')?.textContent).toBe('Find your photos')
  await end()
})

test('the landing is read from valid data of the server, with the slug of the URL, and is otherwise null', () => {
  expect(readLanding('null', '/')).toBeNull()
  expect(readLanding(undefined, '/')).toBeNull()
  expect(readLanding('{broken', '/')).toBeNull()
  expect(readLanding(JSON.stringify({ studio, ownHost: true }), '/old-name/x')).toEqual({
    studio,
    ownHost: true,
    requestedSlug: 'old-name',
  })
})

test.each([
  ['unknown', 'Opening your photos…'],
  ['job', `Opening ${markers.jobName}…`],
  ['subject', `Opening ${markers.subjectName}’s photos…`],
] as const)('the first view of a code without an image (%s) names the studio and has no form', (opened, heading) => {
  document.body.innerHTML = renderOpeningView(opened)
  expect(document.querySelector('h1')?.textContent).toBe(heading)
  expect(document.body.textContent).toContain(markers.name)
  expect(document.querySelector('form')).toBeNull()
})
