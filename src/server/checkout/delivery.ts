import type { Address, CheckoutDetails } from '../../contract/checkout.ts'
import type { Cart } from '../../domain/cart.ts'
import { isDigital } from '../../domain/catalogue.ts'
import { sumCents, timesCents } from '../../domain/money.ts'
import { offeredShipping } from '../../domain/shipping.ts'
import type { Shipping, Situation } from './situation.ts'

/** Where an order is mailed: home, by the address given for that or the billing one; null where it goes to the studio. */
export const mailedTo = (details: CheckoutDetails): Address | null => {
  if (details.isPartOfBatchOrder) return null
  return details.shippingAddressSameAsBillingAddress ? details.billingAddress : details.shippingAddress
}

/** The place whose taxes apply: where it is mailed, else where the customer is billed. */
export const taxedAt = (details: CheckoutDetails): Address => mailedTo(details) ?? details.billingAddress

/** Whether anything of a cart is printed, and so has to be sent. */
export const isMailed = (cart: Cart): boolean =>
  cart.cartPackages.some((line) => line.cartPackageItems.some((item) => !isDigital(item.productCode)))

const packagesIn = (cart: Cart): number => sumCents(cart.cartPackages.map((line) => line.quantity))

/** What an option costs for a cart. */
export const shippingCents = ({ priceCents, eachMoreCents }: Shipping, cart: Cart): number =>
  priceCents + timesCents(eachMoreCents, Math.max(0, packagesIn(cart) - 1))

/** The options to a home. */
export const homeShipping = ({ shipping, delivery }: Situation): Shipping[] =>
  delivery.home ? shipping.filter((option) => option.shipsTo === 'home') : []

/**
 * The option in force (section 9): the studio's own for a batch order; else the chosen one, if it is offered for the address.
 * Undefined where none is.
 */
export const chosenShipping = (situation: Situation, details: CheckoutDetails): Shipping | undefined => {
  const address = mailedTo(details)
  if (address === null) return situation.shipping.find((option) => option.shipsTo === 'studio')
  return offeredShipping(homeShipping(situation), address).find((option) => option.code === details.shippingOption.code)
}
