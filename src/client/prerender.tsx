import { renderToString } from 'react-dom/server'
import { Router } from 'wouter'
import { App } from './app/app.tsx'
import { landingRoutes } from './app/landing-routes.tsx'
import { OpeningView } from './customer/discovery/studio/opening-view.tsx'
import { type Landing, LandingContext, type LandingStudio, noLanding } from './platform/landing.ts'

/**
 * Prerenders the landing pages exactly as the browser first renders them. The build (`src/server/build/templates.ts`) makes a template
 * of each page from `index.html`:
 *
 * - the markup replaces `<!--landing-->` inside `#root`, and `<title>` gets the page's title;
 * - the styles of the chunk `landing` and its static imports are put into the head, and their scripts, since the screen's code is not
 *   part of the entry chunk, into the template of scripts that start after the first paint (`paint-first.ts`).
 *
 * On each request the server (`src/server/landing/fill-landing-page.ts`) fills the template:
 *
 * - each marker in the studio markup is replaced by the studio's value, escaped for HTML;
 * - `null` inside `<script type="application/json" id="landing">` becomes the page's `Landing` as JSON (`<` written as `\u003c`):
 *   `{"studio":null,"ownHost":false}` for home, `{"studio":{slug,name,logo,logoShape,accent,phone,email},"ownHost":…}` for a studio's page;
 * - `<html lang="en">` gets `style="…"` with the properties of the studio's accent.
 *
 * In the worker's `app.html` the comment and the `null` remain, and the browser renders from scratch.
 */
export const landingPages = {
  home: { title: 'Fieldproof' },
  studio: { title: 'Find your photos | Fieldproof' },
} as const

/** Placeholders for the data of the studio, and of what a code opens, in the markup. */
export const markers = {
  slug: 'studio-slug-marker',
  /** Begins with the marker `initial`: a studio without a logo shows the first character of its name. */
  name: '\ue000studio-name-marker',
  initial: '\ue000',
  /** Only in the page of a studio with a logo. */
  logo: '/studio-logo-marker',
  /** The logo's size, as numbers that occur nowhere else on the page. */
  logoWidth: '900000001',
  logoHeight: '900000002',
  /** Only in the first view of a code page without an image. */
  jobName: '\ue001job-name-marker',
  subjectName: '\ue001subject-name-marker',
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

/** The first view of a code without an image, with placeholders: of the studio, and of what the code opened, if known. */
export const renderOpeningView = (opened: 'unknown' | 'job' | 'subject'): string => {
  const opening = { unknown: 'your photos', job: markers.jobName, subject: `${markers.subjectName}’s photos` }[opened]
  return renderToString(<OpeningView studioName={markers.name} opening={opening} />)
}
