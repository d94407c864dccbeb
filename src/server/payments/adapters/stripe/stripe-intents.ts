import Stripe from 'stripe'
import type { ChargeOutcome, ProviderAttempt } from '#server/payments/port/payment-provider.ts'
import { declined, notConfirmed, notFinished } from '../card-declines.ts'

export type Intent = Stripe.PaymentIntent

const cardEndingOf = ({ latest_charge: charge }: Intent): string | null =>
  charge && typeof charge !== 'string' ? (charge.payment_method_details?.card?.last4 ?? null) : null

// `declined` uses the decline codes of Stripe (docs.stripe.com/declines/codes).
const declineOf = (error: Intent['last_payment_error'], reference: string): ChargeOutcome | undefined => {
  if (!error) return undefined
  if (error.code === 'payment_intent_authentication_failure') return notConfirmed(reference)
  return declined(error.decline_code ?? error.code ?? 'card_declined', reference)
}

/**
 * The outcome of an attempt, read from its intent; undefined if no card was tried yet. Throws while the intent is
 * `processing` or `requires_capture`.
 */
export const intentOutcome = (intent: Intent): ChargeOutcome | undefined => {
  const { id: reference, status, last_payment_error: error, cancellation_reason: reason } = intent
  if (status === 'succeeded') return { state: 'succeeded', reference, cardEnding: cardEndingOf(intent) }
  if (status === 'requires_action') return { state: 'requires-action', reference, clientSecret: intent.client_secret }
  if (status === 'canceled') {
    return (
      declineOf(error, reference) ??
      (reason === 'requested_by_customer' ? notConfirmed(reference) : notFinished(reference))
    )
  }
  if (status === 'processing' || status === 'requires_capture') throw new Error(`${reference} is ${status}`)
  return declineOf(error, reference)
}

/** The parameters of an attempt's intent. They must not change between retries, or Stripe rejects the idempotency key. */
export const intentParams = ({ attemptId, amountCents, currency, platformFeeCents }: ProviderAttempt) => ({
  amount: amountCents,
  currency,
  payment_method_types: ['card'],
  metadata: { attemptId },
  ...(platformFeeCents > 0 && { application_fee_amount: platformFeeCents }),
})

/** Whether an intent belongs to the attempt. Studios also create intents on their accounts, so all parameters have to match. */
export const isIntentOf = (
  { attemptId, amountCents, currency, platformFeeCents }: ProviderAttempt,
  intent: Intent,
): boolean =>
  intent.metadata.attemptId === attemptId &&
  intent.amount === amountCents &&
  intent.currency === currency &&
  (intent.application_fee_amount ?? 0) === platformFeeCents

/** Whether the request itself is invalid (400, 404), so that no retry can succeed. */
export const isInvalidRequest = (error: unknown): error is Stripe.errors.StripeInvalidRequestError =>
  error instanceof Stripe.errors.StripeInvalidRequestError

/** Whether the secret key may not act on this account, or is invalid. The request had no effect. */
export const isNotAllowed = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripePermissionError || error instanceof Stripe.errors.StripeAuthenticationError

const messageByCode = new Map(
  Object.entries({
    amount_too_small: 'Card payments must be at least $0.50. Please add something to your order',
    amount_too_large: 'This amount is too large for one card payment. Please split it into several orders',
  }),
)

/** The message for a charge that the studio's account does not allow. */
export const cannotChargeMessage =
  'This studio can’t take your payment just now. You weren’t charged. Please ask the studio how to pay'

/** The decline for an invalid request. */
export const invalidRequestDecline = (
  { code = 'refused', param }: Stripe.errors.StripeInvalidRequestError,
  reference: string | null,
): ChargeOutcome & { state: 'declined' } => {
  if (param !== 'confirmation_token') return declined(code, reference, messageByCode.get(code) ?? cannotChargeMessage)
  return declined('token_unusable', reference, 'Please enter the card again. You weren’t charged')
}
