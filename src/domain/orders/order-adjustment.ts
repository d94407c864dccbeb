import { type Cents, splitCents, timesCents } from '../pricing/money.ts'
import { discountOf, type PromotionValue } from '../pricing/promotion.ts'

/** The terms of a promotion as they stand now; an order remembers only what was taken off. */
export type PromotionTerms = PromotionValue & { minimumCents: Cents }

/** `goodsCents`: packages and services, before the discount. */
export type SoldDiscount = { goodsCents: Cents; discountCents: Cents; promotion: PromotionTerms | null }

/**
 * The discount of an order whose goods become others, in whole cents: what its promotion takes off these, and nothing where they do not
 * reach its minimum. Dates and numbers of uses are no matter: it was used in time. Where the promotion has other terms by now than it
 * was sold with, or is gone, the discount shrinks in proportion to the goods, and does not grow with them. A discount that was not
 * given is not given now.
 */
export const adjustDiscount = ({ goodsCents: sold, discountCents, promotion }: SoldDiscount, goods: Cents): Cents => {
  if (discountCents === 0) return 0
  if (promotion === null || discountOf(promotion, sold) !== discountCents) {
    const [part = 0] = splitCents(discountCents, [goods, Math.max(0, sold - goods)])
    return part
  }
  return goods < promotion.minimumCents ? 0 : discountOf(promotion, goods)
}

/** What an option costs: the first package, and each one more. */
export type ShippingRates = { priceCents: Cents; eachMoreCents: Cents }

export const shippingPriceFor = ({ priceCents, eachMoreCents }: ShippingRates, packages: number): Cents =>
  priceCents + timesCents(eachMoreCents, Math.max(0, packages - 1))

/** `rates`: as they stand now; null where the option is gone. */
export type SoldShipping = { shippingCents: Cents; packages: number; rates: ShippingRates | null }

/**
 * What shipping costs of an order with another number of packages, in whole cents: as its option would have cost for these. Where the
 * option costs something else by now than it was sold for, it stays what was paid. Files alone are not shipped.
 */
export const adjustShipping = (
  { shippingCents, packages: sold, rates }: SoldShipping,
  anew: { packages: number; isMailed: boolean },
): Cents => {
  if (!anew.isMailed) return 0
  if (rates === null || shippingPriceFor(rates, sold) !== shippingCents) return shippingCents
  return shippingPriceFor(rates, anew.packages)
}
