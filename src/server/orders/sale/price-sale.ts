import { goodsOfCart, lineCents } from '#domain/cart/add-ons.ts'
import { addTax, type DiscountedOrder, discountOrder, type TaxCents, type Totals } from '#domain/pricing/pricing.ts'
import { hasPrints } from '#domain/pricing/shipping.ts'
import type { Deps } from '#server/deps.ts'
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

/** The tax of a sale; zero without an address. */
const taxOf = async (deps: Deps, sale: Sale, discounted: DiscountedOrder): Promise<TaxCents> => {
  const details = sale.checkout?.details
  if (!details) return { goodsCents: 0, shippingCents: 0 }
  const { state, zip } = taxAddressOf(details)
  if (state.trim() === '') return { goodsCents: 0, shippingCents: 0 }
  const goods = taxedGoods(sale, discounted)
  const { studioId, checkout } = sale
  const context = { studioId, checkoutId: checkout?.id ?? null }
  return await deps.tax.quote({
    ...context,
    state,
    zip,
    goods,
    shippingCents: discounted.shippingCents,
    at: deps.clock(),
  })
}

/**
 * Prices a cart from the server's own prices. May call a tax service: never call it inside a
 * transaction.
 */
export const priceSale = async (deps: Deps, sale: Sale): Promise<Totals> => {
  const discounted = discountOrder({
    ...goodsOfCart(sale.cart),
    promotions: grantedPromotions(deps, sale),
    shippingCents: shippingCentsOf(sale),
    latePrice: sale.latePrice,
  })
  return addTax(discounted, await taxOf(deps, sale, discounted))
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
