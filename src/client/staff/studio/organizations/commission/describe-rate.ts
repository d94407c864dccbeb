import { formatPercent } from '#client/staff/kit/form/hundredths.ts'
import type { CommissionRate } from '#contract/studio/payments/commissions.ts'
import { formatMoney } from '#domain/pricing/money.ts'
import type { CommissionKind } from '#domain/studio/commission-rate.ts'

export const commissionKindOptions: readonly { value: CommissionKind; label: string }[] = [
  { value: 'percent', label: 'A percentage of each sale' },
  { value: 'order', label: 'An amount for each order' },
  { value: 'package', label: 'An amount for each package' },
]

/** A rate as staff read it: `12.5 % of each sale`. */
export const describeRate = ({
  kind,
  basisPoints,
  amountCents,
}: Pick<CommissionRate, 'kind' | 'basisPoints' | 'amountCents'>): string =>
  kind === 'percent'
    ? `${formatPercent(basisPoints ?? 0)} of each sale`
    : `${formatMoney(amountCents ?? 0)} for each ${kind}`
