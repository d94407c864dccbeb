import { readJob, type StaffRoute, staffRoute } from '../../staff/staff-route.tsx'
import { jobPatterns } from '../../staff/staff-urls.ts'

/** A job's pictures. */
export const imagesRoutes: readonly StaffRoute[] = [
  staffRoute({
    area: 'job',
    name: 'job-images',
    patterns: jobPatterns('images'),
    title: 'Images',
    load: async () => (await import('./images-screen.tsx')).ImagesScreen,
    read: readJob,
  }),
]
