import { type Cents, splitCents, timesCents } from './money.ts'
import { discountOf, type PromotionValue } from './promotion.ts'

/** The terms of a promotion as they stand now; an order remembers only what was taken off. */
export type PromotionTerms = PromotionValue & { minimumCents: Cents }

/** `goodsCents`: packages and services, before the discount. */
export type SoldDiscount = { goodsCents: Cents; discountCents: Cents; promotion: PromotionTerms | null }

/**
 * The discount of an order that becomes smaller, in whole cents: what its promotion takes off the goods that are left, and nothing
 * where these do not reach its minimum. Dates and numbers of uses are no matter: it was used in time. Where the promotion has other
 * terms by now than it was sold with, or is gone, the discount shrinks in proportion to the goods.
 */
export const discountLeft = ({ goodsCents: sold, discountCents, promotion }: SoldDiscount, left: Cents): Cents => {
  if (discountCents === 0) return 0
  if (promotion === null || discountOf(promotion, sold) !== discountCents) {
    const [part = 0] = splitCents(discountCents, [left, sold - left])
    return part
  }
  return left < promotion.minimumCents ? 0 : discountOf(promotion, left)
}

/** What an option costs: the first package, and each one more. */
export type ShippingRates = { priceCents: Cents; eachMoreCents: Cents }

export const shippingFor = ({ priceCents, eachMoreCents }: ShippingRates, packages: number): Cents =>
  priceCents + timesCents(eachMoreCents, Math.max(0, packages - 1))

/** `rates`: as they stand now; null where the option is gone. */
export type SoldShipping = { shippingCents: Cents; packages: number; rates: ShippingRates | null }

/**
 * What shipping costs of an order that becomes smaller, in whole cents: as its option would have cost for fewer packages. Where the
 * option costs something else by now than it was sold for, it stays what was paid. Files alone are not shipped.
 */
export const shippingLeft = (
  { shippingCents, packages: sold, rates }: SoldShipping,
  left: { packages: number; isMailed: boolean },
): Cents => {
  if (!left.isMailed) return 0
  if (rates === null || shippingFor(rates, sold) !== shippingCents) return shippingCents
  return shippingFor(rates, left.packages)
}
