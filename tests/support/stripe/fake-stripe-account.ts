import { randomBytes } from 'node:crypto'
import { cardError, invalidParameter, requestRejected, resourceMissing, unexpectedState } from './stripe-error.ts'
import {
  checkParameters,
  integerParameter,
  listParameter,
  metadataParameter,
  type StripeForm,
  stringParameter,
} from './stripe-form.ts'

export type TestCardBehaviour = 'pays' | 'declines' | 'insufficient' | 'authenticates' | 'authenticatesInVain'

/** The card numbers of Stripe's test mode (docs.stripe.com/testing). */
export const stripeTestCards: Readonly<Record<string, TestCardBehaviour>> = {
  '4242424242424242': 'pays',
  '4000000000000002': 'declines',
  '4000000000009995': 'insufficient',
  '4000002500003155': 'authenticates',
  '4000008400001629': 'authenticatesInVain',
}
const cardEndings: Readonly<Record<TestCardBehaviour, string>> = {
  pays: '4242',
  declines: '0002',
  insufficient: '9995',
  authenticates: '3155',
  authenticatesInVain: '1629',
}

type StripeObject = { id: string; created: number; metadata: Record<string, string> }
export type Charge = StripeObject & { object: 'charge'; amount: number; last4: string; fee: Fee | null }
export type Fee = StripeObject & { amount: number; refunds: FeeRefund[] }
type FeeRefund = StripeObject & { amount: number }
type StripeRefund = StripeObject & { intent: string; amount: number; status: 'succeeded' | 'pending' | 'failed' }
type Token = { id: string; card: TestCardBehaviour; expiresAt: number; usedFor: string | null }

export type PaymentIntent = StripeObject & {
  amount: number
  currency: string
  feeAmount: number
  secret: string
  status: 'requires_payment_method' | 'requires_action' | 'succeeded' | 'canceled'
  charge: Charge | null
  error: Record<string, unknown> | null
  why: string | null
  card: TestCardBehaviour | null
}

const newId = (kind: string): string => `${kind}_${randomBytes(12).toString('hex')}`
const seconds = (): number => Math.floor(Date.now() / 1000)
const halfDay = 12 * 60 * 60

/** Newest first, `limit` at a time after `starting_after`. */
const paged = <One extends StripeObject>(
  all: readonly One[],
  form: StripeForm,
  url: string,
  show: (one: One) => unknown,
) => {
  const limit = integerParameter(form, 'limit') ?? 10
  if (limit < 1 || limit > 100) throw invalidParameter('limit', 'parameter_invalid_integer')
  const after = stringParameter(form, 'starting_after')
  const newest = all.toReversed()
  const from = after === undefined ? 0 : newest.findIndex(({ id }) => id === after) + 1
  if (after !== undefined && from === 0) throw resourceMissing('starting_after', after)
  const page = newest.slice(from, from + limit)
  return { object: 'list', url, has_more: newest.length > from + limit, data: page.map(show) }
}

const refundStates = ['succeeded', 'pending', 'failed'] as const

/** One connected account of the fake Stripe: its objects, its responses and its errors, as of Stripe's API. */
export class FakeStripeAccount {
  readonly intents: PaymentIntent[] = []
  readonly refunds: StripeRefund[] = []
  readonly #tokens = new Map<string, Token>()
  /** The state of refunds from now on. */
  refundsAre: (typeof refundStates)[number] = 'succeeded'
  readonly #told: (kind: string, object: unknown) => void
  readonly #fees: Fee[]

  constructor(fees: Fee[], told: (kind: string, object: unknown) => void) {
    this.#fees = fees
    this.#told = told
  }

  token(card: TestCardBehaviour, { expiresAt = seconds() + halfDay } = {}): string {
    const id = newId('ctoken')
    this.#tokens.set(id, { id, card, expiresAt, usedFor: null })
    return id
  }

  intent(id: string): PaymentIntent {
    const found = this.intents.find((one) => one.id === id)
    if (!found) throw resourceMissing('id', id)
    return found
  }

  show(intent: PaymentIntent, expand: readonly string[] = []): Record<string, unknown> {
    const { charge } = intent
    const shownCharge = charge && {
      ...{ id: charge.id, object: 'charge', amount: charge.amount, application_fee: charge.fee?.id ?? null },
      payment_method_details: { type: 'card', card: { last4: charge.last4 } },
    }
    return {
      ...{ id: intent.id, object: 'payment_intent', amount: intent.amount, currency: intent.currency },
      ...{ created: intent.created, metadata: intent.metadata, status: intent.status, client_secret: intent.secret },
      application_fee_amount: intent.feeAmount || null,
      ...{ last_payment_error: intent.error, cancellation_reason: intent.why, payment_method_types: ['card'] },
      next_action: intent.status === 'requires_action' ? { type: 'use_stripe_sdk' } : null,
      latest_charge: expand.includes('latest_charge') ? shownCharge : (charge?.id ?? null),
    }
  }

