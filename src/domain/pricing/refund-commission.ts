import { type Cents, splitCents } from './money.ts'

/** A charge and its commission, and the amounts of both that were refunded before. */
export type RefundedCharge = {
  amountCents: Cents
  commissionCents: Cents
  givenCents: Cents
  givenCommissionCents: Cents
}

/**
 * The commission to refund with a part of a charge: the commission of everything refunded so far, minus what was
 * refunded before. So the commissions of a fully refunded charge add up exactly, however small the parts were.
 */
export const refundedCommission = (
  { amountCents, commissionCents, givenCents, givenCommissionCents }: RefundedCharge,
  partCents: Cents,
): Cents => {
  const given = givenCents + partCents
  const [byThen = 0] = splitCents(commissionCents, [given, amountCents - given])
  return Math.max(0, byThen - givenCommissionCents)
}
