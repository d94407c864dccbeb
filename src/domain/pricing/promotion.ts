import { type Cents, millionthsOfCents } from './money.ts'

/** The discount of a promotion: hundredths of a per cent, or an amount. */
export type PromotionValue = { kind: 'percent'; basisPoints: number } | { kind: 'amount'; amountCents: Cents }

/** A studio's coupon code, for all its jobs (`jobId` null) or one. Instants are ISO 8601 UTC; null means unlimited. */
export type Promotion = PromotionValue & {
  code: string
  jobId: number | null
  /** Applied to every cart that qualifies; there is no code to type. */
  isAutomatic: boolean
  /** Combines with other stackable promotions; otherwise it applies alone. */
  isStackable: boolean
  isEnabled: boolean
  startsAt: string | null
  /** The first instant at which the promotion is no longer valid. */
  endsAt: string | null
  /** Of packages and services before the discount. */
  minimumCents: Cents
  /** The packages that it applies to, and to no services; null: to the whole order. */
  packageIds: readonly number[] | null
  maximumUses: number | null
  maximumUsesPerCustomer: number | null
}

export type PromotionContext = {
  now: string
  jobId: number
  /** Packages and services, before any discount. */
  goodsCents: Cents
  /** The packages in the cart. */
  packageIds: readonly number[]
  uses: number
  usesByCustomer: number
  /** Whether another checkout uses the code, which is valid once; false for a code without this limit. */
  isCodeUsed: boolean
}

export type PromotionError =
  | 'unknown'
  | 'not-enabled'
  | 'other-job'
  | 'not-yet'
  | 'over'
  | 'used-up'
  | 'used-by-customer'
  | 'other-packages'
  | 'below-minimum'
  | 'not-best'

/**
 * The message for each error. Errors that would reveal something about the studio's codes read like an unknown code.
 */
export const promotionErrorMessages: Readonly<Record<PromotionError, string>> = {
  unknown: 'We don’t know this code',
  'not-enabled': 'We don’t know this code',
  'other-job': 'We don’t know this code',
  'not-yet': 'This code is not valid yet',
  over: 'This code is no longer valid',
  'used-up': 'This code has been used up',
  'used-by-customer': 'You’ve already used this code',
  'other-packages': 'This code is for packages that are not in your cart',
  'below-minimum': 'Your order is below the minimum for this code',
  'not-best': 'You already get a better discount, which cannot be combined with this code',
}

/** Normalises a typed code: upper case, without spaces. */
export const normalisePromotionCode = (typed: string): string => typed.replace(/\s/g, '').toUpperCase()

/** Why a promotion cannot be used, the most informative reason first; null if it can. */
export const checkPromotion = (promotion: Promotion | null, context: PromotionContext): PromotionError | null => {
  if (promotion === null) return 'unknown'
  const now = Date.parse(context.now)
  if (!promotion.isEnabled) return 'not-enabled'
  if (promotion.jobId !== null && promotion.jobId !== context.jobId) return 'other-job'
  if (promotion.startsAt !== null && now < Date.parse(promotion.startsAt)) return 'not-yet'
  if (promotion.endsAt !== null && now >= Date.parse(promotion.endsAt)) return 'over'
  if (context.isCodeUsed || context.uses >= (promotion.maximumUses ?? Number.POSITIVE_INFINITY)) return 'used-up'
  if (context.usesByCustomer >= (promotion.maximumUsesPerCustomer ?? Number.POSITIVE_INFINITY))
    return 'used-by-customer'
  if (promotion.packageIds?.some((id) => context.packageIds.includes(id)) === false) return 'other-packages'
  return context.goodsCents < promotion.minimumCents ? 'below-minimum' : null
}

/** The discount of a promotion on goods, in whole cents: at least 0, at most the price of the goods. */
export const discountOf = (value: PromotionValue | null, goodsCents: Cents): Cents => {
  if (value === null) return 0
  const discount = value.kind === 'amount' ? value.amountCents : millionthsOfCents(goodsCents, value.basisPoints * 100)
  return Math.max(0, Math.min(discount, goodsCents))
}

type LineOfPackage = { lineId: string; packageId: number }

/** The ids of the lines that a promotion applies to, and to no services; null: to all packages and services. */
export const linesOfPromotion = (
  { packageIds }: Pick<Promotion, 'packageIds'>,
  lines: readonly LineOfPackage[],
): ReadonlySet<string> | null =>
  packageIds && new Set(lines.flatMap(({ lineId, packageId }) => (packageIds.includes(packageId) ? [lineId] : [])))
