import { formatDate } from '../shared/dates.ts'
import { type Rules, when } from '../shared/validators.ts'
import { amount, formatPercent, percentage } from '../studio/rates.ts'
import { type Cents, formatMoney, millionthsOfCents } from './money.ts'

/**
 * What a job adds to orders after its last day to order, so that it can go on selling: hundredths of a per cent of the goods after their
 * discount, or an amount for each order.
 */
export type LatePrice = { kind: 'percent'; basisPoints: number } | { kind: 'amount'; amountCents: Cents }

/** The late price of an order in whole cents. Goods that cost nothing have none. */
export const lateFeeOf = (latePrice: LatePrice | null, goodsCents: Cents): Cents => {
  if (latePrice === null || goodsCents <= 0) return 0
  return latePrice.kind === 'amount'
    ? latePrice.amountCents
    : millionthsOfCents(goodsCents, latePrice.basisPoints * 100)
}

/** What parents read about a late price before and after the last day to order (`2027-04-15`). */
export const latePriceNote = (
  latePrice: LatePrice,
  { orderBy, isLate }: { orderBy: string; isLate: boolean },
): string => {
  const extra = latePrice.kind === 'amount' ? formatMoney(latePrice.amountCents) : formatPercent(latePrice.basisPoints)
  if (isLate) return `Late price: ${extra} is added to your order at checkout`
  return `Prices go up ${extra}${latePrice.kind === 'amount' ? ' an order' : ''} after ${formatDate(orderBy)}`
}

/** A late price while staff edit it, with the last day to order. At most one of the two values is set. */
export type LatePriceDraft = { orderBy: string | null; lateBasisPoints: number | null; lateCents: number | null }

export const latePriceMessages = {
  noDay: 'Choose the last day to order at the usual prices',
  both: 'Choose a percentage or an amount, not both',
} as const

/** The rules of a late price, for the form and the server. */
export const latePriceRules: Rules<LatePriceDraft> = {
  orderBy: (_, { orderBy, lateBasisPoints, lateCents }) =>
    orderBy === null && (lateBasisPoints !== null || lateCents !== null) ? latePriceMessages.noDay : null,
  lateBasisPoints: when(({ lateBasisPoints }) => lateBasisPoints !== null, percentage()),
  lateCents: [
    when(({ lateCents }) => lateCents !== null, amount()),
    (_, { lateBasisPoints, lateCents }) =>
      lateBasisPoints !== null && lateCents !== null ? latePriceMessages.both : null,
  ],
}
