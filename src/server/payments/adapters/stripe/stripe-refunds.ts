import Stripe from 'stripe'
import type { Refund, RefundOutcome } from '#server/payments/port/payment-provider.ts'

type AccountOptions = { readonly stripeAccount: string }

const refundOutcome = ({ id: reference, status, failure_reason: reason }: Stripe.Refund): RefundOutcome => {
  if (status === 'succeeded') return { state: 'done', reference }
  if (status === 'failed' || status === 'canceled') {
    return { state: 'failed', message: `Stripe could not give the money back: ${reason ?? status}` }
  }
  return { state: 'pending', reference }
}

/** Creates the refund to the customer. If a refund with this id exists, returns that one in its current state. */
const refundCustomer = async (
  stripe: Stripe,
  { refundId, reference, amountCents }: Refund,
  options: AccountOptions,
): Promise<Stripe.Refund> => {
  for await (const existing of stripe.refunds.list({ payment_intent: reference, limit: 100 }, options)) {
    if (existing.metadata?.refundId === refundId) return existing
  }
  const params = { payment_intent: reference, amount: amountCents, metadata: { refundId } }
  return await stripe.refunds.create(params, { ...options, idempotencyKey: refundId })
}

const readFee = async (
  stripe: Stripe,
  reference: string,
  options: AccountOptions,
): Promise<Stripe.ApplicationFee | undefined> => {
  const { latest_charge: charge } = await stripe.paymentIntents.retrieve(
    reference,
    { expand: ['latest_charge'] },
    options,
  )
  const fee = charge && typeof charge !== 'string' ? charge.application_fee : null
  if (fee === null) return undefined
  return await stripe.applicationFees.retrieve(typeof fee === 'string' ? fee : fee.id)
}

/** Refunds the platform’s fee to the studio once, at most the part of the fee that has not been refunded. */
const refundPlatformFee = async (
  stripe: Stripe,
  { refundId, reference, platformFeeCents }: Refund,
  options: AccountOptions,
): Promise<void> => {
  const fee = await readFee(stripe, reference, options)
  if (!fee) return
  for await (const existing of stripe.applicationFees.listRefunds(fee.id, { limit: 100 })) {
    if (existing.metadata?.refundId === refundId) return
  }
  const amount = Math.min(platformFeeCents, fee.amount - fee.amount_refunded)
  if (amount <= 0) return
  const params = { amount, metadata: { refundId } }
  await stripe.applicationFees.createRefund(fee.id, params, { idempotencyKey: `${refundId} platform fee` })
}

const failureOf = (error: unknown): RefundOutcome | undefined => {
  if (error instanceof Stripe.errors.StripePermissionError) {
    return { state: 'failed', message: 'Stripe does not let us work on this studio’s account' }
  }
  if (error instanceof Stripe.errors.StripeInvalidRequestError) return { state: 'failed', message: error.message }
  return undefined
}

/**
 * Refunds the customer and, once that refund has succeeded, the platform’s fee. Can be called again with the same refund: it creates
 * nothing twice. Throws if refunding the fee fails, because the customer has been refunded by then: `failed` would make staff refund
 * the customer a second time.
 */
export const stripeRefunds =
  (stripe: Stripe) =>
  async (refund: Refund): Promise<RefundOutcome> => {
    if (refund.account === null) return { state: 'failed', message: 'The studio has no account at Stripe' }
    const options = { stripeAccount: refund.account }
    let stripeRefund: Stripe.Refund
    try {
      stripeRefund = await refundCustomer(stripe, refund, options)
    } catch (error) {
      const failure = failureOf(error)
      if (failure) return failure
      throw error
    }
    const outcome = refundOutcome(stripeRefund)
    if (outcome.state === 'done' && refund.platformFeeCents > 0) await refundPlatformFee(stripe, refund, options)
    return outcome
  }
