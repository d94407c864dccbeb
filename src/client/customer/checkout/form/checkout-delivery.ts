import type { Checkout, ShippingOption } from '#contract/customer/checkout-calls.ts'
import type { Cart } from '#domain/cart/cart.ts'
import { batchShippingLabel, hasPrints, isMilitary, offeredShipping } from '#domain/pricing/shipping.ts'
import { type CheckoutFormValues, mailingAddress } from './checkout-form-values.ts'

export type CheckoutDelivery = {
  /** How the order is delivered, given what the job offers. */
  delivery: 'home' | 'batch'
  /** Both delivery methods are offered: the customer chooses. */
  choosable: boolean
  /** The shipping options for the address. */
  options: ShippingOption[]
  /**
   * The effective option: the chosen one, or the first if that is not offered. Empty if unknown, and for batch
   * delivery.
   */
  shippingCode: string
  /** The name of the effective option; undefined if there is none. */
  shippingName: string | undefined
  /** When the order arrives by this delivery; undefined if the studio does not say so. */
  arrival: string | undefined
  /** A military address, which allows `priority` only. */
  military: boolean
}

/** The delivery that results from the form and the server's options (sections 3 and 9). */
export const checkoutDelivery = (form: CheckoutFormValues, checkout: Checkout | undefined): CheckoutDelivery => {
  const offers = checkout?.delivery
  const isBatch = offers ? offers.batch && (form.delivery === 'batch' || !offers.home) : form.delivery === 'batch'
  const address = mailingAddress(form)
  const options = offeredShipping(checkout?.shippingOptions ?? [], address)
  const chosenOption = options.find(({ code }) => code === form.shippingCode) ?? options[0]
  return {
    delivery: isBatch ? 'batch' : 'home',
    choosable: offers?.batch === true && offers.home,
    options,
    shippingCode: isBatch ? '' : (chosenOption?.code ?? (checkout ? '' : form.shippingCode)),
    shippingName: isBatch ? batchShippingLabel : chosenOption?.name,
    arrival: (isBatch ? checkout?.arrivals.batch : checkout?.arrivals.home) ?? undefined,
    military: isMilitary(address),
  }
}

/** The delivery of this cart: without a shipping name if it has only downloads, which are never shipped. */
export const deliveryForCart = (
  cart: Pick<Cart, 'cartPackages'> | undefined,
  delivery: CheckoutDelivery,
): CheckoutDelivery =>
  cart && !hasPrints(cart) ? { ...delivery, shippingName: undefined, arrival: undefined } : delivery
