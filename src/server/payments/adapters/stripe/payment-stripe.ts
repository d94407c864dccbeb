import Stripe from 'stripe'
import type { Charge, ChargeOutcome, Payment, ProviderAttempt } from '#server/payments/port/payment-provider.ts'
import { declined } from '../card-declines.ts'
import { type StripeSettings, stripeClient, withTimeout } from './stripe-client.ts'
import {
  cannotChargeMessage,
  type Intent,
  intentOutcome,
  intentParams,
  invalidRequestDecline,
  isIntentOf,
  isInvalidRequest,
  isNotAllowed,
} from './stripe-intents.ts'
import { stripeRefunds } from './stripe-refunds.ts'

/** The client of Stripe, and the connected account of a studio on which requests act. */
type Account = { readonly stripe: Stripe; readonly options: { readonly stripeAccount: string } }

const noAccount = declined('no_account', null, 'This studio does not take cards yet. Please ask it how to pay')

/** Allows for the difference between the clocks of two machines. */
const clockSlackSeconds = 10 * 60
/** The maximum time after the start of an attempt in which this server can create its intent. */
const maxRequestSeconds = 60 * 60

const expand = ['latest_charge']

const retrieve = ({ stripe, options }: Account, id: string): Promise<Intent> =>
  stripe.paymentIntents.retrieve(id, { expand }, options)

const create = (
  { stripe, options }: Account,
  attempt: ProviderAttempt,
  idempotencyKey = attempt.attemptId,
): Promise<Intent> => stripe.paymentIntents.create(intentParams(attempt), { ...options, idempotencyKey })

/** Finds an attempt's intent by listing, because lists are consistent immediately and Stripe's search is not. */
const findIntent = async ({ stripe, options }: Account, attempt: ProviderAttempt): Promise<Intent | undefined> => {
  const beganSeconds = Math.floor(attempt.beganAt.getTime() / 1000)
  const created = { gte: beganSeconds - clockSlackSeconds, lte: beganSeconds + maxRequestSeconds }
  const expandInList = { expand: expand.map((part) => `data.${part}`) }
  for await (const intent of stripe.paymentIntents.list({ created, limit: 100, ...expandInList }, options)) {
    if (isIntentOf(attempt, intent)) return intent
  }
  return undefined
}

const currentOutcome = async (account: Account, id: string): Promise<ChargeOutcome | undefined> =>
  intentOutcome(await retrieve(account, id))

/** The outcome after a failed confirmation: a declined card, another token under the same key, or a canceled intent. */
const outcomeAfterError = async (account: Account, id: string, error: unknown): Promise<ChargeOutcome> => {
  if (error instanceof Stripe.errors.StripeCardError) {
    return (await currentOutcome(account, id)) ?? declined(error.decline_code ?? error.code ?? 'card_declined', id)
  }
  const isHandledAlready =
    error instanceof Stripe.errors.StripeIdempotencyError ||
    (isInvalidRequest(error) && error.code === 'payment_intent_unexpected_state')
  const outcome = isHandledAlready ? await currentOutcome(account, id) : undefined
  if (outcome) return outcome
  if (isInvalidRequest(error)) return invalidRequestDecline(error, id)
  throw error
}

const confirm = async (account: Account, charge: Charge, { id }: Intent): Promise<ChargeOutcome> => {
  const { stripe, options } = account
  try {
    const idempotencyKey = `${charge.attemptId} confirm`
    await stripe.paymentIntents.confirm(id, { confirmation_token: charge.paymentToken }, { ...options, idempotencyKey })
  } catch (error) {
    return await outcomeAfterError(account, id, error)
  }
  // The response stored for the key may be older than the customer's authentication.
  const outcome = await currentOutcome(account, id)
  if (!outcome) throw new Error(`${id} was confirmed without an outcome`)
  return outcome
}

/** Cancels an intent. An intent that was paid meanwhile stays paid. */
const cancel = async (
  account: Account,
  { id }: Intent,
  reason: 'abandoned' | 'requested_by_customer',
): Promise<ChargeOutcome> => {
  const { stripe, options } = account
  try {
    await stripe.paymentIntents.cancel(id, { cancellation_reason: reason }, options)
  } catch (error) {
    if (!isInvalidRequest(error)) throw error
  }
  const intent = await retrieve(account, id)
  const outcome = intentOutcome(intent)
  if (!outcome || (intent.status !== 'canceled' && intent.status !== 'succeeded')) {
    throw new Error(`${id} could not be ended: it is ${intent.status}`)
  }
  return outcome
}

