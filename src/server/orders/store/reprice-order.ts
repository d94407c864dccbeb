import { goodsOfCart, lineCents } from '#domain/cart/add-ons.ts'
import type { Cart } from '#domain/cart/cart.ts'
import { adjustDiscount, adjustShipping } from '#domain/orders/order-adjustment.ts'
import { discountableCents } from '#domain/pricing/discounts.ts'
import type { Cents } from '#domain/pricing/money.ts'
import {
  addTax,
  type CalculatedTax,
  type DiscountedOrder,
  noTax,
  type Totals,
  withDiscount,
} from '#domain/pricing/pricing.ts'
import { hasPrints } from '#domain/pricing/shipping.ts'
import type { Deps } from '#server/deps.ts'
import type { TaxRequest } from '#server/ports/tax.ts'
import { packageCount, taxAddressOf } from '../sale/shipping-choice.ts'
import type { OrderKey } from './sold-lines.ts'
import type { SoldOrder } from './sold-order.ts'

/** The key of an order, the order as sold, and the cart that it will have. */
export type RepriceInput = { readonly key: OrderKey; readonly sold: SoldOrder; readonly cart: Cart }

/** Limits the new tax by the sold one: it never rises for a smaller order and never falls for a larger one, even if rates have changed. */
const clampTax = (quotedCents: Cents, soldCents: Cents, isLarger: boolean): Cents =>
  isLarger ? Math.max(quotedCents, soldCents) : Math.min(quotedCents, soldCents)

const requestFor = ({ key, sold, cart }: RepriceInput, discounted: DiscountedOrder): TaxRequest | undefined => {
  const address = sold.details ? taxAddressOf(sold.details) : (sold.shippingAddress ?? sold.billingAddress)
  if (!address || address.state.trim() === '') return undefined
  const discountOf = (index: number): number => discounted.discounts[index] ?? 0
  const packages = cart.cartPackages.map((line, index) => ({
    taxClass: sold.taxClasses?.[line.packageId] ?? 'standard',
    cents: lineCents(line) - discountOf(index),
  }))
  const services = { taxClass: 'standard', cents: discounted.servicesCents - discountOf(packages.length) }
  return {
    studioId: key.studioId,
    checkoutId: sold.checkoutId,
    state: address.state,
    zip: address.zip,
    goods: [...packages, services, { taxClass: 'standard', cents: discounted.lateFeeCents }],
    shippingCents: discounted.shippingCents,
    at: sold.placedAt,
  }
}

const quoteTax = async (deps: Deps, input: RepriceInput, discounted: DiscountedOrder): Promise<CalculatedTax> => {
  const { sold, cart } = input
  const { taxCents, totals } = sold
  const shippingTaxCents = totals.shipping.taxCents
  const request = taxCents === 0 ? undefined : requestFor(input, discounted)
  if (!request) return noTax
  const quoted = await deps.tax.quote(request)
  const isLarger = packageCount(cart) > packageCount(sold.cart)
  return {
    ...quoted,
    goodsCents: clampTax(quoted.goodsCents, taxCents - shippingTaxCents, isLarger),
    shippingCents: clampTax(quoted.shippingCents, shippingTaxCents, isLarger),
  }
}

const discountedOrder = ({ sold, cart }: RepriceInput): DiscountedOrder => {
  const goods = goodsOfCart(cart)
  const { packagesCents, servicesCents: soldServices, discountCents, promotions } = sold
  const { shippingCents, rates } = sold
  const { latePrice } = sold.totals
  const soldGoods = goodsOfCart(sold.cart)
  if (discountableCents(soldGoods, null) !== packagesCents + soldServices)
    throw new Error(`the lines of order ${sold.orderNumber} do not add up to its total`)
  const discountedLines = sold.discountedLineIds && new Set(sold.discountedLineIds)
  const adjusted = adjustDiscount({ goods: soldGoods, discountCents, discountedLines, promotions }, goods)
  const soldShipping = { shippingCents, packages: packageCount(sold.cart), rates }
  const next = { packages: packageCount(cart), hasPrints: hasPrints(cart) }
  return withDiscount({ ...goods, latePrice, shippingCents: adjustShipping(soldShipping, next) }, adjusted)
}

/** The request for the tax of an order as it is, at the rates of the day of the order; undefined without an address. */
export const taxRequestOfOrder = (key: OrderKey, sold: SoldOrder): TaxRequest | undefined => {
  const input = { key, sold, cart: sold.cart }
  return requestFor(input, discountedOrder(input))
}

/**
 * Prices an order with other quantities as it would have been sold: packages and services at their sold prices, discount and shipping by
 * `domain/orders/order-adjustment`, tax at the rates of the day of the order. May call a tax service: never call it inside a transaction.
 */
export const repriceOrder = async (deps: Deps, input: RepriceInput): Promise<Totals> => {
  const discounted = discountedOrder(input)
  return addTax(discounted, await quoteTax(deps, input, discounted))
}
