import type { ChargeOutcome } from '../port/payment-provider.ts'

/** What a customer is told of a refused card, by the bank's reason as Stripe names it (docs.stripe.com/declines/codes). */
const sentences = new Map(
  Object.entries({
    insufficient_funds: 'Your card does not have enough money for this. Please try another card',
    expired_card: 'Your card has expired. Please try another card',
    incorrect_cvc: 'The security code of your card is not right. Please enter the card again',
    incorrect_number: 'The number of your card is not right. Please enter the card again',
    incorrect_zip: 'The ZIP code does not match your card. Please check the billing address',
    processing_error: 'Your card could not be charged just now. Please try again in a moment',
    card_velocity_exceeded: 'Your card has reached its limit. Please try another card',
    card_not_supported: 'Your card can’t be used for this. Please try another card',
    currency_not_supported: 'Your card can’t be used for this. Please try another card',
  }),
)

const general = 'Your card was declined. Please try another card'

/** A definite no: nothing was charged. Of a reason a thief would like to know, the customer hears the general sentence. */
export const declined = (
  code: string,
  reference: string | null = null,
  message?: string,
): ChargeOutcome & { state: 'declined' } => ({
  state: 'declined',
  reference,
  code,
  message: message ?? sentences.get(code) ?? general,
})

/** The bank asked the customer, and they, or it, said no. */
export const notConfirmed = (reference: string | null = null) =>
  declined('authentication_cancelled', reference, 'The payment was not confirmed with your bank. Nothing was charged')

/** Ended before anything came of it. */
export const notFinished = (reference: string | null = null) =>
  declined('expired', reference, 'The payment was not finished in time. Nothing was charged')
