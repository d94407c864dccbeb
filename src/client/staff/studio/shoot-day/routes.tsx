import { readJobParams, type StaffRoute, staffRoute } from '#client/staff/kit/routing/staff-route.tsx'
import { jobPatterns } from '#client/staff/kit/routing/staff-urls.ts'

/** Route of the shoot day. */
export const shootDayRoutes: readonly StaffRoute[] = [
  staffRoute({
    area: 'job',
    name: 'job-shoot',
    patterns: jobPatterns('shoot'),
    title: 'Shoot day',
    load: async () => (await import('./shoot-screen.tsx')).ShootScreen,
    read: readJobParams,
  }),
]
