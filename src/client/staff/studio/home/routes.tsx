import { readStudioParams, type StaffRoute, staffRoute } from '#client/staff/kit/routing/staff-route.tsx'
import { studioPatterns } from '#client/staff/kit/routing/staff-urls.ts'

/** Routes of the studio's home screen. */
export const homeRoutes: readonly StaffRoute[] = [
  staffRoute({
    area: 'studio',
    name: 'studioadmin-home',
    patterns: studioPatterns('', 'home'),
    title: 'Home',
    load: async () => (await import('./studio-home-screen.tsx')).StudioHomeScreen,
    read: readStudioParams,
  }),
]
