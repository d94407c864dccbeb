import type { CheckoutDetails } from '#contract/customer/checkout-calls.ts'
import type { Address } from '#contract/shapes/order-structs.ts'
import type { Cart } from '#domain/cart/cart.ts'
import { shippingPriceFor } from '#domain/orders/order-adjustment.ts'
import { sumCents } from '#domain/pricing/money.ts'
import { hasPrints, offeredShipping } from '#domain/pricing/shipping.ts'
import { validationMessages } from '#domain/shared/validators.ts'
import type { Sale, SaleTerms, ShippingRate } from './sale-terms.ts'

/** The address an order is mailed to: the shipping or the billing address; null if the order goes to the studio. */
export const shippingAddressOf = (details: CheckoutDetails): Address | null => {
  if (details.isPartOfBatchOrder) return null
  return details.shippingAddressSameAsBillingAddress ? details.billingAddress : details.shippingAddress
}

/** The address that determines the tax: the address of the delivery, else the billing address. */
export const taxAddressOf = (details: CheckoutDetails): Address => shippingAddressOf(details) ?? details.billingAddress

/** How many packages a cart contains. */
export const packageCount = (cart: Pick<Cart, 'cartPackages'>): number =>
  sumCents(cart.cartPackages.map((line) => line.quantity))

/** The shipping price of a cart by an option. */
export const shippingCents = (option: ShippingRate, cart: Cart): number => shippingPriceFor(option, packageCount(cart))

/** The options for home delivery. */
export const homeShipping = ({ shipping, delivery }: Pick<SaleTerms, 'shipping' | 'delivery'>): ShippingRate[] =>
  delivery.home ? shipping.filter((option) => option.shipsTo === 'home') : []

/**
 * The selected option (section 9). For a batch order it is the option that ships to the studio; otherwise the chosen option, or undefined
 * if that is not offered for the address.
 */
export const chosenShipping = (sale: SaleTerms, details: CheckoutDetails): ShippingRate | undefined => {
  const address = shippingAddressOf(details)
  if (address === null) return sale.shipping.find((option) => option.shipsTo === 'studio')
  return offeredShipping(homeShipping(sale), address).find((option) => option.code === details.shippingOption.code)
}

/** Errors of the delivery by field. Digital files need no delivery. */
export const deliveryErrors = (sale: Sale, details: CheckoutDetails): Record<string, string[]> => {
  const { delivery, cart } = sale
  if (!hasPrints(cart)) return {}
  if (details.isPartOfBatchOrder) {
    return delivery.batch ? {} : { isPartOfBatchOrder: ['Orders of this event are mailed home'] }
  }
  if (!delivery.home) return { isPartOfBatchOrder: ['Orders of this event go to the studio'] }
  if (details.shippingOption.code.trim() === '') return { 'shippingOption.code': [validationMessages.required] }
  if (chosenShipping(sale, details)) return {}
  return { 'shippingOption.code': ['This shipping option is not offered for this address'] }
}
