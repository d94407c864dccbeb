import {
  readOrganizationParams,
  readStudioParams,
  type StaffRoute,
  staffRoute,
} from '#client/staff/kit/routing/staff-route.tsx'
import { studioPatterns } from '#client/staff/kit/routing/staff-urls.ts'
import { financeStaff } from '#contract/shapes/staff-call.ts'

/** Routes of a studio's organizations. `client/app` adds the tabs that list an organization's jobs. */
export const organizationsRoutes: readonly StaffRoute[] = [
  staffRoute({
    area: 'studio',
    name: 'studioadmin-organizations',
    patterns: studioPatterns('organizations'),
    title: 'Organizations',
    load: async () => (await import('./organizations-screen.tsx')).OrganizationsScreen,
    read: readStudioParams,
  }),
  staffRoute({
    area: 'studio',
    name: 'studioadmin-organization-overview',
    patterns: studioPatterns('organizations/:organizationId', 'organizations/:organizationId/overview'),
    title: 'Organization',
    load: async () => (await import('./organization-overview-screen.tsx')).OrganizationOverviewScreen,
    read: readOrganizationParams,
  }),
  staffRoute({
    area: 'studio',
    name: 'studioadmin-organization-commission',
    patterns: studioPatterns('organizations/:organizationId/commission'),
    title: 'Commission',
    needs: financeStaff.holds,
    feature: {
      name: 'reports',
      redirectTo: (input) => `organizations/${readOrganizationParams(input).organizationId}/overview`,
    },
    load: async () => (await import('./commission/commission-screen.tsx')).CommissionScreen,
    read: readOrganizationParams,
  }),
]
