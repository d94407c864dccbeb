/** An error as Stripe's API words it (docs.stripe.com/api/errors). */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly status: number
  readonly error: Record<string, unknown>

  constructor(status: number, error: Record<string, unknown>) {
    super(String(error.message))
    this.status = status
    this.error = error
  }
}

const invalid = (error: Record<string, unknown>, status = 400) =>
  new Refusal(status, { type: 'invalid_request_error', ...error })

export const unknownKey = () => invalid({ message: 'Invalid API Key provided' }, 401)
export const noAccess = (account: string) =>
  invalid({ code: 'account_invalid', message: `The provided key does not have access to account '${account}'` }, 403)
export const unknownParameter = (param: string) =>
  invalid({ code: 'parameter_unknown', param, message: `Received unknown parameter: ${param}` })
export const missingParameter = (param: string) =>
  invalid({ code: 'parameter_missing', param, message: `Missing required param: ${param}.` })
export const invalidParameter = (param: string, code = 'parameter_invalid') =>
  invalid({ code, param, message: `Invalid ${param}` })
export const missing = (param: string, id: string) =>
  invalid({ code: 'resource_missing', param, message: `No such ${param}: '${id}'` }, param === 'id' ? 404 : 400)
export const unexpectedState = (status: string, payment_intent: unknown) =>
  invalid({
    code: 'payment_intent_unexpected_state',
    payment_intent,
    message: `This PaymentIntent could not be changed because it has a status of ${status}.`,
  })
export const refused = (code: string | undefined, message: string) => invalid({ ...(code && { code }), message })
export const otherParameters = () =>
  new Refusal(400, {
    type: 'idempotency_error',
    message: 'Keys for idempotent requests can only be used with the same parameters they were first used with.',
  })
export const keyInUse = () => invalid({ code: 'idempotency_key_in_use', message: 'The key is in use' }, 409)
export const cardError = (error: Record<string, unknown>) => new Refusal(402, { type: 'card_error', ...error })
