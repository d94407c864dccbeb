import type { CheckoutDetails } from '../../contract/checkout.ts'
import type { Cart } from '../../domain/cart.ts'
import { shippingFor } from '../../domain/changed-order.ts'
import { offeredShipping } from '../../domain/shipping.ts'
import { mailedTo, packagesIn } from '../order-store/delivery.ts'
import type { Shipping, Situation } from './situation.ts'

/** What an option costs for a cart. */
export const shippingCents = (option: Shipping, cart: Cart): number => shippingFor(option, packagesIn(cart))

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
