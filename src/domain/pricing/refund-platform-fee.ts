import { type Cents, splitCents } from './money.ts'

/** A charge and its platform fee, and the amounts of both that were refunded before. */
export type RefundedCharge = {
  amountCents: Cents
  platformFeeCents: Cents
  refundedCents: Cents
  refundedPlatformFeeCents: Cents
}

/**
 * The platform fee to refund with a part of a charge: the fee of everything refunded so far, this part included,
 * minus what was refunded before. So the fees of a fully refunded charge add up exactly, however small the parts
 * were.
 */
export const refundedPlatformFee = (
  { amountCents, platformFeeCents, refundedCents, refundedPlatformFeeCents }: RefundedCharge,
  partCents: Cents,
): Cents => {
  const totalRefundedCents = refundedCents + partCents
  const [totalPlatformFeeCents = 0] = splitCents(platformFeeCents, [
    totalRefundedCents,
    amountCents - totalRefundedCents,
  ])
  return Math.max(0, totalPlatformFeeCents - refundedPlatformFeeCents)
}
