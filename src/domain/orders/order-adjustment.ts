import {
  type DiscountedLines,
  discountableCents,
  type Goods,
  type GoodsDiscount,
  type PromotionShare,
  splitDiscount,
  stackDiscounts,
} from '../pricing/discounts.ts'
import { type Cents, splitCents, sumCents, timesCents } from '../pricing/money.ts'
import { linesOfPromotion, type Promotion, type PromotionValue } from '../pricing/promotion.ts'

/** The current terms of a promotion; an order stores only its discount. */
export type PromotionTerms = PromotionValue & Pick<Promotion, 'minimumCents' | 'packageIds'>

type OrderGoods = Goods & { lines: readonly { lineId: string; packageId: number; cents: Cents }[] }

/** A promotion as sold, with its current terms; null if it was deleted. */
export type SoldPromotion = PromotionShare & { terms: PromotionTerms | null }

/** `goods` and the discount as sold. */
export type SoldDiscount = {
  goods: OrderGoods
  discountCents: Cents
  discountedLines: DiscountedLines
  promotions: readonly SoldPromotion[]
}

/** The promotions by their current terms; undefined if one was deleted. */
const currentPromotions = (promotions: readonly SoldPromotion[]) => {
  const current = promotions.flatMap(({ terms, ...share }) => (terms ? [{ ...share, terms }] : []))
  return current.length === promotions.length ? current : undefined
}

type CurrentPromotions = NonNullable<ReturnType<typeof currentPromotions>>

const stackTerms = (goods: OrderGoods, promotions: CurrentPromotions): GoodsDiscount =>
  stackDiscounts(
    goods,
    promotions.map(({ id, code, terms }) => ({
      ...{ id, code, value: terms },
      discountedLines: linesOfPromotion(terms, goods.lines),
    })),
  )

/** Whether promotions, by their current terms, still give each the discount that it gave when the order was sold. */
const areTermsUnchanged = ({ goods, discountCents }: SoldDiscount, promotions: CurrentPromotions): boolean => {
  const { discounts, promotions: shares } = stackTerms(goods, promotions)
  const shareOf = (soldId: number) => shares.find(({ id }) => id === soldId)?.discountCents
  return (
    sumCents(discounts) === discountCents &&
    promotions.every((promotion) => shareOf(promotion.id) === promotion.discountCents)
  )
}

/** A discount that shrinks with the goods that have it, and with it the part of each promotion. */
const shrinkDiscount = (sold: SoldDiscount, goods: OrderGoods): GoodsDiscount => {
  const { discountCents, discountedLines, promotions } = sold
  const cents = discountableCents(goods, discountedLines)
  const removedCents = Math.max(0, discountableCents(sold.goods, discountedLines) - cents)
  const [remainingCents = 0] = splitCents(discountCents, [cents, removedCents])
  const shares =
    promotions.length === 0
      ? []
      : splitCents(
          remainingCents,
          promotions.map((promotion) => promotion.discountCents),
        )
  return {
    discounts: splitDiscount(goods, remainingCents, discountedLines),
    promotions: promotions.flatMap(({ id, code }, index) => {
      const share = shares[index] ?? 0
      return share > 0 ? [{ id, code, discountCents: share }] : []
    }),
  }
}

/**
 * The discount of an order after its goods changed, in whole cents: its promotions applied to the new goods, without
 * those whose minimum is no longer reached. Dates and usage limits do not matter: they were used in time. If the terms of
 * a promotion changed since the sale, or it was deleted, the discount shrinks in proportion to the goods that had it and
 * never grows. An order without a discount does not get one.
 */
export const adjustDiscount = (sold: SoldDiscount, goods: OrderGoods): GoodsDiscount => {
  if (sold.discountCents === 0) return stackDiscounts(goods, [])
  const promotions = currentPromotions(sold.promotions)
  if (!promotions || !areTermsUnchanged(sold, promotions)) return shrinkDiscount(sold, goods)
  const goodsCents = discountableCents(goods, null)
  return stackTerms(
    goods,
    promotions.filter(({ terms }) => goodsCents >= terms.minimumCents),
  )
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
