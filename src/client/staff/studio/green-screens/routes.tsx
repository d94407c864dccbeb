import { readJobParams, type StaffRoute, staffRoute } from '#client/staff/kit/routing/staff-route.tsx'
import { jobPatterns } from '#client/staff/kit/routing/staff-urls.ts'

/** Route of a job's backgrounds, for verified studios with the green screen feature. */
export const greenScreenRoutes: readonly StaffRoute[] = [
  staffRoute({
    area: 'job',
    feature: { name: 'greenscreens', redirectTo: 'packages' },
    isForVerified: true,
    name: 'job-green-screens',
    patterns: jobPatterns('packages/greenscreens', 'greenscreens'),
    title: 'Green screens',
    load: async () => (await import('./green-screens-screen.tsx')).GreenScreensScreen,
    read: readJobParams,
  }),
]