  create(form: StripeForm): unknown {
    const known = ['amount', 'currency', 'payment_method_types', 'metadata', 'application_fee_amount', 'expand']
    checkParameters(form, known, ['amount', 'currency'])
    const amount = integerParameter(form, 'amount') ?? 0
    const feeAmount = integerParameter(form, 'application_fee_amount') ?? 0
    if (form.currency !== 'usd') throw invalidParameter('currency')
    if (amount < 50) throw requestRejected('amount_too_small', 'Amount must be at least $0.50 usd')
    if (amount > 99_999_999) throw requestRejected('amount_too_large', 'Amount must be no more than $999,999.99')
    if (feeAmount < 0 || feeAmount > amount) throw invalidParameter('application_fee_amount')
    if (listParameter(form, 'payment_method_types').some((type) => type !== 'card'))
      throw invalidParameter('payment_method_types')
    const id = newId('pi')
    const intent: PaymentIntent = {
      ...{ id, created: seconds(), metadata: metadataParameter(form), amount, currency: 'usd', feeAmount },
      ...{ secret: `${id}_secret_${randomBytes(8).toString('hex')}`, status: 'requires_payment_method' },
      ...{ charge: null, error: null, why: null, card: null },
    }
    this.intents.push(intent)
    return this.show(intent, listParameter(form, 'expand'))
  }

  list(form: StripeForm): unknown {
    checkParameters(form, ['created', 'limit', 'starting_after', 'expand'])
    const created = form.created ?? {}
    if (typeof created === 'string') throw invalidParameter('created')
    checkParameters(created, ['gt', 'gte', 'lt', 'lte'])
    const [from, to] = [
      integerParameter(created, 'gte') ?? 0,
      integerParameter(created, 'lte') ?? Number.POSITIVE_INFINITY,
    ]
    const within = this.intents.filter((one) => one.created >= from && one.created <= to)
    const expand = listParameter(form, 'expand').map((part) => part.replace(/^data\./, ''))
    return paged(within, form, '/v1/payment_intents', (one) => this.show(one, expand))
  }

  confirm(id: string, form: StripeForm): unknown {
    checkParameters(form, ['confirmation_token', 'expand', 'return_url'], ['confirmation_token'])
    const intent = this.intent(id)
    if (intent.status !== 'requires_payment_method') throw unexpectedState(intent.status, this.show(intent))
    const token = this.#take(stringParameter(form, 'confirmation_token') ?? '', id)
    intent.card = token.card
    if (token.card === 'pays') this.#succeed(intent)
    else if (token.card === 'authenticates' || token.card === 'authenticatesInVain') {
      intent.status = 'requires_action'
      this.#told('payment_intent.requires_action', this.show(intent))
    } else this.#fail(intent, token.card)
    return this.show(intent, listParameter(form, 'expand'))
  }

  /** The customer's answer on the bank's own page. */
  bank(id: string, answer: 'confirmed' | 'cancelled'): Record<string, unknown> {
    const intent = this.intent(id)
    if (intent.status !== 'requires_action') throw unexpectedState(intent.status, this.show(intent))
    if (answer === 'confirmed' && intent.card === 'authenticates') this.#succeed(intent)
    else if (answer === 'confirmed') this.#refuse(intent, 'generic_decline')
    else {
      const code = 'payment_intent_authentication_failure'
      intent.status = 'requires_payment_method'
      intent.error = { type: 'invalid_request_error', code, message: 'The customer did not confirm' }
      this.#told('payment_intent.payment_failed', this.show(intent))
    }
    return this.show(intent)
  }

  cancel(id: string, form: StripeForm): unknown {
    checkParameters(form, ['cancellation_reason', 'expand'])
    const why = stringParameter(form, 'cancellation_reason') ?? null
    const reasons = ['duplicate', 'fraudulent', 'requested_by_customer', 'abandoned']
    if (why !== null && !reasons.includes(why)) throw invalidParameter('cancellation_reason')
    const intent = this.intent(id)
    if (intent.status === 'succeeded' || intent.status === 'canceled') {
      throw unexpectedState(intent.status, this.show(intent))
    }
    intent.status = 'canceled'
    intent.why = why
    this.#told('payment_intent.canceled', this.show(intent))
    return this.show(intent)
  }

