import { type Cents, splitCents, timesCents } from '../pricing/money.ts'
import { discountOf, type PromotionValue } from '../pricing/promotion.ts'

/** The current terms of a promotion; an order stores only its discount. */
export type PromotionTerms = PromotionValue & { minimumCents: Cents }

/** `goodsCents`: packages and services before the discount. */
export type SoldDiscount = { goodsCents: Cents; discountCents: Cents; promotion: PromotionTerms | null }

/**
 * The discount of an order after its goods changed, in whole cents: the promotion applied to the new goods, 0 if they
 * are below its minimum. Dates and usage limits do not matter: the code was used in time. If the promotion's terms
 * changed since the sale, or it was deleted, the discount shrinks in proportion to the goods and never grows. An order
 * without a discount does not get one.
 */
export const adjustDiscount = (
  { goodsCents: soldGoodsCents, discountCents, promotion }: SoldDiscount,
  goods: Cents,
): Cents => {
  if (discountCents === 0) return 0
  if (promotion === null || discountOf(promotion, soldGoodsCents) !== discountCents) {
    const [share = 0] = splitCents(discountCents, [goods, Math.max(0, soldGoodsCents - goods)])
    return share
  }
  return goods < promotion.minimumCents ? 0 : discountOf(promotion, goods)
}

/** Price of a shipping option: for the first package, and for each additional one. */
export type ShippingRates = { priceCents: Cents; eachMoreCents: Cents }

export const shippingPriceFor = ({ priceCents, eachMoreCents }: ShippingRates, packages: number): Cents =>
  priceCents + timesCents(eachMoreCents, Math.max(0, packages - 1))

/** `rates`: the current ones; null if the option was deleted. */
export type SoldShipping = { shippingCents: Cents; packages: number; rates: ShippingRates | null }

/**
 * The shipping price of an order after its number of packages changed, in whole cents. If the option's rates changed
 * since the sale, the paid price stays. Orders of files only are not shipped.
 */
export const adjustShipping = (
  { shippingCents, packages: soldPackages, rates }: SoldShipping,
  next: { packages: number; hasPrints: boolean },
): Cents => {
  if (!next.hasPrints) return 0
  if (rates === null || shippingPriceFor(rates, soldPackages) !== shippingCents) return shippingCents
  return shippingPriceFor(rates, next.packages)
}
