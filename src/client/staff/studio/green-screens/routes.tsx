import { readJobParams, type StaffRoute, staffRoute } from '#client/staff/kit/routing/staff-route.tsx'
import { jobPatterns } from '#client/staff/kit/routing/staff-urls.ts'

/** Backgrounds of a job, for verified studios with the green screen feature. */
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
