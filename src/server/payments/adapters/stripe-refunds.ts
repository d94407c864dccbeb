import Stripe from 'stripe'
import type { Refund, RefundOutcome } from '../port/payment-provider.ts'

type OnAccount = { readonly stripeAccount: string }

const refundOutcome = ({ id: reference, status, failure_reason: why }: Stripe.Refund): RefundOutcome => {
  if (status === 'succeeded') return { state: 'done', reference }
  if (status === 'failed' || status === 'canceled') {
    return { state: 'failed', message: `Stripe could not give the money back: ${why ?? status}` }
  }
  return { state: 'pending', reference }
}

/** The customer's money. What was given back before under this id is found, with what became of it since. */
const giveBack = async (
  stripe: Stripe,
  { refundId, reference, amountCents }: Refund,
  on: OnAccount,
): Promise<Stripe.Refund> => {
  for await (const made of stripe.refunds.list({ payment_intent: reference, limit: 100 }, on)) {
    if (made.metadata?.refundId === refundId) return made
  }
  const params = { payment_intent: reference, amount: amountCents, metadata: { refundId } }
  return await stripe.refunds.create(params, { ...on, idempotencyKey: refundId })
}

const feeOf = async (stripe: Stripe, reference: string, on: OnAccount): Promise<Stripe.ApplicationFee | undefined> => {
  const { latest_charge: charge } = await stripe.paymentIntents.retrieve(reference, { expand: ['latest_charge'] }, on)
  const fee = charge && typeof charge !== 'string' ? charge.application_fee : null
  if (fee === null) return undefined
  return await stripe.applicationFees.retrieve(typeof fee === 'string' ? fee : fee.id)
}

/** The platform's part, to the studio; never more than is left of it, whoever gave back before. */
const giveBackCommission = async (
  stripe: Stripe,
  { refundId, reference, commissionCents }: Refund,
  on: OnAccount,
): Promise<void> => {
  const fee = await feeOf(stripe, reference, on)
  if (!fee) return
  for await (const made of stripe.applicationFees.listRefunds(fee.id, { limit: 100 })) {
    if (made.metadata?.refundId === refundId) return
  }
  const amount = Math.min(commissionCents, fee.amount - fee.amount_refunded)
  if (amount <= 0) return
  const params = { amount, metadata: { refundId } }
  await stripe.applicationFees.createRefund(fee.id, params, { idempotencyKey: `${refundId} commission` })
}

const refusal = (error: unknown): RefundOutcome | undefined => {
  if (error instanceof Stripe.errors.StripePermissionError) {
    return { state: 'failed', message: 'Stripe does not let us work on this studio’s account' }
  }
  if (error instanceof Stripe.errors.StripeInvalidRequestError) return { state: 'failed', message: error.message }
  return undefined
}

/**
 * Gives back the customer's money and, once that is done, the platform's part of it; each is looked for before it is made. Rejects while
 * the platform's part is refused: the customer's money is on its way then, and a "no" would have it given a second time.
 */
export const stripeRefunds =
  (stripe: Stripe) =>
  async (refund: Refund): Promise<RefundOutcome> => {
    if (refund.account === null) return { state: 'failed', message: 'The studio has no account at Stripe' }
    const on = { stripeAccount: refund.account }
    let made: Stripe.Refund
    try {
      made = await giveBack(stripe, refund, on)
    } catch (error) {
      const refused = refusal(error)
      if (refused) return refused
      throw error
    }
    const outcome = refundOutcome(made)
    if (outcome.state === 'done' && refund.commissionCents > 0) await giveBackCommission(stripe, refund, on)
    return outcome
  }
