import { renderToString } from 'react-dom/server'
import { Router } from 'wouter'
import { App } from './app/app.tsx'
import { CodeFirstView } from './app/code-first-view.tsx'
import { landingRoutes } from './app/landing-routes.tsx'
import { type Landing, LandingContext, type LandingStudio, noLanding } from './platform/landing.ts'
import { accentProperties } from './ui/theme/accent.ts'

/**
 * Prerenders the landing pages exactly as the browser first renders them. The build fills `index.html` as follows:
 *
 * - the markup replaces `<!--landing-->` inside `#root`;
 * - `null` inside `<script type="application/json" id="landing">` becomes the page's `Landing` as JSON (`<` written as `\u003c`):
 *   `{"studio":null,"ownHost":false}` for home, `{"studio":{slug,name,logo,logoShape,accent,phone,email},"ownHost":…}` for a studio's page;
 * - each marker in the studio markup is replaced by the studio's value, escaped for HTML (the slug needs no escaping);
 * - `<html lang="en">` gets `style="…"` from `accentStyle`, and `<title>` the page's title;
 * - the head gets the style sheets and `modulepreload` links that Vite's manifest lists for the page's `modules` and
 *   their static imports, since the screen's code is not part of the entry chunk.
 *
 * Without these (the worker's `app.html`, where the comment and the `null` remain) the browser renders from scratch.
 */
export const landingPages = {
  home: { title: 'Fieldproof', modules: ['client/home/home-screen.tsx'] },
  studio: { title: 'Find your photos | Fieldproof', modules: ['client/app/studio-landing-page.tsx'] },
} as const

/** Placeholders for the studio's data in the markup. */
export const markers = {
  slug: 'studio-slug-marker',
  /**
   * Replaced first; its first character, left over elsewhere, is then the initial shown for a studio without a logo.
   */
  name: '\ue000studio-name-marker',
  initial: '\ue000',
  /** Only in the page of a studio with a logo. */
  logo: '/studio-logo-marker',
  /** The logo's size, as numbers that occur nowhere else on the page. */
  logoWidth: '900000001',
  logoHeight: '900000002',
  /** Only in the first view of a code page. */
  jobName: '\ue001job-name-marker',
  subjectName: '\ue001subject-name-marker',
  photo: '/photo-marker',
  thumbnail: '/thumbnail-marker',
  photoWidth: '900000003',
  photoHeight: '900000004',
  photoShape: String(900_000_003 / 900_000_004),
} as const

type LogoVariant = 'initial' | 'logo' | 'wordmark'

const placeholderStudio = (logoVariant: LogoVariant): LandingStudio => {
  const { slug, name } = markers
  const studio = { slug, name, accent: null, phone: null, email: null }
  if (logoVariant === 'initial') return { ...studio, logo: null }
  const size = { width: Number(markers.logoWidth), height: Number(markers.logoHeight) }
  return { ...studio, logo: markers.logo, logoShape: { ...size, wordmark: logoVariant === 'wordmark' } }
}

const render = async (path: string, landing: Landing): Promise<string> => {
  const routes = landingRoutes(landing)
  const route = routes.find(({ name }) => name === (landing.studio ? 'customer-studio' : 'home'))
  await route?.preload()
  return renderToString(
    <Router ssrPath={path}>
      <LandingContext value={landing}>
        <App routes={routes} />
      </LandingContext>
    </Router>,
  )
}

/** The home page; the same for everyone. */
export const renderHome = (): Promise<string> => render('/', noLanding)

/** A studio's page with placeholders; one for each variant. */
export const renderStudio = (logoVariant: LogoVariant): Promise<string> =>
  render(`/${markers.slug}`, { studio: placeholderStudio(logoVariant), ownHost: false })

/** The first view of a subject's code with placeholders; one for each variant of the studio's logo. */
export const renderCodeFirstView = (logoVariant: LogoVariant): string => {
  const { jobName, subjectName, photo, thumbnail, photoWidth, photoHeight } = markers
  const size = { width: Number(photoWidth), height: Number(photoHeight) }
  return renderToString(
    <Router ssrPath={`/${markers.slug}`}>
      <CodeFirstView
        studio={placeholderStudio(logoVariant)}
        {...{ jobName, subjectName }}
        image={{ previewUrl: photo, thumbnailUrl: thumbnail, ...size }}
      />
    </Router>,
  )
}

/** The studio's accent for the `style` attribute of `<html>`; empty if the colour is invalid. */
export const accentStyle = (hex: string | null): string =>
  Object.entries(accentProperties(hex))
    .map(([property, value]) => `${property}:${value}`)
    .join(';')
