import { readStudioParams, type StaffRoute, staffRoute } from '#client/staff/kit/routing/staff-route.tsx'
import { studioPatterns } from '#client/staff/kit/routing/staff-urls.ts'

/** Routes of a studio's job lists. */
export const jobsRoutes: readonly StaffRoute[] = [
  staffRoute({
    area: 'studio',
    name: 'studioadmin-jobs',
    patterns: studioPatterns('jobs'),
    title: 'Jobs',
    load: async () => (await import('./jobs-screen.tsx')).JobsScreen,
    read: readStudioParams,
  }),
  staffRoute({
    area: 'studio',
    name: 'studioadmin-prepay',
    patterns: studioPatterns('prepay'),
    title: 'Prepay',
    load: async () => (await import('./jobs-screen.tsx')).PrepayJobsScreen,
    read: readStudioParams,
  }),
  staffRoute({
    area: 'studio',
    name: 'studioadmin-galleries',
    patterns: studioPatterns('galleries'),
    title: 'Galleries',
    isForVerified: true,
    load: async () => (await import('./jobs-screen.tsx')).GalleryJobsScreen,
    read: readStudioParams,
  }),
]
