import { readStudioParams, type StaffRoute, staffRoute } from '#client/staff/kit/routing/staff-route.tsx'
import { studioPatterns } from '#client/staff/kit/routing/staff-urls.ts'

/** The studio's profile: open also to a studio that waits for its verification, which is asked for here. */
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
