import { defineRoute, type Route } from '#platform/define-route.tsx'
import { patterns } from '#platform/urls.ts'
import { orderFlowRoutes } from './order-flow-routes.tsx'
import { readCustomer, readSubject } from './route-params.ts'

const readNothing = () => ({})

const discoveryRoutes: readonly Route[] = [
  defineRoute({
    name: 'customer-select-subject',
    patterns: patterns.customerSelectSubject,
    title: 'Gallery',
    frame: 'event',
    load: async () =>
      (await import('../customer/discovery/subject-search/select-subject-screen.tsx')).SelectSubjectScreen,
    read: readCustomer,
  }),
  defineRoute({
    name: 'customer-person-details',
    patterns: patterns.customerPersonDetails,
    title: 'About your child',
    frame: 'event',
    load: async () => (await import('../customer/subjects/subject-details-screen.tsx')).SubjectDetailsScreen,
    read: readSubject,
  }),
  defineRoute({
    name: 'customer-unavailable',
    patterns: patterns.customerUnavailable,
    title: 'Not available',
    frame: 'exempt',
    load: async () => (await import('../customer/discovery/unavailable/unavailable-screen.tsx')).UnavailableScreen,
    read: (input) => ({ ...readCustomer(input), from: input.query.get('from') ?? undefined }),
  }),
]

const maintenanceRoute = defineRoute({
  name: 'maintenance',
  patterns: patterns.maintenance,
  title: 'Back in a moment',
  load: async () => (await import('./maintenance-screen.tsx')).MaintenanceScreen,
  read: ({ query }) => ({ from: query.get('from') ?? undefined }),
})

// The kit page is excluded from production builds.
const developmentRoutes: readonly Route[] = import.meta.env.DEV
  ? [
      defineRoute({
        name: 'kit',
        patterns: patterns.kit,
        title: 'Kit',
        load: async () => (await import('./kit-page/kit-page.tsx')).KitPage,
        read: readNothing,
      }),
    ]
  : []

/** Every screen except the landing pages; the first matching route wins. Generic two-segment patterns come last. */
export const appRoutes: readonly Route[] = [
  maintenanceRoute,
  ...discoveryRoutes,
  ...orderFlowRoutes,
  ...developmentRoutes,
  defineRoute({
    name: 'customer-subject-search',
    patterns: patterns.customerSubjectSearch,
    title: 'Who are you ordering for?',
    frame: 'event',
    load: async () => (await import('./subject-picker-screen.tsx')).SubjectPickerScreen,
    read: readCustomer,
  }),
]
