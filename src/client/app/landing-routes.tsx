import { defineRoute, type Route } from '#platform/define-route.tsx'
import type { Landing } from '#platform/landing.ts'
import { type CodeRoute, patterns, type RouteInput, textParam } from '#platform/urls.ts'

const loadStudio = async () => (await import('./studio-landing-page.tsx')).StudioLandingPage

/** A studio's address, with the access code where it names one. */
const readCode = (found: RouteInput): CodeRoute => ({
  studioSlug: textParam(found, 'studioSlug'),
  code: found.params.code ?? found.query.get('code') ?? undefined,
})

/** The start; on a studio's own host name it is that studio's job search (section 2). */
const start = ({ ownHost, studio }: Landing): Route =>
  ownHost && studio
    ? defineRoute({
        name: 'home',
        patterns: patterns.home,
        title: 'Find your pictures',
        load: loadStudio,
        read: () => ({ studioSlug: studio.slug }),
      })
    : defineRoute({
        name: 'home',
        patterns: patterns.home,
        title: null,
        load: async () => (await import('../home/home-screen.tsx')).HomeScreen,
        read: () => ({}),
      })

/**
 * The screens a visit begins with. Only these are in the first bytes; the table of all others comes with the first of them
 * (`rest-routes.tsx`). None of their patterns takes an address away from a screen there.
 */
export const landingRoutes = (landing: Landing): readonly Route[] => [
  start(landing),
  defineRoute({
    name: 'customer-code',
    patterns: patterns.customerCode,
    title: 'Access code',
    load: loadStudio,
    read: readCode,
  }),
  defineRoute({
    name: 'customer-studio',
    patterns: patterns.customerStudio,
    title: 'Find your pictures',
    load: loadStudio,
    read: readCode,
  }),
]
