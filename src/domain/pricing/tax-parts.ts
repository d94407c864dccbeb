import { type Cents, splitCents, sumCents } from './money.ts'
import type { Totals } from './pricing.ts'

/** What of an amount is goods and shipping, and what is the tax on them, at one rate in millionths. */
export type TaxPart = { readonly rate: number; readonly goodsCents: Cents; readonly taxCents: Cents }

export const sumTaxParts = (parts: readonly TaxPart[]): Cents =>
  sumCents(parts.map(({ goodsCents, taxCents }) => goodsCents + taxCents))

/** Adds up parts of the same rate, and leaves out those of nothing. The highest rate is first. */
const mergeTaxParts = (parts: readonly TaxPart[]): TaxPart[] =>
  [...new Set(parts.map(({ rate }) => rate))]
    .sort((a, b) => b - a)
    .map((rate) => {
      const sameRate = parts.filter((part) => part.rate === rate)
      const goodsCents = sumCents(sameRate.map((part) => part.goodsCents))
      return { rate, goodsCents, taxCents: sumCents(sameRate.map((part) => part.taxCents)) }
    })
    .filter(({ goodsCents, taxCents }) => goodsCents !== 0 || taxCents !== 0)

/** The parts of an order; they add up to its total. */
export const taxPartsOf = ({ perLine, services, lateFee, shipping }: Totals): TaxPart[] =>
  mergeTaxParts(
    [...perLine, services, lateFee, shipping].map(({ cents, discountCents, taxCents, taxRate }) => ({
      rate: taxRate,
      goodsCents: cents - discountCents,
      taxCents,
    })),
  )

/** What the first parts have more than the second; negative for what they have less. */
export const subtractTaxParts = (parts: readonly TaxPart[], others: readonly TaxPart[]): TaxPart[] =>
  mergeTaxParts([
    ...parts,
    ...others.map(({ rate, goodsCents, taxCents }) => ({ rate, goodsCents: -goodsCents, taxCents: -taxCents })),
  ])

/**
 * The parts of an amount that is paid for these: the parts themselves if they add up to it, otherwise in proportion, to the cent.
 * Negative ones get nothing. Throws if there is an amount and no part to take it.
 */
export const shareTaxParts = (cents: Cents, parts: readonly TaxPart[]): TaxPart[] => {
  if (cents === sumTaxParts(parts)) return mergeTaxParts(parts)
  const shares = splitCents(
    cents,
    parts.flatMap(({ goodsCents, taxCents }) => [Math.max(0, goodsCents), Math.max(0, taxCents)]),
  )
  return mergeTaxParts(
    parts.map(({ rate }, index) => ({
      ...{ rate, goodsCents: shares[2 * index] ?? 0, taxCents: shares[2 * index + 1] ?? 0 },
    })),
  )
}

/** Limits each part to the part of the same rate in `limit`. */
const limitTaxParts = (parts: readonly TaxPart[], limit: readonly TaxPart[]): TaxPart[] =>
  mergeTaxParts(parts).map(({ rate, goodsCents, taxCents }) => {
    const most = limit.find((part) => part.rate === rate)
    const atMost = (cents: Cents, limitCents: Cents = 0) => Math.max(0, Math.min(cents, limitCents))
    return { rate, goodsCents: atMost(goodsCents, most?.goodsCents), taxCents: atMost(taxCents, most?.taxCents) }
  })

const isWithin = (parts: readonly TaxPart[], limit: readonly TaxPart[]): boolean =>
  subtractTaxParts(limit, parts).every(({ goodsCents, taxCents }) => goodsCents >= 0 && taxCents >= 0)

/**
 * The parts of a refund: what was taken off the order, and a share of the rest if the refund is more than that. Never more of a part than is
 * still paid.
 */
export const refundTaxParts = (
  cents: Cents,
  { paid, takenOff }: { paid: readonly TaxPart[]; takenOff: readonly TaxPart[] },
): TaxPart[] => {
  if (cents === sumTaxParts(paid)) return mergeTaxParts(paid)
  // Part of it may be negative: the tax of what stays can change by a cent.
  if (cents === sumTaxParts(takenOff) && isWithin(takenOff, paid)) return mergeTaxParts(takenOff)
  const limited = limitTaxParts(takenOff, paid)
  const restCents = cents - sumTaxParts(limited)
  if (restCents <= 0) return shareTaxParts(cents, limited)
  const rest = shareTaxParts(restCents, subtractTaxParts(paid, limited))
  return mergeTaxParts([...limited, ...rest])
}
