import { defineRoute, type Route } from '#platform/define-route.tsx'
import type { Landing } from '#platform/landing.ts'
import { type CodeRoute, patterns, type RouteInput, textParam } from '#platform/urls.ts'

const loadStudio = async () => (await import('./studio-landing-page.tsx')).StudioLandingPage

/** A studio's URL, with the access code if it has one. */
const readCodeRoute = (input: RouteInput): CodeRoute => ({
  studioSlug: textParam(input, 'studioSlug'),
  code: input.params.code ?? input.query.get('code') ?? undefined,
})

/** The home page; on a studio's own host name, that studio's job search (section 2). */
const homeRoute = ({ ownHost, studio }: Landing): Route =>
  ownHost && studio
    ? defineRoute({
        name: 'home',
        patterns: patterns.home,
        title: 'Find your photos',
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
 * The routes of the pages that customers usually open first. Only these are in the entry bundle; the table of all other
 * routes (`app-routes.tsx`) loads when the first of them is opened. Their patterns never match a URL of the other table.
 */
export const landingRoutes = (landing: Landing): readonly Route[] => [
  homeRoute(landing),
  defineRoute({
    name: 'customer-code',
    patterns: patterns.customerCode,
    title: 'Access code',
    load: loadStudio,
    read: readCodeRoute,
  }),
  defineRoute({
    name: 'customer-studio',
    patterns: patterns.customerStudio,
    title: 'Find your photos',
    load: loadStudio,
    read: readCodeRoute,
  }),
]