  refund(form: StripeForm): unknown {
    checkParameters(form, ['payment_intent', 'amount', 'metadata', 'reason'], ['payment_intent'])
    const id = stringParameter(form, 'payment_intent') ?? ''
    const intent = this.intents.find((one) => one.id === id)
    if (!intent) throw resourceMissing('payment_intent', id)
    if (!intent.charge)
      throw requestRejected(undefined, `This PaymentIntent (${id}) does not have a successful charge to refund.`)
    const given = this.refunds.filter((one) => one.intent === id && one.status !== 'failed')
    const left = intent.amount - given.reduce((sum, one) => sum + one.amount, 0)
    const amount = integerParameter(form, 'amount') ?? left
    if (left === 0) throw requestRejected('charge_already_refunded', 'The charge has already been refunded.')
    if (amount < 1) throw invalidParameter('amount', 'parameter_invalid_integer')
    if (amount > left)
      throw requestRejected(undefined, `Refund amount (${amount}) is greater than unrefunded amount (${left})`)
    const made = { id: newId('re'), created: seconds(), metadata: metadataParameter(form), intent: id, amount }
    const refund = { ...made, status: this.refundsAre }
    this.refunds.push(refund)
    this.#told('refund.created', this.#shownRefund(refund))
    return this.#shownRefund(refund)
  }

  listRefunds(form: StripeForm): unknown {
    checkParameters(form, ['payment_intent', 'limit', 'starting_after'])
    const of = stringParameter(form, 'payment_intent')
    const found = this.refunds.filter((one) => of === undefined || one.intent === of)
    return paged(found, form, '/v1/refunds', (one) => this.#shownRefund(one))
  }

  /** The bank's result for refunds that were pending. */
  settleRefunds(status: 'succeeded' | 'failed'): void {
    for (const refund of this.refunds.filter((one) => one.status === 'pending')) {
      refund.status = status
      this.#told('refund.updated', this.#shownRefund(refund))
    }
  }

  /** A completed refund fails later, as when the account was closed. */
  failRefund(refundId: string): void {
    for (const refund of this.refunds.filter(({ metadata }) => metadata.refundId === refundId)) {
      refund.status = 'failed'
      this.#told('refund.failed', this.#shownRefund(refund))
    }
  }

  #shownRefund({ id, created, metadata, intent, amount, status }: StripeRefund) {
    const why = status === 'failed' ? 'expired_or_canceled_card' : undefined
    return { object: 'refund', id, created, metadata, payment_intent: intent, amount, status, failure_reason: why }
  }

  #take(id: string, intent: string): Token {
    const token = this.#tokens.get(id)
    if (!token) throw resourceMissing('confirmation_token', id)
    if (token.usedFor !== null || token.expiresAt <= seconds()) throw invalidParameter('confirmation_token')
    token.usedFor = intent
    return token
  }

  #succeed(intent: PaymentIntent): void {
    const { amount, feeAmount, card } = intent
    const made = () => ({ created: seconds(), metadata: {} })
    const fee = feeAmount > 0 ? { ...made(), id: newId('fee'), amount: feeAmount, refunds: [] } : null
    if (fee) this.#fees.push(fee)
    intent.status = 'succeeded'
    intent.error = null
    intent.charge = { ...made(), id: newId('ch'), object: 'charge', amount, last4: cardEndings[card ?? 'pays'], fee }
    this.#told('payment_intent.succeeded', this.show(intent))
  }

  #refuse(intent: PaymentIntent, decline_code: string): Record<string, unknown> {
    const error = { type: 'card_error', code: 'card_declined', decline_code, message: 'Your card was declined.' }
    intent.status = 'requires_payment_method'
    intent.error = error
    this.#told('payment_intent.payment_failed', this.show(intent))
    return error
  }

  #fail(intent: PaymentIntent, card: 'declines' | 'insufficient'): never {
    const error = this.#refuse(intent, card === 'insufficient' ? 'insufficient_funds' : 'generic_decline')
    throw cardError({ ...error, payment_intent: this.show(intent) })
  }
}

const shownFeeRefund = ({ id, created, metadata, amount }: FeeRefund) => ({
  ...{ object: 'fee_refund', id, created, metadata, amount },
})

/** The platform fee of its accounts' charges, and how much of it is refunded. */
export const feeRefunds = {
  make: (fee: Fee, form: StripeForm): unknown => {
    checkParameters(form, ['amount', 'metadata'])
    const left = fee.amount - fee.refunds.reduce((sum, one) => sum + one.amount, 0)
    const amount = integerParameter(form, 'amount') ?? left
    if (amount < 1) throw invalidParameter('amount', 'parameter_invalid_integer')
    if (amount > left)
      throw requestRejected(undefined, `Refund amount (${amount}) is greater than fee amount left (${left})`)
    const refund = { id: newId('fr'), created: seconds(), metadata: metadataParameter(form), amount }
    fee.refunds.push(refund)
    return shownFeeRefund(refund)
  },
  show: (fee: Fee): unknown => ({
    ...{ object: 'application_fee', id: fee.id, amount: fee.amount },
    amount_refunded: fee.refunds.reduce((sum, one) => sum + one.amount, 0),
  }),
  list: (fee: Fee, form: StripeForm): unknown => {
    checkParameters(form, ['limit', 'starting_after'])
    return paged(fee.refunds, form, `/v1/application_fees/${fee.id}/refunds`, shownFeeRefund)
  },
}
