import type { Address, CheckoutDetails } from '#contract/customer/checkout-calls.ts'
import type { Cart } from '#domain/cart/cart.ts'
import { sumCents } from '#domain/pricing/money.ts'

/** The address an order is mailed to: the shipping or the billing address; null if it goes to the studio. */
export const shippingAddressOf = (details: CheckoutDetails): Address | null => {
  if (details.isPartOfBatchOrder) return null
  return details.shippingAddressSameAsBillingAddress ? details.billingAddress : details.shippingAddress
}

/** The address that determines the tax: where it is mailed, else the billing address. */
export const taxAddressOf = (details: CheckoutDetails): Address => shippingAddressOf(details) ?? details.billingAddress

/** How many packages a cart contains. */
export const packageCount = (cart: Pick<Cart, 'cartPackages'>): number =>
  sumCents(cart.cartPackages.map((line) => line.quantity))
