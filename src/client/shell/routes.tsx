import { Redirect } from 'wouter'
import { StudioScreen } from '../customer/find/studio-screen.tsx'
import { findLater } from '../home/find-later.ts'
import { HomeScreen } from '../home/home-screen.tsx'
import { OrderSearchForm } from '../home/order-search-form.tsx'
import { errandRoutes } from './errand-routes.tsx'
import { useLanding } from './landing.ts'
import { readCode, readCustomer } from './readers.ts'
import { eagerRoute, type Route, route } from './route.tsx'
import { type CodeRoute, type Found, patterns, urls } from './urls.ts'

const nothing = () => ({})

// On a studio's own host name the start is that studio's job search.
const Start = () => {
  const { studio, ownHost } = useLanding()
  return ownHost && studio ? <Studio studioSlug={studio.slug} /> : <HomeScreen />
}

// The order search belongs to the home feature and the studio's page to another; here they meet.
const Studio = (place: CodeRoute) => <StudioScreen {...place} orderSearch={<OrderSearchForm find={findLater} />} />

const moved = (path: string, to: () => string): Route =>
  eagerRoute({
    name: `moved ${path}`,
    patterns: [path],
    title: null,
    screen: ({ search }: { search: string }) => <Redirect to={to() + search} replace />,
    read: ({ query }: Found) => ({ search: query.size > 0 ? `?${query}` : '' }),
  })

const signIn: readonly Route[] = [
  route({
    name: 'login',
    patterns: patterns.login,
    title: 'Studio Login',
    load: async () => (await import('../account/login-screen.tsx')).LoginScreen,
    read: ({ query }) => ({ ret: query.get('ret') ?? undefined, expired: query.get('expired') === '1' }),
  }),
  route({
    name: 'logout',
    patterns: patterns.logout,
    title: 'Signed out',
    load: async () => (await import('../account/logout-screen.tsx')).LogoutScreen,
    read: nothing,
  }),
  route({
    name: 'account',
    patterns: patterns.account,
    title: 'Account',
    load: async () => (await import('../account/account-screen.tsx')).AccountScreen,
    read: nothing,
  }),
  moved('/account/login', () => urls.login()),
  moved('/account/logout', urls.logout),
]

const finding: readonly Route[] = [
  route({
    name: 'customer-select-subject',
    patterns: patterns.customerSelectSubject,
    title: 'Gallery',
    frame: 'event',
    load: async () => (await import('../customer/find/select-subject-screen.tsx')).SelectSubjectScreen,
    read: readCustomer,
  }),
  route({
    name: 'customer-unavailable',
    patterns: patterns.customerUnavailable,
    title: 'Not available',
    frame: 'exempt',
    load: async () => (await import('../customer/find/unavailable-screen.tsx')).UnavailableScreen,
    read: (found) => ({ ...readCustomer(found), from: found.query.get('from') ?? undefined }),
  }),
  eagerRoute({
    name: 'customer-code',
    patterns: patterns.customerCode,
    title: 'Access code',
    screen: Studio,
    read: readCode,
  }),
]

const maintenance = route({
  name: 'maintenance',
  patterns: patterns.maintenance,
  title: 'Back in a moment',
  load: async () => (await import('./maintenance-screen.tsx')).MaintenanceScreen,
  read: ({ query }) => ({ from: query.get('from') ?? undefined }),
})

// The page that shows the whole kit stays out of what customers get.
const development: readonly Route[] = import.meta.env.DEV
  ? [
      route({
        name: 'kit',
        patterns: patterns.kit,
        title: 'Kit',
        load: async () => (await import('../kit-page.tsx')).KitPage,
        read: nothing,
      }),
    ]
  : []

/** Every screen of the product, the first that matches an address being its. Two segments of whatever kind come last. */
export const routes: readonly Route[] = [
  eagerRoute({ name: 'home', patterns: patterns.home, title: null, screen: Start, read: nothing }),
  ...signIn,
  maintenance,
  ...finding,
  ...errandRoutes,
  ...development,
  eagerRoute({
    name: 'customer-studio',
    patterns: patterns.customerStudio,
    title: 'Find your pictures',
    screen: Studio,
    read: readCode,
  }),
  route({
    name: 'customer-subject-search',
    patterns: patterns.customerSubjectSearch,
    title: 'Who are you ordering for?',
    frame: 'event',
    load: async () => (await import('../customer/find/subject-search-screen.tsx')).SubjectSearchScreen,
    read: readCustomer,
  }),
]
