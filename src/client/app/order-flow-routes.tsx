import { lazy } from 'react'
import { defineRoute, type Route } from '#platform/define-route.tsx'
import { patterns } from '#platform/urls.ts'
import {
  readCartPackage,
  readCustomer,
  readLink,
  readOrder,
  readPackageDetails,
  readSelectPackage,
} from './route-params.ts'

const PendingAddition = lazy(async () => ({
  default: (await import('../customer/checkout/order-increase/order-increase-in-progress.tsx')).OrderIncreaseInProgress,
}))

/**
 * The screens of the order flow: packages, cart, checkout, orders. Frames: `event` for packages, `cart` for cart and
 * checkout, `exempt` for the order confirmation.
 */
export const orderFlowRoutes: readonly Route[] = [
  defineRoute({
    name: 'customer-select-package',
    patterns: patterns.customerSelectPackage,
    title: 'Choose a package',
    frame: 'event',
    load: async () => (await import('../customer/packages/selection/select-package-screen.tsx')).SelectPackageScreen,
    read: readSelectPackage,
  }),
  defineRoute({
    name: 'customer-package-details',
    patterns: patterns.customerPackageDetails,
    title: 'Make it yours',
    frame: 'event',
    load: async () => (await import('../customer/packages/customiser/package-options-screen.tsx')).PackageOptionsScreen,
    read: readPackageDetails,
  }),
  defineRoute({
    name: 'customer-edit-cart-package',
    patterns: patterns.customerEditCartPackage,
    title: 'Change a package',
    frame: 'event',
    load: async () =>
      (await import('../customer/packages/customiser/edit-cart-package-screen.tsx')).EditCartPackageScreen,
    read: readCartPackage,
  }),
  defineRoute({
    name: 'customer-cart',
    patterns: patterns.customerCart,
    title: 'Cart',
    frame: 'cart',
    load: async () => (await import('./cart-with-add-ons-screen.tsx')).CartWithAddOnsScreen,
    read: readCustomer,
  }),
  defineRoute({
    name: 'customer-cart-order_services',
    patterns: patterns.customerCartOrderServices,
    title: 'Services',
    frame: 'cart',
    load: async () => (await import('../customer/cart/order-services/order-services-screen.tsx')).OrderServicesScreen,
    read: readCustomer,
  }),
  defineRoute({
    name: 'customer-confirm-cart',
    patterns: patterns.customerConfirmCart,
    title: 'Send the cart',
    frame: 'cart',
    load: async () => (await import('../customer/cart/confirm-cart-screen.tsx')).ConfirmCartScreen,
    read: readCustomer,
  }),
  defineRoute({
    name: 'customer-hand-over',
    patterns: patterns.customerHandOver,
    title: 'Continue on another device',
    frame: 'cart',
    load: async () => (await import('../customer/transfer/hand-over-screen.tsx')).HandOverScreen,
    read: readCustomer,
  }),
  // No job layout: its requests would open a session for this device.
  defineRoute({
    name: 'customer-continue',
    patterns: patterns.customerContinue,
    title: 'Continue on this device',
    load: async () => (await import('../customer/transfer/accept-hand-over-screen.tsx')).AcceptHandOverScreen,
    read: readCustomer,
  }),
  defineRoute({
    name: 'checkout',
    patterns: patterns.checkout,
    title: 'Checkout',
    frame: 'cart',
    load: async () => (await import('../customer/checkout/checkout-screen.tsx')).CheckoutScreen,
    read: readCustomer,
  }),
  defineRoute({
    name: 'checkout-order-review',
    patterns: patterns.checkoutOrderReview,
    title: 'Review your order',
    frame: 'cart',
    load: async () => (await import('../customer/checkout/review/review-screen.tsx')).ReviewScreen,
    read: readCustomer,
  }),
  // The link works on any device, so it needs no job and no session.
  defineRoute({
    name: 'customer-download',
    patterns: patterns.customerDownload,
    title: 'Download',
    load: async () => (await import('../customer/downloads/download-screen.tsx')).DownloadScreen,
    read: readLink,
  }),
  defineRoute({
    name: 'unsubscribe',
    patterns: patterns.unsubscribe,
    title: 'Unsubscribe',
    load: async () => (await import('../customer/reminders/unsubscribe-screen.tsx')).UnsubscribeScreen,
    read: readLink,
  }),
  defineRoute({
    name: 'shared-images',
    patterns: patterns.shared,
    title: 'Photos',
    load: async () => (await import('../customer/sharing/shared-images-screen.tsx')).SharedImagesScreen,
    read: readLink,
  }),
  defineRoute({
    name: 'order-images',
    patterns: patterns.orderImages,
    title: 'Texts and photos',
    frame: 'exempt',
    load: async () => (await import('../customer/packages/image-choice/image-choice-screen.tsx')).ImageChoiceScreen,
    read: readOrder,
  }),
  defineRoute({
    name: 'order-more',
    patterns: patterns.orderMore,
    title: 'Add to your order',
    frame: 'exempt',
    load: async () =>
      (await import('../customer/checkout/order-increase/order-increase-screen.tsx')).OrderIncreaseScreen,
    read: readOrder,
  }),
  defineRoute({
    name: 'checkout-order-confirmation',
    patterns: patterns.checkoutOrderConfirmation,
    title: 'Your order',
    frame: 'exempt',
    load: async () => (await import('../customer/orders/confirmation-screen.tsx')).ConfirmationScreen,
    read: (input) => ({ ...readOrder(input), PendingAddition }),
  }),
]
