import { StateBadge } from '#client/staff/kit/screen/state-badge.tsx'
import type { Payout } from '#contract/studio/payments/payouts.ts'
import { payoutStateLabels, payoutStateTones } from './payout-labels.ts'

/** A payout's state as a badge. */
export const PayoutStateBadge = ({ state }: Pick<Payout, 'state'>) => (
  <StateBadge tone={payoutStateTones[state]}>{payoutStateLabels[state]}</StateBadge>
)
