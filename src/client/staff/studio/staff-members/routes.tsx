import { readStudioParams, type StaffRoute, staffRoute } from '#client/staff/kit/routing/staff-route.tsx'
import { studioPatterns } from '#client/staff/kit/routing/staff-urls.ts'

/** Route of the studio's staff, for owners only (section 6). */
export const staffMembersRoutes: readonly StaffRoute[] = [
  staffRoute({
    area: 'studio',
    needs: ['studio.users.crud', 'studio.admin.crud'],
    name: 'studioadmin-staff',
    patterns: studioPatterns('settings/staff'),
    title: 'Staff',
    load: async () => (await import('./staff-list-screen.tsx')).StaffListScreen,
    read: readStudioParams,
  }),
]
