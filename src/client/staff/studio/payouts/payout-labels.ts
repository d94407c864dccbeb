import type { BadgeTone } from '#client/staff/kit/screen/state-badge.tsx'
import type { PaymentDifference, Payout, PayoutTransaction } from '#contract/studio/payments/payouts.ts'

export const payoutStateLabels: Record<Payout['state'], string> = {
  pending: 'On its way',
  paid: 'Paid',
  failed: 'Returned by the bank',
}

export const payoutStateTones: Record<Payout['state'], BadgeTone> = {
  pending: 'quiet',
  paid: 'success',
  failed: 'attention',
}

export const transactionLabels: Record<PayoutTransaction['kind'], string> = {
  charge: 'Payment',
  refund: 'Refund',
  fee: 'Fee',
  'platform-fee': 'Platform fee',
  dispute: 'Dispute',
  payout: 'Returned payout',
  other: 'Other',
}

/** What the provider has more than we; negative if it has less. */
export const differenceCents = ({ ourCents, providerCents }: PaymentDifference): number => providerCents - ourCents

/** Each reason of a difference in the words of an owner. */
export const reasonLabels: Record<PaymentDifference['reason'], string> = {
  unknownCharge: 'Paid at the provider, without an order here',
  unknownRefund: 'Refunded at the provider, not here',
  amountDiffers: 'The amounts differ',
  missingAtProvider: 'Not at the provider after three days',
  otherEntry: 'Not from an order',
  payoutDiffers: 'The payout differs from what it pays out',
}
