import {
  bestDiscount,
  discountableCents,
  type Goods,
  type GoodsDiscount,
  type GrantedPromotion,
  type PromotionShare,
} from './discounts.ts'
import { type LatePrice, lateFeeOf } from './late-price.ts'
import { type Cents, millionthsOfCents, splitCents, sumCents, timesCents } from './money.ts'

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
/** Tax as calculated, with the rates in millionths: of each package in order, of the services and of the late price; and of the shipping. */
export type CalculatedTax = TaxCents & { goodsRates: readonly number[]; shippingRate: number }

export const noTax: CalculatedTax = { goodsCents: 0, shippingCents: 0, goodsRates: [], shippingRate: 0 }

/** A share of an order; `totalCents` = cents − discount + tax. `taxRate`: in millionths. */
export type PricedPart = {
  cents: Cents
  discountCents: Cents
  taxCents: Cents
  totalCents: Cents
  taxRate: number
}
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
export const taxByRates = (
  { lines, taxable }: DiscountedOrder,
  { goodsMillionths, shippingMillionths }: TaxRates,
): CalculatedTax => ({
  goodsCents: millionthsOfCents(taxable.goodsCents, goodsMillionths),
  shippingCents: millionthsOfCents(taxable.shippingCents, shippingMillionths),
  goodsRates: Array.from({ length: lines.length + 2 }, () => goodsMillionths),
  shippingRate: shippingMillionths,
})

const pricedPart = (part: Omit<PricedPart, 'totalCents'>): PricedPart => ({
  ...part,
  totalCents: part.cents - part.discountCents + part.taxCents,
})

/** Splits the tax on goods by what each costs at its rate. If the rates do not explain the tax, by what each costs. */
const splitGoodsTax = ({ goodsCents, goodsRates }: CalculatedTax, amounts: readonly Cents[]): Cents[] => {
  const products = amounts.map((cents, index) => timesCents(cents, goodsRates[index] ?? 0))
  return splitCents(goodsCents, products.some((product) => product > 0) ? products : amounts)
}

/**
 * Adds the tax to a discounted order and splits it, so that lines, services, late price and shipping add up to the totals exactly.
 */
export const addTax = (order: DiscountedOrder, tax: CalculatedTax): Totals => {
  const { lateFeeCents, shippingCents } = order
  const goods = [...order.lines.map((line) => line.cents), order.servicesCents, lateFeeCents]
  const discountOn = (index: number): Cents => order.discounts[index] ?? 0
  const taxes = splitGoodsTax(
    tax,
    goods.map((cents, index) => cents - discountOn(index)),
  )
  const partOf = (cents: Cents, index: number): PricedPart =>
    pricedPart({
      ...{ cents, discountCents: discountOn(index) },
      ...{ taxCents: taxes[index] ?? 0, taxRate: tax.goodsRates[index] ?? 0 },
    })
  const packagesCents = sumCents(order.lines.map((line) => line.cents))
  const taxCents = tax.goodsCents + tax.shippingCents
  return {
    packagesCents,
    servicesCents: order.servicesCents,
    discountCents: order.discountCents,
    lateFeeCents,
    shippingCents,
    taxCents,
    totalCents: packagesCents + order.servicesCents - order.discountCents + lateFeeCents + shippingCents + taxCents,
    promotions: order.promotions,
    perLine: order.lines.map((line, index) => ({ lineId: line.lineId, ...partOf(line.cents, index) })),
    services: partOf(order.servicesCents, order.lines.length),
    lateFee: partOf(lateFeeCents, order.lines.length + 1),
    shipping: pricedPart({
      ...{ cents: shippingCents, discountCents: 0 },
      ...{ taxCents: tax.shippingCents, taxRate: tax.shippingRate },
    }),
    latePrice: order.latePrice ?? null,
  }
}

/** Prices an order with tax from rates, for the review. */
export const priceOrder = (order: OrderToPrice & { taxRates: TaxRates }): Totals => {
  const discounted = discountOrder(order)
  return addTax(discounted, taxByRates(discounted, order.taxRates))
}
