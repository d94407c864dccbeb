import { expect, test } from 'vitest'
import { appRoutes } from '#client/app/app-routes.tsx'
import { landingRoutes } from '#client/app/landing-routes.tsx'
import { noLanding } from '#platform/landing.ts'

const table = [...landingRoutes(noLanding), ...appRoutes]
const routesWithFrame = (frame: string) => table.filter((route) => route.frame === frame).map(({ name }) => name)

test('every customer screen of a job has the entry guard, except orders and the guard’s own targets (section 2)', () => {
  expect(routesWithFrame('event')).toEqual([
    'customer-select-subject',
    'customer-person-details',
    'customer-select-package',
    'customer-package-details',
    'customer-edit-cart-package',
    'customer-subject-search',
  ])
  expect(routesWithFrame('cart')).toEqual([
    'customer-cart',
    'customer-cart-order_services',
    'customer-confirm-cart',
    'customer-hand-over',
    'checkout',
    'checkout-order-review',
  ])
  expect(routesWithFrame('exempt')).toEqual([
    'customer-unavailable',
    'order-images',
    'order-more',
    'checkout-order-confirmation',
  ])
})

test('screens without the guard are not under a job, except the hand-over that has no session yet', () => {
  const unguardedPatterns = table.filter(({ frame }) => frame === 'plain').flatMap(({ patterns }) => patterns)
  expect(unguardedPatterns.filter((pattern) => pattern.includes(':jobId'))).toEqual(['/:studioSlug/:jobId/continue'])
})
