import { type Cents, splitCents } from './money.ts'

/** A charge's commission, and what of the charge and of its commission was given back before. */
export type RefundedCharge = {
  amountCents: Cents
  commissionCents: Cents
  givenCents: Cents
  givenCommissionCents: Cents
}

/**
 * The commission that goes back with a part of a charge: of all that is given back by then, less what went back before. So the parts of
 * a charge that was given back whole add up to its commission, however small they were.
 */
export const refundedCommission = (
  { amountCents, commissionCents, givenCents, givenCommissionCents }: RefundedCharge,
  partCents: Cents,
): Cents => {
  const given = givenCents + partCents
  const [byThen = 0] = splitCents(commissionCents, [given, amountCents - given])
  return Math.max(0, byThen - givenCommissionCents)
}
