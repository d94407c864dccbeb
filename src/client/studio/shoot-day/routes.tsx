import { readJob, type StaffRoute, staffRoute } from '../../staff/staff-route.tsx'
import { jobPatterns } from '../../staff/staff-urls.ts'

/** The day of the shoot, beside the camera. */
export const shootDayRoutes: readonly StaffRoute[] = [
  staffRoute({
    area: 'job',
    name: 'job-shoot',
    patterns: jobPatterns('shoot'),
    title: 'Shoot day',
    load: async () => (await import('./shoot-screen.tsx')).ShootScreen,
    read: readJob,
  }),
]
