import { Redirect } from 'wouter'
import { readNoParams, type StaffRoute, staffRoute } from '#client/staff/kit/routing/staff-route.tsx'
import { staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { patterns, type RouteInput, urls } from '#platform/urls.ts'

/** A former path, which redirects to its replacement and keeps the query. */
const redirectRoute = (path: string, toUrl: (input: RouteInput) => string): StaffRoute => {
  const RedirectScreen = ({ url }: { url: string }) => <Redirect to={url} replace />
  const read = (input: RouteInput) => ({ url: toUrl(input) + (input.query.size > 0 ? `?${input.query}` : '') })
  return staffRoute({
    area: 'open',
    name: `redirect ${path}`,
    patterns: [path],
    title: null,
    load: async () => RedirectScreen,
    read,
  })
}

/** Routes for signing in, signing out and the user's own account. */
export const accountRoutes: readonly StaffRoute[] = [
  staffRoute({
    area: 'open',
    name: 'login',
    patterns: patterns.login,
    title: 'Studio Login',
    load: async () => (await import('#client/staff/account/login-screen.tsx')).LoginScreen,
    read: ({ query }) => ({ ret: query.get('ret') ?? undefined, expired: query.get('expired') === '1' }),
  }),
  staffRoute({
    area: 'open',
    name: 'logout',
    patterns: patterns.logout,
    title: 'Signed out',
    load: async () => (await import('#client/staff/account/logout-screen.tsx')).LogoutScreen,
    read: readNoParams,
  }),
  staffRoute({
    area: 'account',
    name: 'account',
    patterns: patterns.account,
    title: 'Account',
    load: async () => (await import('#client/staff/account/account-screen.tsx')).AccountScreen,
    read: readNoParams,
  }),
  staffRoute({
    area: 'open',
    name: 'forgot-password',
    patterns: ['/forgot-password'],
    title: 'Forgot password',
    load: async () => (await import('#client/staff/account/forgot-password-screen.tsx')).ForgotPasswordScreen,
    read: readNoParams,
  }),
  staffRoute({
    area: 'open',
    name: 'reset-password',
    patterns: ['/reset-password'],
    title: 'New password',
    load: async () => (await import('#client/staff/account/reset-password-screen.tsx')).ResetPasswordScreen,
    read: ({ query }) => ({ token: query.get('token') ?? undefined }),
  }),
  staffRoute({
    area: 'open',
    name: 'setup',
    patterns: ['/setup/:accountNumber?'],
    title: 'Set up',
    load: async () => (await import('#client/staff/account/onboarding.tsx')).SetupScreen,
    read: ({ params, query }) => ({
      accountNumber: params.accountNumber ?? query.get('accountNumber') ?? undefined,
      token: query.get('token') ?? undefined,
    }),
  }),
  redirectRoute('/account/login', () => urls.login()),
  redirectRoute('/account/forgot-password', staffUrls.forgotPassword),
  redirectRoute('/account/reset-password', () => '/reset-password'),
  redirectRoute('/account/setup/:accountNumber?', ({ params }) => staffUrls.setup(params.accountNumber)),
  redirectRoute('/account/logout', urls.logout),
]
