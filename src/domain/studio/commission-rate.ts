import { type Cents, formatMoney } from '../pricing/money.ts'
import { oneOf, type Rules, when } from '../shared/validators.ts'
import { amount, calendarDay, formatPercent, percentage } from './rates.ts'

/** What an organization gets of its orders: a percentage of the sale, or an amount for each order or package. */
export const commissionKinds = ['percent', 'order', 'package'] as const
export type CommissionKind = (typeof commissionKinds)[number]

/** The share of an organization, or of one of its jobs, in the orders placed from a day on (`2027-04-15`). */
export type CommissionRateDraft = {
  /** Null for all jobs of the organization that have no rate of their own. */
  jobId: number | null
  kind: CommissionKind
  /** Hundredths of a per cent. */
  basisPoints: number | null
  amountCents: Cents | null
  startsOn: string
}

export const commissionMessages = {
  past: 'Orders of past days may be paid already. Enter today or a later day',
  taken: 'Another rate begins on this day',
  begun: 'This rate has begun. Add another one that replaces it',
  nothingOwed: 'Nothing is owed through this day',
  future: 'Enter today or an earlier day',
} as const

/** The rules of a draft, for the form and the server. Which days are allowed only the server knows. */
export const commissionRateRules: Rules<CommissionRateDraft> = {
  kind: oneOf(commissionKinds),
  basisPoints: when(({ kind }) => kind === 'percent', percentage()),
  amountCents: when(({ kind }) => kind !== 'percent', amount()),
  startsOn: calendarDay(),
}

/** A rate as staff and organizations read it: `12.5% of each sale`. */
export const describeRate = ({
  kind,
  basisPoints,
  amountCents,
}: Pick<CommissionRateDraft, 'kind' | 'basisPoints' | 'amountCents'>): string =>
  kind === 'percent'
    ? `${formatPercent(basisPoints ?? 0)} of each sale`
    : `${formatMoney(amountCents ?? 0)} for each ${kind}`
