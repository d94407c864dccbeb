import { renderToString } from 'react-dom/server'
import { Router } from 'wouter'
import { App } from './shell/app.tsx'
import { type Landing, LandingContext, noLanding } from './shell/landing.ts'
import { routes } from './shell/routes.tsx'
import { accentProperties } from './ui/accent.ts'

/**
 * The landing pages as the browser's first render makes them, for the built `index.html`:
 *
 * - the markup takes the place of `<!--landing-->` inside `#root`;
 * - `null` inside `<script type="application/json" id="landing">` becomes the page's `Landing` as JSON (`<` written as `\u003c`):
 *   `{"studio":null,"ownHost":false}` for home, `{"studio":{slug,name,logo,accent,phone,email},"ownHost":…}` for a studio's page;
 * - each marker in the studio's markup becomes the studio's own value, escaped for HTML; the slug is safe as it is;
 * - `<html lang="en">` gets `style="…"` from `accentStyle`, and `<title>` the page's title.
 *
 * A page without this filling (the worker's `app.html`: the same file with the comment and the `null` left in) renders from scratch.
 */
export const markers = {
  slug: 'studio-slug-marker',
  /** To be filled first; what is left of its first character then is the name's initial, the face of a studio without a logo. */
  name: '\ue000studio-name-marker',
  initial: '\ue000',
  /** Only in the page of a studio with a logo. */
  logo: '/studio-logo-marker',
} as const

const render = (path: string, landing: Landing): string =>
  renderToString(
    <Router ssrPath={path}>
      <LandingContext value={landing}>
        <App routes={routes} />
      </LandingContext>
    </Router>,
  )

/** The home page; the same for everybody. */
export const renderHome = (): string => render('/', noLanding)

/** A studio's page, with markers where its own facts go. */
export const renderStudio = ({ logo }: { logo: boolean }): string => {
  const { slug, name } = markers
  const facts = { accent: null, phone: null, email: null, logo: logo ? markers.logo : null }
  return render(`/${slug}`, { studio: { slug, name, ...facts }, ownHost: false })
}

/** The accent of a studio for the `style` attribute of `<html>`; empty where the colour is none. */
export const accentStyle = (hex: string | null): string =>
  Object.entries(accentProperties(hex))
    .map(([property, value]) => `${property}:${value}`)
    .join(';')

/** The titles of the two pages, as the browser sets them. */
export const landingTitles = { home: 'Fieldproof', studio: 'Find your pictures | Fieldproof' } as const
