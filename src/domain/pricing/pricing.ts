import { type Cents, millionthsOfCents, splitCents, sumCents } from './money.ts'
import { discountOf, type PromotionValue } from './promotion.ts'

/** Packages and services; all amounts in whole cents, none negative. */
export type Goods = {
  /** The price of each line times its quantity. */
  lines: readonly { lineId: string; cents: Cents }[]
  servicesCents: Cents
}

/** The ids of the lines that a promotion applies to, and to no services; null: to all packages and services. */
export type DiscountedLines = ReadonlySet<string> | null

/** Input for pricing an order. */
export type OrderToPrice = Goods & {
  promotion: PromotionValue | null
  /** Missing: all packages and services. */
  discountedLines?: DiscountedLines
  shippingCents: Cents
}

/** Goods are packages and services after their discount. */
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
  shippingCents: Cents
  taxCents: Cents
  /** Packages + services − discount + shipping + tax. */
  totalCents: Cents
  perLine: PricedLine[]
  services: PricedPart
  shipping: PricedPart
}

/** An order before tax: the input for a tax service or a table of rates. */
export type DiscountedOrder = OrderToPrice & {
  discountCents: Cents
  /** The discount of each line, in order, and last that of the services. */
  discounts: readonly Cents[]
  taxable: TaxCents
}

/** The amount of each line, in order, and last that of the services, as far as a promotion applies to them. */
const discountableAmounts = ({ lines, servicesCents }: Goods, discountedLines: DiscountedLines): Cents[] => {
  if (discountedLines === null) return [...lines.map(({ cents }) => cents), servicesCents]
  return [...lines.map(({ lineId, cents }) => (discountedLines.has(lineId) ? cents : 0)), 0]
}

/** The sum of the goods that a promotion applies to. */
export const discountableCents = (goods: Goods, discountedLines: DiscountedLines): Cents =>
  sumCents(discountableAmounts(goods, discountedLines))

/** Applies the promotion to packages and services, never to shipping, and splits the discount over them to the cent. */
export const discountOrder = (order: OrderToPrice): DiscountedOrder => {
  const goodsCents = discountableCents(order, null)
  const discountable = discountableAmounts(order, order.discountedLines ?? null)
  const discountCents = discountOf(order.promotion, sumCents(discountable))
  return {
    ...order,
    discountCents,
    discounts: splitCents(discountCents, discountable),
    taxable: { goodsCents: goodsCents - discountCents, shippingCents: order.shippingCents },
  }
}

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
 * Adds the tax to a discounted order and splits it, so that lines, services and shipping add up to the totals exactly.
 */
export const addTax = (order: DiscountedOrder, tax: TaxCents): Totals => {
  const goods = [...order.lines.map((line) => line.cents), order.servicesCents]
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
    shippingCents: order.shippingCents,
    taxCents,
    totalCents: packagesCents + order.servicesCents - order.discountCents + order.shippingCents + taxCents,
    perLine: order.lines.map((line, index) => ({ lineId: line.lineId, ...partOf(line.cents, index) })),
    services: partOf(order.servicesCents, order.lines.length),
    shipping: pricedPart(order.shippingCents, 0, tax.shippingCents),
  }
}

/** Prices an order with tax from rates, for the review. */
export const priceOrder = (order: OrderToPrice & { taxRates: TaxRates }): Totals => {
  const discounted = discountOrder(order)
  return addTax(discounted, taxByRates(discounted, order.taxRates))
}
