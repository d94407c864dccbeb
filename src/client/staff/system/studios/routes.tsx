import { readNoParams, type StaffRoute, staffRoute } from '#client/staff/kit/routing/staff-route.tsx'

/** The platform's studios; its start, too, until there is more to see there. */
export const studiosRoutes: readonly StaffRoute[] = [
  staffRoute({
    area: 'system',
    name: 'system-studios',
    patterns: ['/admin', '/admin/home', '/admin/studios'],
    title: 'Studios',
    load: async () => (await import('./studios-screen.tsx')).StudiosScreen,
    read: readNoParams,
  }),
]
