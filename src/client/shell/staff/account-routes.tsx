import { Redirect } from 'wouter'
import { readNothing, type StaffRoute, staffRoute } from '../../staff/staff-route.tsx'
import { type Found, patterns, urls } from '../urls.ts'

const moved = (path: string, to: () => string): StaffRoute => {
  const Moved = ({ search }: { search: string }) => <Redirect to={to() + search} replace />
  const read = ({ query }: Found) => ({ search: query.size > 0 ? `?${query}` : '' })
  return staffRoute({
    area: 'open',
    name: `moved ${path}`,
    patterns: [path],
    title: null,
    load: async () => Moved,
    read,
  })
}

/** Signing in and out, and one's own account. */
export const accountRoutes: readonly StaffRoute[] = [
  staffRoute({
    area: 'open',
    name: 'login',
    patterns: patterns.login,
    title: 'Studio Login',
    load: async () => (await import('../../account/login-screen.tsx')).LoginScreen,
    read: ({ query }) => ({ ret: query.get('ret') ?? undefined, expired: query.get('expired') === '1' }),
  }),
  staffRoute({
    area: 'open',
    name: 'logout',
    patterns: patterns.logout,
    title: 'Signed out',
    load: async () => (await import('../../account/logout-screen.tsx')).LogoutScreen,
    read: readNothing,
  }),
  staffRoute({
    area: 'account',
    name: 'account',
    patterns: patterns.account,
    title: 'Account',
    load: async () => (await import('../../account/account-screen.tsx')).AccountScreen,
    read: readNothing,
  }),
  moved('/account/login', () => urls.login()),
  moved('/account/logout', urls.logout),
]
