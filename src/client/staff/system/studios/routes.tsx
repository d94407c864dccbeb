import { readNoParams, type StaffRoute, staffRoute } from '#client/staff/kit/routing/staff-route.tsx'

/** Route of the platform's studios, which is also the administrators' home screen. */
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
