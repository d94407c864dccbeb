import Stripe from 'stripe'
import type { Refund, RefundOutcome } from '../port/payment-provider.ts'

type OnAccount = { readonly stripeAccount: string }

const refundOutcome = ({ id: reference, status, failure_reason: reason }: Stripe.Refund): RefundOutcome => {
  if (status === 'succeeded') return { state: 'done', reference }
  if (status === 'failed' || status === 'canceled') {
    return { state: 'failed', message: `Stripe could not give the money back: ${reason ?? status}` }
  }
  return { state: 'pending', reference }
}

/** Refunds the customer. If a refund with this id exists, returns it in its current state. */
const refundCustomer = async (
  stripe: Stripe,
  { refundId, reference, amountCents }: Refund,
  on: OnAccount,
): Promise<Stripe.Refund> => {
  for await (const refunded of stripe.refunds.list({ payment_intent: reference, limit: 100 }, on)) {
    if (refunded.metadata?.refundId === refundId) return refunded
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

/** Refunds the platform's commission to the studio, at most what is left of it. */
const refundCommission = async (
  stripe: Stripe,
  { refundId, reference, commissionCents }: Refund,
  on: OnAccount,
): Promise<void> => {
  const fee = await feeOf(stripe, reference, on)
  if (!fee) return
  for await (const refunded of stripe.applicationFees.listRefunds(fee.id, { limit: 100 })) {
    if (refunded.metadata?.refundId === refundId) return
  }
  const amount = Math.min(commissionCents, fee.amount - fee.amount_refunded)
  if (amount <= 0) return
  const params = { amount, metadata: { refundId } }
  await stripe.applicationFees.createRefund(fee.id, params, { idempotencyKey: `${refundId} commission` })
}

const failureOf = (error: unknown): RefundOutcome | undefined => {
  if (error instanceof Stripe.errors.StripePermissionError) {
    return { state: 'failed', message: 'Stripe does not let us work on this studio’s account' }
  }
  if (error instanceof Stripe.errors.StripeInvalidRequestError) return { state: 'failed', message: error.message }
  return undefined
}

/**
 * Refunds the customer and then the platform's commission; looks for an existing refund before creating one. Rejects if
 * refunding the commission fails: the customer's refund has been made by then, and reporting a failure would refund it
 * twice.
 */
export const stripeRefunds =
  (stripe: Stripe) =>
  async (refund: Refund): Promise<RefundOutcome> => {
    if (refund.account === null) return { state: 'failed', message: 'The studio has no account at Stripe' }
    const on = { stripeAccount: refund.account }
    let refunded: Stripe.Refund
    try {
      refunded = await refundCustomer(stripe, refund, on)
    } catch (error) {
      const failure = failureOf(error)
      if (failure) return failure
      throw error
    }
    const outcome = refundOutcome(refunded)
    if (outcome.state === 'done' && refund.commissionCents > 0) await refundCommission(stripe, refund, on)
    return outcome
  }
