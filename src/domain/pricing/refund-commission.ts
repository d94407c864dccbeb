import { type Cents, splitCents } from './money.ts'

/** A charge and its commission, and the amounts of both that were refunded before. */
export type RefundedCharge = {
  amountCents: Cents
  commissionCents: Cents
  refundedCents: Cents
  refundedCommissionCents: Cents
}

/**
 * The commission to refund with a part of a charge: the commission of everything refunded so far, this part included,
 * minus what was refunded before. So the commissions of a fully refunded charge add up exactly, however small the parts
 * were.
 */
export const refundedCommission = (
  { amountCents, commissionCents, refundedCents, refundedCommissionCents }: RefundedCharge,
  partCents: Cents,
): Cents => {
  const totalRefundedCents = refundedCents + partCents
  const [totalCommissionCents = 0] = splitCents(commissionCents, [totalRefundedCents, amountCents - totalRefundedCents])
  return Math.max(0, totalCommissionCents - refundedCommissionCents)
}
