import { readStudio, type StaffRoute, staffRoute } from '../../staff/staff-route.tsx'
import { studioPatterns } from '../../staff/staff-urls.ts'

/** Where staff come in. */
export const homeRoutes: readonly StaffRoute[] = [
  staffRoute({
    area: 'studio',
    name: 'studioadmin-home',
    patterns: studioPatterns('', 'home'),
    title: 'Home',
    load: async () => (await import('./home-screen.tsx')).HomeScreen,
    read: readStudio,
  }),
]
