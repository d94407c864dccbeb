import type { Checkout, ShippingOption } from '#contract/customer/checkout-calls.ts'
import type { Cart } from '#domain/cart/cart.ts'
import { batchShippingLabel, hasPrints, isMilitary, offeredShipping } from '#domain/pricing/shipping.ts'
import { type CheckoutFormValues, mailingAddress } from './checkout-form-values.ts'

export type CheckoutDelivery = {
  /** How the order comes, given what the job offers. */
  delivery: 'home' | 'batch'
  /** Both ways are open: the customer chooses. */
  choosable: boolean
  /** What may be chosen for the address. */
  options: ShippingOption[]
  /** The option in force: the chosen one, or the first where that is not offered. Empty while none is known, and for a batch. */
  shippingCode: string
  /** What that option is called; undefined where there is none. */
  shippingName: string | undefined
  /** Why there is less to choose from: a military address takes `priority` only. */
  military: boolean
}

/** What a form's delivery comes to with what the server offers (sections 3 and 9). */
export const checkoutDelivery = (form: CheckoutFormValues, checkout: Checkout | undefined): CheckoutDelivery => {
  const offers = checkout?.delivery
  const batch = offers ? offers.batch && (form.delivery === 'batch' || !offers.home) : form.delivery === 'batch'
  const address = mailingAddress(form)
  const options = offeredShipping(checkout?.shippingOptions ?? [], address)
  const chosen = options.find(({ code }) => code === form.shippingCode) ?? options[0]
  return {
    delivery: batch ? 'batch' : 'home',
    choosable: offers?.batch === true && offers.home,
    options,
    shippingCode: batch ? '' : (chosen?.code ?? (checkout ? '' : form.shippingCode)),
    shippingName: batch ? batchShippingLabel : chosen?.name,
    military: isMilitary(address),
  }
}

/** The same for what is in a cart: files are not shipped, however prints would be. */
export const deliveryForCart = (
  cart: Pick<Cart, 'cartPackages'> | undefined,
  delivery: CheckoutDelivery,
): CheckoutDelivery => (cart && !hasPrints(cart) ? { ...delivery, shippingName: undefined } : delivery)
