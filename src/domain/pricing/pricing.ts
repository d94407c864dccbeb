import {
  bestDiscount,
  discountableCents,
  type Goods,
  type GoodsDiscount,
  type GrantedPromotion,
  type PromotionShare,
} from './discounts.ts'
import { type LatePrice, lateFeeOf } from './late-price.ts'
import { type Cents, millionthsOfCents, splitCents, sumCents } from './money.ts'

/** Input for pricing an order. */
export type OrderToPrice = Goods & {
  /** The promotions that the order qualifies for; the best for the customer applies. */
  promotions: readonly GrantedPromotion[]
  shippingCents: Cents
  /** What is added because the order is late; missing or null: it is in time. */
  latePrice?: LatePrice | null
}

/** Goods are packages and services after their discount, with the late price. */
export type TaxCents = { goodsCents: Cents; shippingCents: Cents }
/** Millionths: 82,500 is 8.25 %. */
export type TaxRates = { goodsMillionths: number; shippingMillionths: number }

/** A share of an order; `totalCents` = cents − discount + tax. */
export type PricedPart = { cents: Cents; discountCents: Cents; taxCents: Cents; totalCents: Cents }
export type PricedLine = PricedPart & { lineId: string }

export type Totals = {
  packagesCents: Cents
  servicesCents: Cents
  discountCents: Cents
  lateFeeCents: Cents
  shippingCents: Cents
  taxCents: Cents
  /** Packages + services − discount + late price + shipping + tax. */
  totalCents: Cents
  /** The promotions of the discount, which add up to it, in the order in which they were applied. */
  promotions: readonly PromotionShare[]
  perLine: PricedLine[]
  services: PricedPart
  lateFee: PricedPart
  shipping: PricedPart
  /** The terms of the late price, by which a changed order is priced; null if it was in time. */
  latePrice: LatePrice | null
}

type GoodsToShip = Goods & Pick<OrderToPrice, 'shippingCents' | 'latePrice'>

/** An order before tax: the input for a tax service or a table of rates. */
export type DiscountedOrder = GoodsToShip &
  GoodsDiscount & {
    discountCents: Cents
    lateFeeCents: Cents
    taxable: TaxCents
  }

/** Applies a discount to packages and services, never to shipping, and then adds the late price. */
export const withDiscount = (order: GoodsToShip, { discounts, promotions }: GoodsDiscount): DiscountedOrder => {
  const { lines, servicesCents, shippingCents, latePrice = null } = order
  const discountCents = sumCents(discounts)
  const goodsCents = discountableCents(order, null) - discountCents
  const lateFeeCents = lateFeeOf(latePrice, goodsCents)
  return {
    ...{ lines, servicesCents, shippingCents, latePrice, discounts, promotions, discountCents, lateFeeCents },
    taxable: { goodsCents: goodsCents + lateFeeCents, shippingCents },
  }
}

/** Applies the best of the promotions, split over packages and services to the cent. */
export const discountOrder = (order: OrderToPrice): DiscountedOrder =>
  withDiscount(order, bestDiscount(order, order.promotions))

/** Tax from rates, rounded once for the goods and once for the shipping. */
export const taxByRates = ({ taxable }: DiscountedOrder, rates: TaxRates): TaxCents => ({
  goodsCents: millionthsOfCents(taxable.goodsCents, rates.goodsMillionths),
  shippingCents: millionthsOfCents(taxable.shippingCents, rates.shippingMillionths),
})

const pricedPart = (cents: Cents, discountCents: Cents, taxCents: Cents): PricedPart => ({
  cents,
  discountCents,
  taxCents,
  totalCents: cents - discountCents + taxCents,
})

/**
 * Adds the tax to a discounted order and splits it, so that lines, services, late price and shipping add up to the totals exactly.
 */
export const addTax = (order: DiscountedOrder, tax: TaxCents): Totals => {
  const { lateFeeCents } = order
  const goods = [...order.lines.map((line) => line.cents), order.servicesCents, lateFeeCents]
  const discountOn = (index: number): Cents => order.discounts[index] ?? 0
  const taxes = splitCents(
    tax.goodsCents,
    goods.map((cents, index) => cents - discountOn(index)),
  )
  const partOf = (cents: Cents, index: number): PricedPart => pricedPart(cents, discountOn(index), taxes[index] ?? 0)
  const packagesCents = sumCents(order.lines.map((line) => line.cents))
  const taxCents = tax.goodsCents + tax.shippingCents
  return {
    packagesCents,
    servicesCents: order.servicesCents,
    discountCents: order.discountCents,
    lateFeeCents,
    shippingCents: order.shippingCents,
    taxCents,
    totalCents:
      packagesCents + order.servicesCents - order.discountCents + lateFeeCents + order.shippingCents + taxCents,
    promotions: order.promotions,
    perLine: order.lines.map((line, index) => ({ lineId: line.lineId, ...partOf(line.cents, index) })),
    services: partOf(order.servicesCents, order.lines.length),
    lateFee: partOf(lateFeeCents, order.lines.length + 1),
    shipping: pricedPart(order.shippingCents, 0, tax.shippingCents),
    latePrice: order.latePrice ?? null,
  }
}

/** Prices an order with tax from rates, for the review. */
export const priceOrder = (order: OrderToPrice & { taxRates: TaxRates }): Totals => {
  const discounted = discountOrder(order)
  return addTax(discounted, taxByRates(discounted, order.taxRates))
}
