import { type Cents, splitCents, sumCents } from './money.ts'
import { discountOf, type PromotionValue } from './promotion.ts'

/** Packages and services; all amounts in whole cents, none negative. */
export type Goods = {
  /** The price of each line times its quantity. */
  lines: readonly { lineId: string; cents: Cents }[]
  servicesCents: Cents
}

/** The ids of the lines that a promotion applies to, and to no services; null: to all packages and services. */
export type DiscountedLines = ReadonlySet<string> | null

/** A promotion that a cart qualifies for. */
export type GrantedPromotion = {
  id: number
  /** The code that the customer typed, or the name under which an automatic promotion is shown. */
  code: string
  value: PromotionValue
  isAutomatic: boolean
  /** Whether it combines with other stackable promotions. */
  isStackable: boolean
  discountedLines: DiscountedLines
}

/** What one promotion takes off an order. */
export type PromotionShare = { id: number; code: string; discountCents: Cents }

/** The discount of an order: of each line, in order, and last of the services; and the part of each promotion in it. */
export type GoodsDiscount = { discounts: readonly Cents[]; promotions: readonly PromotionShare[] }

const goodsAmounts = ({ lines, servicesCents }: Goods): Cents[] => [...lines.map(({ cents }) => cents), servicesCents]

/** Those of the amounts of `goods` that a promotion applies to; 0 for the others. */
const amountsOf = (
  { lines }: Pick<Goods, 'lines'>,
  amounts: readonly Cents[],
  discountedLines: DiscountedLines,
): Cents[] => {
  if (discountedLines === null) return [...amounts]
  return amounts.map((cents, index) => (discountedLines.has(lines[index]?.lineId ?? '') ? cents : 0))
}

/** The sum of the goods that a promotion applies to. */
export const discountableCents = (goods: Goods, discountedLines: DiscountedLines): Cents =>
  sumCents(amountsOf(goods, goodsAmounts(goods), discountedLines))

/** Splits a discount in proportion over the goods that have it, to the cent. */
export const splitDiscount = (goods: Goods, discountCents: Cents, discountedLines: DiscountedLines): Cents[] =>
  splitCents(discountCents, amountsOf(goods, goodsAmounts(goods), discountedLines))

type PromotionOfStack = Pick<GrantedPromotion, 'id' | 'code' | 'value' | 'discountedLines'>

const stackPosition = ({ value, discountedLines }: PromotionOfStack): number =>
  (value.kind === 'percent' ? 0 : 2) + (discountedLines === null ? 1 : 0)

/**
 * The discount of promotions that are combined. Percentages are taken off first, because customers then save most; then
 * amounts. Of each, those for chosen packages come before those for the whole order, and older promotions before newer
 * ones. Each applies to what those before it have left, so that no price becomes negative.
 */
export const stackDiscounts = (goods: Goods, promotions: readonly PromotionOfStack[]): GoodsDiscount => {
  const ordered = [...promotions].sort((a, b) => stackPosition(a) - stackPosition(b) || a.id - b.id)
  let remaining: readonly Cents[] = goodsAmounts(goods)
  const shares: PromotionShare[] = []
  for (const { id, code, value, discountedLines } of ordered) {
    const amounts = amountsOf(goods, remaining, discountedLines)
    const discountCents = discountOf(value, sumCents(amounts))
    const parts = splitCents(discountCents, amounts)
    remaining = remaining.map((cents, index) => cents - (parts[index] ?? 0))
    if (discountCents > 0) shares.push({ id, code, discountCents })
  }
  const discounts = goodsAmounts(goods).map((cents, index) => cents - (remaining[index] ?? 0))
  return { discounts, promotions: shares }
}

/**
 * The largest discount that a customer can get: one promotion alone, or all stackable ones together. Of equal ones, the
 * code that the customer typed, then the older promotion, then fewer promotions.
 */
export const bestDiscount = (goods: Goods, promotions: readonly GrantedPromotion[]): GoodsDiscount => {
  const byPreference = [...promotions].sort(
    (a, b) => Number(a.isAutomatic) - Number(b.isAutomatic) || a.id - b.id || (a.code < b.code ? -1 : 1),
  )
  const choices = [...byPreference.map((promotion) => [promotion]), byPreference.filter((each) => each.isStackable)]
  return choices
    .map((choice) => stackDiscounts(goods, choice))
    .reduce((best, next) => (sumCents(next.discounts) > sumCents(best.discounts) ? next : best), {
      discounts: goodsAmounts(goods).map(() => 0),
      promotions: [],
    })
}

/** The codes of the promotions of an order as customers and reports see them, such as `SPRING + SAVE10`; null for none. */
export const promotionCodesLabel = (promotions: readonly PromotionShare[]): string | null =>
  promotions.length === 0 ? null : promotions.map(({ code }) => code).join(' + ')
