import { renderToString } from 'react-dom/server'
import { Router } from 'wouter'
import { App } from './app/app.tsx'
import { landingRoutes } from './app/landing-routes.tsx'
import { type Landing, LandingContext, noLanding } from './platform/landing.ts'
import { accentProperties } from './ui/theme/accent.ts'

/**
 * The landing pages as the browser's first render makes them, for the built `index.html`:
 *
 * - the markup takes the place of `<!--landing-->` inside `#root`;
 * - `null` inside `<script type="application/json" id="landing">` becomes the page's `Landing` as JSON (`<` written as `\u003c`):
 *   `{"studio":null,"ownHost":false}` for home, `{"studio":{slug,name,logo,logoShape,accent,phone,email},"ownHost":…}` for a studio's page;
 * - each marker in the studio's markup becomes the studio's own value, escaped for HTML; the slug is safe as it is;
 * - `<html lang="en">` gets `style="…"` from `accentStyle`, and `<title>` the page's title;
 * - the head gets the style sheets, and a `modulepreload` for the scripts, that Vite's manifest names for the page's `modules` and
 *   their static imports: the screen's own code is not part of the entry.
 *
 * A page without this filling (the worker's `app.html`: the same file with the comment and the `null` left in) renders from scratch.
 */
export const landingPages = {
  home: { title: 'Fieldproof', modules: ['client/home/home-screen.tsx'] },
  studio: { title: 'Find your pictures | Fieldproof', modules: ['client/app/studio-landing-page.tsx'] },
} as const

/** What stands in the studio's markup for its own facts. */
export const markers = {
  slug: 'studio-slug-marker',
  /** To be filled first; what is left of its first character then is the name's initial, the face of a studio without a logo. */
  name: '\ue000studio-name-marker',
  initial: '\ue000',
  /** Only in the page of a studio with a logo. */
  logo: '/studio-logo-marker',
  /** Numbers like no other on the page: the logo's size. */
  logoWidth: '900000001',
  logoHeight: '900000002',
} as const

const render = async (path: string, landing: Landing): Promise<string> => {
  const routes = landingRoutes(landing)
  const shown = routes.find(({ name }) => name === (landing.studio ? 'customer-studio' : 'home'))
  await shown?.preload()
  return renderToString(
    <Router ssrPath={path}>
      <LandingContext value={landing}>
        <App routes={routes} />
      </LandingContext>
    </Router>,
  )
}

/** The home page; the same for everybody. */
export const renderHome = (): Promise<string> => render('/', noLanding)

/** A studio's page, with markers where its own facts go; one for each face a studio can have. */
export const renderStudio = (face: 'initial' | 'logo' | 'wordmark'): Promise<string> => {
  const { slug, name } = markers
  const size = { width: Number(markers.logoWidth), height: Number(markers.logoHeight) }
  const logo = { logo: markers.logo, logoShape: { ...size, wordmark: face === 'wordmark' } }
  const facts = { accent: null, phone: null, email: null, ...(face === 'initial' ? { logo: null } : logo) }
  return render(`/${slug}`, { studio: { slug, name, ...facts }, ownHost: false })
}

/** The accent of a studio for the `style` attribute of `<html>`; empty where the colour is none. */
export const accentStyle = (hex: string | null): string =>
  Object.entries(accentProperties(hex))
    .map(([property, value]) => `${property}:${value}`)
    .join(';')