/**
 * Finds the intent of an attempt that is being closed. Creates it if there is none, so that a request that arrives
 * later finds it canceled.
 */
const findOrCreate = async (account: Account, attempt: ProviderAttempt): Promise<Intent> => {
  const existing = await findIntent(account, attempt)
  if (existing) return existing
  try {
    return await create(account, attempt)
  } catch (error) {
    // Stripe stores a server error under its idempotency key, so a retry needs another key.
    const isServerError = error instanceof Stripe.errors.StripeAPIError && (error.statusCode ?? 0) >= 500
    if (isServerError) return await create(account, attempt, `${attempt.attemptId} close`)
    throw error
  }
}

const outcomeAfterAuthentication = async (account: Account, charge: Charge): Promise<ChargeOutcome> => {
  const intent = await findIntent(account, charge)
  if (!intent) throw new Error(`there is no intent of attempt ${charge.attemptId}`)
  if (charge.authentication === 'cancelled') return await cancel(account, intent, 'requested_by_customer')
  const outcome = intentOutcome(intent)
  // The customer's browser could still charge the intent, so a declined intent is canceled.
  const isDeclined = outcome === undefined || outcome.state === 'declined'
  return isDeclined ? await cancel(account, intent, 'requested_by_customer') : outcome
}

const createAndConfirm = async (account: Account, charge: Charge): Promise<ChargeOutcome> => {
  let intent: Intent
  try {
    intent = await create(account, charge)
  } catch (error) {
    if (isInvalidRequest(error)) return invalidRequestDecline(error, null)
    // This request confirmed nothing, and the caller has looked for an earlier intent.
    if (isNotAllowed(error)) return declined('not_allowed', null, cannotChargeMessage)
    throw error
  }
  return await confirm(account, charge, intent)
}

const close = async (
  account: Account,
  attempt: ProviderAttempt,
): Promise<ChargeOutcome & { state: 'succeeded' | 'declined' }> => {
  const outcome = await cancel(account, await findOrCreate(account, attempt), 'abandoned')
  if (outcome.state === 'requires-action') throw new Error(`attempt ${attempt.attemptId} could not be ended`)
  return outcome
}

/**
 * Stripe with direct charges on each studio's connected account. An attempt is one payment intent, created under the
 * attempt's id as idempotency key and confirmed under a second key, so that neither happens twice. The intent's metadata
 * contains the attempt's id, so it is found long after Stripe has dropped the keys
 * (docs.stripe.com/api/idempotent_requests).
 */
export const stripePayment = (settings: StripeSettings): Payment => {
  const stripe = stripeClient(settings)
  const accountOf = ({ account }: ProviderAttempt): Account | undefined =>
    account === null ? undefined : { stripe, options: { stripeAccount: account } }
  const charge = async (request: Charge): Promise<ChargeOutcome> => {
    const account = accountOf(request)
    if (!account) return noAccount
    return request.authentication
      ? await outcomeAfterAuthentication(account, request)
      : await createAndConfirm(account, request)
  }
  const find = async (attempt: ProviderAttempt): Promise<ChargeOutcome | undefined> => {
    const account = accountOf(attempt)
    const intent = account && (await findIntent(account, attempt))
    return intent && intentOutcome(intent)
  }
  const closeAttempt = async (attempt: ProviderAttempt) => {
    const account = accountOf(attempt)
    return account ? await close(account, attempt) : noAccount
  }
  const refund = stripeRefunds(stripe)
  return {
    name: 'stripe',
    label: 'Stripe',
    paysStudioAccounts: true,
    publishableKey: settings.publishableKey,
    charge: (request) => withTimeout(charge(request)),
    find: (attempt) => withTimeout(find(attempt)),
    close: (attempt) => withTimeout(closeAttempt(attempt)),
    refund: (request) => withTimeout(refund(request)),
  }
}
