import { readOrganizationParams, type StaffRoute, staffRoute } from '#client/staff/kit/routing/staff-route.tsx'
import { studioPatterns } from '#client/staff/kit/routing/staff-urls.ts'

const load = () => import('./organization-jobs.tsx')

/** The tabs of an organization that list its jobs. Each uses two feature folders, `organizations` and `jobs`. */
export const organizationJobsRoutes: readonly StaffRoute[] = [
  staffRoute({
    area: 'studio',
    name: 'studioadmin-organization-prepay',
    patterns: studioPatterns('organizations/:organizationId/prepay'),
    title: 'Organization',
    load: async () => (await load()).OrganizationPrepay,
    read: readOrganizationParams,
  }),
  staffRoute({
    area: 'studio',
    name: 'studioadmin-organization-gallery',
    patterns: studioPatterns('organizations/:organizationId/gallery'),
    title: 'Organization',
    load: async () => (await load()).OrganizationGallery,
    read: readOrganizationParams,
  }),
  staffRoute({
    area: 'studio',
    name: 'studioadmin-organization-jobs',
    patterns: studioPatterns('organizations/:organizationId/jobs'),
    title: 'Jobs',
    feature: {
      name: 'rspoJob',
      redirectTo: (input) => `organizations/${readOrganizationParams(input).organizationId}/overview`,
    },
    load: async () => (await load()).OrganizationJobs,
    read: readOrganizationParams,
  }),
]
