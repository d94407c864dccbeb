import { readStudioParams, type StaffRoute, staffRoute } from '#client/staff/kit/routing/staff-route.tsx'
import { studioPatterns } from '#client/staff/kit/routing/staff-urls.ts'
import { userManagers } from '#contract/shapes/staff-call.ts'

/** Routes for a studio's developers. */
export const developerRoutes: readonly StaffRoute[] = [
  staffRoute({
    area: 'studio',
    needs: userManagers.holds,
    name: 'studioadmin-developers',
    patterns: studioPatterns('settings/developers'),
    title: 'Developers',
    load: async () => (await import('./developers-screen.tsx')).DevelopersScreen,
    read: readStudioParams,
  }),
]
