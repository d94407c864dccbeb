import { readJobParams, type StaffRoute, staffRoute } from '#client/staff/kit/routing/staff-route.tsx'
import { jobPatterns } from '#client/staff/kit/routing/staff-urls.ts'

/** The backgrounds of a job, for studios that were given green screens and that the partner verified. */
export const greenScreenRoutes: readonly StaffRoute[] = [
  staffRoute({
    area: 'job',
    feature: { name: 'greenscreens', instead: 'packages' },
    isForVerified: true,
    name: 'job-green-screens',
    patterns: jobPatterns('packages/greenscreens', 'greenscreens'),
    title: 'Green screens',
    load: async () => (await import('./green-screens-screen.tsx')).GreenScreensScreen,
    read: readJobParams,
  }),
]
