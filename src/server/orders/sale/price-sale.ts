import { goodsOfCart, lineCents } from '#domain/cart/add-ons.ts'
import { addTax, type DiscountedOrder, discountOrder, noTax, type Totals } from '#domain/pricing/pricing.ts'
import { hasPrints } from '#domain/pricing/shipping.ts'
import type { Deps } from '#server/deps.ts'
import type { TaxRequest } from '#server/ports/tax.ts'
import { grantedPromotions } from './checkout-promotion.ts'
import type { Sale } from './sale-terms.ts'
import { chosenShipping, shippingCents, taxAddressOf } from './shipping-choice.ts'

/** The maximum total of an order in cents: the providers' limit for one charge, far below the limit of the database columns. */
export const maxOrderCents = 99_999_999

export const orderTooLargeMessage = 'An order can come to $999,999.99 at most. Please order it in parts'

const shippingCentsOf = (sale: Sale): number => {
  const { cart, checkout } = sale
  const option = checkout?.details && chosenShipping(sale, checkout.details)
  return option && hasPrints(cart) ? shippingCents(option, cart) : 0
}

/** The tax class of each line, and its amount after its part of the discount. */
const taxedGoods = ({ cart, onOffer }: Sale, discounted: DiscountedOrder) => {
  const discountOf = (index: number): number => discounted.discounts[index] ?? 0
  const lines = cart.cartPackages.map((line, index) => ({
    taxClass: onOffer.get(line.packageId)?.taxClass ?? 'standard',
    cents: lineCents(line) - discountOf(index),
  }))
  return [
    ...lines,
    { taxClass: 'standard', cents: discounted.servicesCents - discountOf(lines.length) },
    { taxClass: 'standard', cents: discounted.lateFeeCents },
  ]
}

const discountedSale = (deps: Deps, sale: Sale): DiscountedOrder =>
  discountOrder({
    ...goodsOfCart(sale.cart),
    promotions: grantedPromotions(deps, sale),
    shippingCents: shippingCentsOf(sale),
    latePrice: sale.latePrice,
  })

const requestFor = ({ clock }: Deps, sale: Sale, discounted: DiscountedOrder): TaxRequest | undefined => {
  const { studioId, checkout } = sale
  if (!checkout?.details) return undefined
  const { state, zip } = taxAddressOf(checkout.details)
  if (state.trim() === '') return undefined
  const { shippingCents: shipping } = discounted
  const context = { studioId, checkoutId: checkout.id, state, zip, at: clock() }
  return { ...context, goods: taxedGoods(sale, discounted), shippingCents: shipping }
}

/** The request for the tax of a sale; undefined without an address. */
export const taxRequestOfSale = (deps: Deps, sale: Sale): TaxRequest | undefined =>
  requestFor(deps, sale, discountedSale(deps, sale))

/**
 * Prices a cart from the server's own prices. May call a tax service: never call it inside a
 * transaction.
 */
export const priceSale = async (deps: Deps, sale: Sale): Promise<Totals> => {
  const discounted = discountedSale(deps, sale)
  const request = requestFor(deps, sale, discounted)
  return addTax(discounted, request ? await deps.tax.quote(request) : noTax)
}

type OrderSums = Pick<
  Totals,
  'packagesCents' | 'servicesCents' | 'discountCents' | 'lateFeeCents' | 'shippingCents' | 'taxCents' | 'totalCents'
>

/** The sums of an order, without its parts. */
export const sumsOf = (totals: OrderSums): OrderSums => {
  const { packagesCents, servicesCents, discountCents, lateFeeCents, shippingCents, taxCents, totalCents } = totals
  return { packagesCents, servicesCents, discountCents, lateFeeCents, shippingCents, taxCents, totalCents }
}
