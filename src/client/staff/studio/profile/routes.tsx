import { readStudioParams, type StaffRoute, staffRoute } from '#client/staff/kit/routing/staff-route.tsx'
import { studioPatterns } from '#client/staff/kit/routing/staff-urls.ts'

/** Route of the studio's profile. It is open to unverified studios, which request their verification here. */
export const profileRoutes: readonly StaffRoute[] = [
  staffRoute({
    area: 'studio',
    name: 'studioadmin-profile',
    patterns: studioPatterns('profile'),
    title: 'Profile',
    isExempt: true,
    load: async () => (await import('./profile-screen.tsx')).ProfileScreen,
    read: readStudioParams,
  }),
]
