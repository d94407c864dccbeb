import type { Route } from './route.tsx'

/**
 * The errand's screens: packages, cart, checkout, orders. One entry a screen, for example
 *
 *   route({
 *     name: 'customer-cart',
 *     patterns: patterns.customerCart,
 *     title: 'Cart',
 *     frame: 'event',
 *     load: async () => (await import('../customer/cart/cart-screen.tsx')).CartScreen,
 *     read: readCustomer,
 *   })
 *
 * `exempt` for the order confirmation, which the entry guard lets pass.
 */
export const errandRoutes: readonly Route[] = []
