import type { ChargeOutcome } from '../port/payment-provider.ts'

/** Messages for declined cards by decline code. An adapter translates its provider's codes into these. */
const messageByCode = new Map(
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

const generalMessage = 'Your card was declined. Please try another card'

/** A definite decline: nothing was charged. Codes that would help a thief get the general message. */
export const declined = (
  code: string,
  reference: string | null = null,
  message?: string,
): ChargeOutcome & { state: 'declined' } => ({
  state: 'declined',
  reference,
  code,
  message: message ?? messageByCode.get(code) ?? generalMessage,
})

/** The decline of a payment that the customer or the bank did not confirm. */
export const notConfirmed = (reference: string | null = null) =>
  declined('authentication_cancelled', reference, 'The payment was not confirmed with your bank. You weren’t charged')

/** The decline of a payment that ended before it was completed. */
export const notFinished = (reference: string | null = null) =>
  declined('expired', reference, 'The payment was not finished in time. You weren’t charged')
