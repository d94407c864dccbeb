import type { Route } from './route.tsx'

/**
 * The errand's screens: packages, cart, checkout, orders. One entry a screen, for example
 *
 *   route({
 *     name: 'customer-cart',
 *     patterns: patterns.customerCart,
 *     title: 'Cart',
 *     frame: 'cart',
 *     load: async () => (await import('../customer/cart/cart-screen.tsx')).CartScreen,
 *     read: readCustomer,
 *   })
 *
 * Frames: `event` for packages, `cart` for cart and checkout, `exempt` for the order confirmation.
 */
export const errandRoutes: readonly Route[] = []
