/** An error in the format of Stripe's API (docs.stripe.com/api/errors). */
export class StripeApiError extends Error {
  override name = 'StripeApiError'
  readonly status: number
  readonly error: Record<string, unknown>

  constructor(status: number, error: Record<string, unknown>) {
    super(String(error.message))
    this.status = status
    this.error = error
  }
}

const invalidRequestError = (error: Record<string, unknown>, status = 400) =>
  new StripeApiError(status, { type: 'invalid_request_error', ...error })

export const invalidApiKey = () => invalidRequestError({ message: 'Invalid API Key provided' }, 401)
export const accountInvalid = (account: string) =>
  invalidRequestError(
    { code: 'account_invalid', message: `The provided key does not have access to account '${account}'` },
    403,
  )
export const unknownParameter = (param: string) =>
  invalidRequestError({ code: 'parameter_unknown', param, message: `Received unknown parameter: ${param}` })
export const missingParameter = (param: string) =>
  invalidRequestError({ code: 'parameter_missing', param, message: `Missing required param: ${param}.` })
export const invalidParameter = (param: string, code = 'parameter_invalid') =>
  invalidRequestError({ code, param, message: `Invalid ${param}` })
export const resourceMissing = (param: string, id: string) =>
  invalidRequestError(
    { code: 'resource_missing', param, message: `No such ${param}: '${id}'` },
    param === 'id' ? 404 : 400,
  )
export const unexpectedState = (status: string, payment_intent: unknown) =>
  invalidRequestError({
    code: 'payment_intent_unexpected_state',
    payment_intent,
    message: `This PaymentIntent could not be changed because it has a status of ${status}.`,
  })
export const requestRejected = (code: string | undefined, message: string) =>
  invalidRequestError({ ...(code && { code }), message })
export const idempotencyMismatch = () =>
  new StripeApiError(400, {
    type: 'idempotency_error',
    message: 'Keys for idempotent requests can only be used with the same parameters they were first used with.',
  })
export const idempotencyKeyInUse = () =>
  invalidRequestError({ code: 'idempotency_key_in_use', message: 'The key is in use' }, 409)
export const cardError = (error: Record<string, unknown>) => new StripeApiError(402, { type: 'card_error', ...error })
