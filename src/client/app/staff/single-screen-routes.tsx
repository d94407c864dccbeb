import {
  readJobParams,
  readNoParams,
  readStudioParams,
  type StaffRoute,
  staffRoute,
} from '#client/staff/kit/routing/staff-route.tsx'
import { jobPatterns, studioPatterns } from '#client/staff/kit/routing/staff-urls.ts'
import { financeStaff } from '#contract/shapes/staff-call.ts'

/** Routes of features that have a single screen. */
export const singleScreenRoutes: readonly StaffRoute[] = [
  staffRoute({
    area: 'system',
    name: 'system-profile',
    patterns: ['/admin/profile'],
    title: 'Profile',
    load: async () => (await import('#client/staff/account/account-screen.tsx')).AdministratorProfileScreen,
    read: readNoParams,
  }),
  staffRoute({
    area: 'studio',
    name: 'studioadmin-home',
    patterns: studioPatterns('', 'home'),
    title: 'Home',
    load: async () => (await import('#client/staff/studio/home/studio-home-screen.tsx')).StudioHomeScreen,
    read: readStudioParams,
  }),
  staffRoute({
    area: 'studio',
    name: 'studioadmin-profile',
    patterns: studioPatterns('profile'),
    title: 'Profile',
    // Open to unverified studios, which request their verification here.
    isExempt: true,
    load: async () => (await import('#client/staff/studio/profile/profile-screen.tsx')).ProfileScreen,
    read: readStudioParams,
  }),
  staffRoute({
    area: 'studio',
    needs: ['studio.users.crud', 'studio.admin.crud'],
    name: 'studioadmin-staff',
    patterns: studioPatterns('settings/staff'),
    title: 'Staff',
    load: async () => (await import('#client/staff/studio/staff-members/staff-list-screen.tsx')).StaffListScreen,
    read: readStudioParams,
  }),
  staffRoute({
    area: 'studio',
    needs: ['studio.users.crud'],
    isForOwners: true,
    name: 'studioadmin-support-access',
    patterns: studioPatterns('settings/support-access'),
    title: 'Support access',
    isExempt: true,
    load: async () =>
      (await import('#client/staff/studio/support-access/support-access-screen.tsx')).SupportAccessScreen,
    read: readStudioParams,
  }),
  staffRoute({
    area: 'job',
    feature: { name: 'greenscreens', redirectTo: 'packages' },
    isForVerified: true,
    name: 'job-green-screens',
    patterns: jobPatterns('packages/greenscreens', 'greenscreens'),
    title: 'Green screens',
    load: async () => (await import('#client/staff/studio/green-screens/green-screens-screen.tsx')).GreenScreensScreen,
    read: readJobParams,
  }),
  staffRoute({
    area: 'job',
    name: 'job-shoot',
    patterns: jobPatterns('shoot'),
    title: 'Shoot day',
    load: async () => (await import('#client/staff/studio/shoot-day/shoot-screen.tsx')).ShootScreen,
    read: readJobParams,
  }),
  staffRoute({
    area: 'studio',
    needs: financeStaff.holds,
    feature: { name: 'reports', redirectTo: '' },
    name: 'studioadmin-reports',
    patterns: studioPatterns('reports'),
    title: 'Reports',
    load: async () => (await import('#client/staff/studio/reports/studio-reports-screen.tsx')).StudioReportsScreen,
    read: readStudioParams,
  }),
  staffRoute({
    area: 'system',
    name: 'system-settings',
    patterns: ['/admin/system'],
    title: 'System settings',
    load: async () => (await import('./system-settings-screen.tsx')).SystemSettingsScreen,
    read: readNoParams,
  }),
]
