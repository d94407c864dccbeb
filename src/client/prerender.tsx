import { renderToString } from 'react-dom/server'
import { Router } from 'wouter'
import { App } from './app/app.tsx'
import { landingRoutes } from './app/landing-routes.tsx'
import { type Landing, LandingContext, noLanding } from './platform/landing.ts'
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
} as const

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
export const renderStudio = (logoVariant: 'initial' | 'logo' | 'wordmark'): Promise<string> => {
  const { slug, name } = markers
  const size = { width: Number(markers.logoWidth), height: Number(markers.logoHeight) }
  const logo = { logo: markers.logo, logoShape: { ...size, wordmark: logoVariant === 'wordmark' } }
  const placeholder = { accent: null, phone: null, email: null, ...(logoVariant === 'initial' ? { logo: null } : logo) }
  return render(`/${slug}`, { studio: { slug, name, ...placeholder }, ownHost: false })
}

/** The studio's accent for the `style` attribute of `<html>`; empty if the colour is invalid. */
export const accentStyle = (hex: string | null): string =>
  Object.entries(accentProperties(hex))
    .map(([property, value]) => `${property}:${value}`)
    .join(';')
