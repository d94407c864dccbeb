import { type Cents, splitCents, timesCents } from '../pricing/money.ts'
import { type DiscountedLines, discountableCents, type Goods } from '../pricing/pricing.ts'
import { discountOf, linesOfPromotion, type Promotion, type PromotionValue } from '../pricing/promotion.ts'

/** The current terms of a promotion; an order stores only its discount. */
export type PromotionTerms = PromotionValue & Pick<Promotion, 'minimumCents' | 'packageIds'>

type OrderGoods = Goods & { lines: readonly { lineId: string; packageId: number; cents: Cents }[] }

/** A discount, and what it applies to. */
export type AdjustedDiscount = { discountCents: Cents; discountedLines: DiscountedLines }

/** `goods` and the discount as sold. */
export type SoldDiscount = AdjustedDiscount & { goods: OrderGoods; promotion: PromotionTerms | null }

/**
 * The discount of an order after its goods changed, in whole cents: the promotion applied to the new goods, 0 if they
 * are below its minimum. Dates and usage limits do not matter: the code was used in time. If the promotion's terms
 * changed since the sale, or it was deleted, the discount shrinks in proportion to the goods that had it and never
 * grows. An order without a discount does not get one.
 */
export const adjustDiscount = (
  { goods: soldGoods, discountCents, discountedLines, promotion }: SoldDiscount,
  goods: OrderGoods,
): AdjustedDiscount => {
  if (discountCents === 0) return { discountCents: 0, discountedLines }
  const currentLines = promotion && linesOfPromotion(promotion, soldGoods.lines)
  if (promotion === null || discountOf(promotion, discountableCents(soldGoods, currentLines)) !== discountCents) {
    const cents = discountableCents(goods, discountedLines)
    const removedCents = Math.max(0, discountableCents(soldGoods, discountedLines) - cents)
    const [share = 0] = splitCents(discountCents, [cents, removedCents])
    return { discountCents: share, discountedLines }
  }
  const isBelowMinimum = discountableCents(goods, null) < promotion.minimumCents
  return {
    discountCents: isBelowMinimum ? 0 : discountOf(promotion, discountableCents(goods, currentLines)),
    discountedLines: currentLines,
  }
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
