import Stripe from 'stripe'
import type { Charge, ChargeOutcome, Payment, ProviderAttempt } from '../port/payment-provider.ts'
import { declined, notConfirmed, notFinished } from './card-declines.ts'
import { type StripeSettings, stripeClient } from './stripe-client.ts'
import { stripeRefunds } from './stripe-refunds.ts'

type Intent = Stripe.PaymentIntent
type OnAccount = { readonly stripeAccount: string }

const noAccount = declined('no_account', null, 'This studio does not take cards yet. Please ask it how to pay')

/** Milliseconds: what is not known after them is unknown. */
const patience = 20_000
/** Clocks of two machines differ; no request of ours lives longer than an hour. */
const clockSlackSeconds = 10 * 60
const lifeSeconds = 60 * 60

const inTime = async <Told>(work: Promise<Told>): Promise<Told> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('Stripe did not answer in time')), patience)
  })
  return await Promise.race([work, late]).finally(() => clearTimeout(timer))
}

const cardEndingOf = ({ latest_charge: charge }: Intent): string | null =>
  charge && typeof charge !== 'string' ? (charge.payment_method_details?.card?.last4 ?? null) : null

const declineOf = (error: Intent['last_payment_error'], reference: string): ChargeOutcome | undefined => {
  if (!error) return undefined
  if (error.code === 'payment_intent_authentication_failure') return notConfirmed(reference)
  return declined(error.decline_code ?? error.code ?? 'card_declined', reference)
}

/** What an intent says became of an attempt; undefined where no card was tried yet. */
const outcomeOf = (intent: Intent): ChargeOutcome | undefined => {
  const { id: reference, status, last_payment_error: error, cancellation_reason: why } = intent
  if (status === 'succeeded') return { state: 'succeeded', reference, cardEnding: cardEndingOf(intent) }
  if (status === 'requires_action') return { state: 'requires-action', reference, clientSecret: intent.client_secret }
  if (status === 'canceled') {
    return (
      declineOf(error, reference) ??
      (why === 'requested_by_customer' ? notConfirmed(reference) : notFinished(reference))
    )
  }
  if (status === 'processing' || status === 'requires_capture') throw new Error(`${reference} is ${status}`)
  return declineOf(error, reference)
}

/** What an attempt is called at Stripe: the same words each time, or its key would be refused. */
const intentParams = ({ attemptId, amountCents, currency, commissionCents }: ProviderAttempt) => ({
  amount: amountCents,
  currency,
  payment_method_types: ['card'],
  metadata: { attemptId },
  ...(commissionCents > 0 && { application_fee_amount: commissionCents }),
})

/** Refused (400, 404) for what was asked, not for who asked or how often: the same will never be done. */
const isDefiniteNo = (error: unknown): error is Stripe.errors.StripeInvalidRequestError =>
  error instanceof Stripe.errors.StripeInvalidRequestError

/** Who asks may not, on this account or at all: what was asked for was not done. */
const isShut = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripePermissionError || error instanceof Stripe.errors.StripeAuthenticationError

const words = new Map(
  Object.entries({
    amount_too_small: 'Cards are charged from $0.50 on. Please add something to your order',
    amount_too_large: 'This is more than a card can be charged at once. Please order it in parts',
  }),
)

const notNow = 'This studio can’t take your payment just now. Nothing was charged. Please ask it how to pay'

const definiteNo = (
  { code = 'refused', param }: Stripe.errors.StripeInvalidRequestError,
  reference: string | null,
): ChargeOutcome & { state: 'declined' } => {
  if (param !== 'confirmation_token') return declined(code, reference, words.get(code) ?? notNow)
  return declined('token_unusable', reference, 'The card has to be entered once more. Nothing was charged')
}

/**
 * Stripe, by direct charges on each studio's connected account. An attempt is one payment intent, made under the attempt's key and
 * confirmed under a second one, so that neither is ever done twice; both requests and their outcome can be found again by the attempt's
 * id in the intent's metadata, long after Stripe has forgotten the keys (docs.stripe.com/api/idempotent_requests).
 */
