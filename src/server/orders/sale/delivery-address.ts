import type { Address, CheckoutDetails } from '#contract/customer/checkout-calls.ts'
import type { Cart } from '#domain/cart/cart.ts'
import { sumCents } from '#domain/pricing/money.ts'

/** Where an order is mailed: home, by the address given for that or the billing one; null where it goes to the studio. */
export const shippingAddressOf = (details: CheckoutDetails): Address | null => {
  if (details.isPartOfBatchOrder) return null
  return details.shippingAddressSameAsBillingAddress ? details.billingAddress : details.shippingAddress
}

/** The place whose taxes apply: where it is mailed, else where the customer is billed. */
export const taxAddressOf = (details: CheckoutDetails): Address => shippingAddressOf(details) ?? details.billingAddress

/** How many packages a cart holds. */
export const packageCount = (cart: Pick<Cart, 'cartPackages'>): number =>
  sumCents(cart.cartPackages.map((line) => line.quantity))
