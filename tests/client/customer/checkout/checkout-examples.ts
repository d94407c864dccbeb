import { type CheckoutFormValues, emptyCheckoutForm } from '#client/customer/checkout/form/checkout-form-values.ts'
import type { CheckoutState } from '#client/customer/checkout/use-checkout.ts'
import type { JobContextValue } from '#client/customer/shared/job/job-context.tsx'
import type { CartTotals, Checkout } from '#contract/customer/checkout-calls.ts'
import { emptyCart } from '#domain/cart/cart.ts'
import { createCartView } from '#local/store/cart-view.ts'
import { lineOf, packageOf } from '#tests/domain/cart/cart-fixtures.ts'

export const address = {
  name: '',
  address1: '12 Analytical Way',
  address2: '',
  city: 'Lincoln',
  state: 'NE',
  zip: '68501',
}

export const filledForm: CheckoutFormValues = {
  ...emptyCheckoutForm,
  customer: { name: 'Annabella Byron', email: 'annabella@example.com', phone: '402-555-0142' },
  billingAddress: address,
}

export const checkout: Checkout = {
  checkoutId: '00000000-0000-4000-8000-000000000001',
  details: null,
  shippingOptions: [
    { code: 'standard', name: 'Standard mail', priceCents: 495 },
    { code: 'priority', name: 'Priority mail', priceCents: 995 },
  ],
  delivery: { batch: true, home: true },
  arrivals: { batch: null, home: null },
  payment: { provider: 'test', publishableKey: null, account: null },
  orderNumber: null,
}

export const totals: CartTotals = {
  packagesCents: 2500,
  servicesCents: 0,
  discountCents: 0,
  lateFeeCents: 0,
  shippingCents: 495,
  taxCents: 150,
  totalCents: 3145,
  cartVersion: 3,
}

/** The fields of a job that the checkout reads. */
export const jobContext = {
  studioSlug: 'riverside',
  jobId: 1,
  orderMethod: 'gallery',
  closedReason: null,
  studio: { name: 'Riverside Portraits' },
  job: { version: { major: 3, minor: 0 }, acceptsCards: true, checkoutContact: null },
} as JobContextValue // the checkout reads no other field

export const cart = createCartView({
  cart: { ...emptyCart(1, 'gallery'), id: 5, version: 3, cartPackages: [lineOf(packageOf({ name: 'Deluxe' }))] },
  rows: [],
  numbers: [{ n: 1, lineId: 'line-1', jobId: 1 }],
  sending: null,
})

/** A valid checkout with the given overrides. */
export const checkoutStateWith = (
  form: CheckoutFormValues,
  overrides: Partial<CheckoutState> = {},
): CheckoutState & { cart: typeof cart } => ({
  cart,
  draft: { form, change: () => {}, flush: async () => {} },
  delivery: {
    delivery: 'home',
    choosable: true,
    options: checkout.shippingOptions,
    shippingCode: 'standard',
    shippingName: 'Standard Shipping',
    arrival: undefined,
    military: false,
  },
  pricing: { checkout, totals, lastTotals: totals, problem: undefined, refetch: () => {} },
  displayedTotals: totals,
  isTaxKnown: true,
  blocker: null,
  ...overrides,
})