export const stripePayment = (settings: StripeSettings): Payment => {
  const stripe = stripeClient(settings)
  const expand = ['latest_charge']

  const retrieve = (id: string, on: OnAccount): Promise<Intent> => stripe.paymentIntents.retrieve(id, { expand }, on)

  const create = (attempt: ProviderAttempt, on: OnAccount, idempotencyKey = attempt.attemptId): Promise<Intent> =>
    stripe.paymentIntents.create(intentParams(attempt), { ...on, idempotencyKey })

  /** Lists are up to date at once, which Stripe's search is not. */
  const look = async (attempt: ProviderAttempt, on: OnAccount): Promise<Intent | undefined> => {
    const { attemptId, beganAt, amountCents, currency, commissionCents } = attempt
    // Studios write on their account too: only what we asked for, whole, is ours.
    const isOurs = (intent: Intent) =>
      intent.metadata.attemptId === attemptId &&
      intent.amount === amountCents &&
      intent.currency === currency &&
      (intent.application_fee_amount ?? 0) === commissionCents
    const began = Math.floor(beganAt.getTime() / 1000)
    const created = { gte: began - clockSlackSeconds, lte: began + lifeSeconds }
    const expanded = { expand: expand.map((part) => `data.${part}`) }
    for await (const intent of stripe.paymentIntents.list({ created, limit: 100, ...expanded }, on)) {
      if (isOurs(intent)) return intent
    }
    return undefined
  }

  const outcomeNow = async (id: string, on: OnAccount): Promise<ChargeOutcome | undefined> =>
    outcomeOf(await retrieve(id, on))

  /** What a failed confirmation says of itself: the card, another token under the same key, an intent that was ended. */
  const afterFailure = async (error: unknown, id: string, on: OnAccount): Promise<ChargeOutcome> => {
    if (error instanceof Stripe.errors.StripeCardError) {
      return (await outcomeNow(id, on)) ?? declined(error.decline_code ?? error.code ?? 'card_declined', id)
    }
    const isElsewhere =
      error instanceof Stripe.errors.StripeIdempotencyError ||
      (isDefiniteNo(error) && error.code === 'payment_intent_unexpected_state')
    const outcome = isElsewhere ? await outcomeNow(id, on) : undefined
    if (outcome) return outcome
    if (isDefiniteNo(error)) return definiteNo(error, id)
    throw error
  }

  const confirm = async (charge: Charge, { id }: Intent, on: OnAccount): Promise<ChargeOutcome> => {
    try {
      const idempotencyKey = `${charge.attemptId} confirm`
      await stripe.paymentIntents.confirm(id, { confirmation_token: charge.paymentToken }, { ...on, idempotencyKey })
    } catch (error) {
      return await afterFailure(error, id, on)
    }
    // What the key remembers may be older than the customer's answer to their bank.
    const outcome = await outcomeNow(id, on)
    if (!outcome) throw new Error(`${id} was confirmed without an outcome`)
    return outcome
  }

  /** Ends an intent; one that was paid meanwhile stays paid. */
  const end = async (
    { id }: Intent,
    why: 'abandoned' | 'requested_by_customer',
    on: OnAccount,
  ): Promise<ChargeOutcome> => {
    try {
      await stripe.paymentIntents.cancel(id, { cancellation_reason: why }, on)
    } catch (error) {
      if (!isDefiniteNo(error)) throw error
    }
    const intent = await retrieve(id, on)
    const outcome = outcomeOf(intent)
    if (!outcome || (intent.status !== 'canceled' && intent.status !== 'succeeded')) {
      throw new Error(`${id} could not be ended: it is ${intent.status}`)
    }
    return outcome
  }

  /** The intent of an attempt that is to be ended, made where there is none: a request still on its way finds it ended. */
  const lookOrCreate = async (attempt: ProviderAttempt, on: OnAccount): Promise<Intent> => {
    const found = await look(attempt, on)
    if (found) return found
    try {
      return await create(attempt, on)
    } catch (error) {
      // A key that failed inside of Stripe fails for good.
      const failedInside = error instanceof Stripe.errors.StripeAPIError && (error.statusCode ?? 0) >= 500
      if (failedInside) return await create(attempt, on, `${attempt.attemptId} close`)
      throw error
    }
  }

  const afterBank = async (charge: Charge, on: OnAccount): Promise<ChargeOutcome> => {
    const intent = await look(charge, on)
    if (!intent) throw new Error(`there is no intent of attempt ${charge.attemptId}`)
    if (charge.authentication === 'cancelled') return await end(intent, 'requested_by_customer', on)
    const outcome = outcomeOf(intent)
    // The customer holds what could charge it still: a no is made final.
    const isOver = outcome === undefined || outcome.state === 'declined'
    return isOver ? await end(intent, 'requested_by_customer', on) : outcome
  }

  const charge = async (asked: Charge): Promise<ChargeOutcome> => {
    if (asked.account === null) return noAccount
    const on = { stripeAccount: asked.account }
    if (asked.authentication) return await afterBank(asked, on)
    let intent: Intent
    try {
      intent = await create(asked, on)
    } catch (error) {
      if (isDefiniteNo(error)) return definiteNo(error, null)
      // Nothing was confirmed by this request; one before it was looked for first.
      if (isShut(error)) return declined('not_allowed', null, notNow)
      throw error
    }
    return await confirm(asked, intent, on)
  }

  const find = async (attempt: ProviderAttempt): Promise<ChargeOutcome | undefined> => {
    if (attempt.account === null) return undefined
    const intent = await look(attempt, { stripeAccount: attempt.account })
    return intent && outcomeOf(intent)
  }

  const close = async (attempt: ProviderAttempt): Promise<ChargeOutcome & { state: 'succeeded' | 'declined' }> => {
    if (attempt.account === null) return noAccount
    const on = { stripeAccount: attempt.account }
    const outcome = await end(await lookOrCreate(attempt, on), 'abandoned', on)
    if (outcome.state === 'requires-action') throw new Error(`attempt ${attempt.attemptId} could not be ended`)
    return outcome
  }

  const refund = stripeRefunds(stripe)
  return {
    name: 'stripe',
    publishableKey: settings.publishableKey,
    charge: (asked) => inTime(charge(asked)),
    find: (attempt) => inTime(find(attempt)),
    close: (attempt) => inTime(close(attempt)),
    refund: (asked) => inTime(refund(asked)),
  }
}
