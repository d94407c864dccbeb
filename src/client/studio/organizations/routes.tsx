import { readStudio, type StaffRoute, staffRoute } from '../../staff/staff-route.tsx'
import { studioPatterns } from '../../staff/staff-urls.ts'
import { readOrganization } from './read-organization.ts'

/** The schools and clubs a studio works for. The tabs of an organization that list its jobs are put together by the shell. */
export const organizationsRoutes: readonly StaffRoute[] = [
  staffRoute({
    area: 'studio',
    name: 'studioadmin-organizations',
    patterns: studioPatterns('organizations'),
    title: 'Organizations',
    load: async () => (await import('./organizations-screen.tsx')).OrganizationsScreen,
    read: readStudio,
  }),
  staffRoute({
    area: 'studio',
    name: 'studioadmin-organization-overview',
    patterns: studioPatterns('organizations/:organizationId', 'organizations/:organizationId/overview'),
    title: 'Organization',
    load: async () => (await import('./overview-screen.tsx')).OverviewScreen,
    read: readOrganization,
  }),
]
