import { randomBytes } from 'node:crypto'
import { FakeStripeBalance } from './fake-stripe-balance.ts'
import { cardError, invalidParameter, requestRejected, resourceMissing, unexpectedState } from './stripe-error.ts'
import {
  checkParameters,
  integerParameter,
  listParameter,
  metadataParameter,
  type StripeForm,
  stringParameter,
} from './stripe-form.ts'
import { listPage } from './stripe-list.ts'

export type TestCardBehaviour = 'pays' | 'declines' | 'insufficient' | 'authenticates' | 'authenticatesThenDeclines'

/** The card numbers of Stripe's test mode (docs.stripe.com/testing). */
export const stripeTestCards: Readonly<Record<string, TestCardBehaviour>> = {
  '4242424242424242': 'pays',
  '4000000000000002': 'declines',
  '4000000000009995': 'insufficient',
  '4000002500003155': 'authenticates',
  '4000008400001629': 'authenticatesThenDeclines',
}
const cardEndings: Readonly<Record<TestCardBehaviour, string>> = {
  pays: '4242',
  declines: '0002',
  insufficient: '9995',
  authenticates: '3155',
  authenticatesThenDeclines: '1629',
}

type StripeObject = { id: string; created: number; metadata: Record<string, string> }
export type Charge = StripeObject & { object: 'charge'; amount: number; last4: string; fee: Fee | null }
export type Fee = StripeObject & { amount: number; refunds: FeeRefund[]; onRefund: (refund: FeeRefund) => void }
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
  cancellationReason: string | null
  card: TestCardBehaviour | null
}

const newId = (kind: string): string => `${kind}_${randomBytes(12).toString('hex')}`
const seconds = (): number => Math.floor(Date.now() / 1000)
const halfDay = 12 * 60 * 60

const refundStates = ['succeeded', 'pending', 'failed'] as const

/** A connected account of the fake Stripe, with the objects, responses and errors of Stripe's API. */
export class FakeStripeAccount {
  readonly intents: PaymentIntent[] = []
  readonly refunds: StripeRefund[] = []
  readonly balance: FakeStripeBalance
  readonly #tokens = new Map<string, Token>()
  /** The domains on which the account's wallets appear. */
  readonly domains = new Set<string>()
  /** The status of the refunds that are made from now on. */
  nextRefundStatus: (typeof refundStates)[number] = 'succeeded'
  readonly #emit: (kind: string, object: unknown) => void
  readonly #fees: Fee[]

  constructor(fees: Fee[], emit: (kind: string, object: unknown) => void) {
    this.#fees = fees
    this.#emit = emit
    this.balance = new FakeStripeBalance(emit)
  }

  token(card: TestCardBehaviour, { expiresAt = seconds() + halfDay } = {}): string {
    const id = newId('ctoken')
    this.#tokens.set(id, { id, card, expiresAt, usedFor: null })
    return id
  }

  intent(id: string): PaymentIntent {
    const intent = this.intents.find((candidate) => candidate.id === id)
    if (!intent) throw resourceMissing('id', id)
    return intent
  }

  show(intent: PaymentIntent, expand: readonly string[] = []): Record<string, unknown> {
    const { charge } = intent
    const chargeBody = charge && {
      ...{ id: charge.id, object: 'charge', amount: charge.amount, application_fee: charge.fee?.id ?? null },
      payment_method_details: { type: 'card', card: { last4: charge.last4 } },
    }
    return {
      ...{ id: intent.id, object: 'payment_intent', amount: intent.amount, currency: intent.currency },
      ...{ created: intent.created, metadata: intent.metadata, status: intent.status, client_secret: intent.secret },
      application_fee_amount: intent.feeAmount || null,
      ...{
        last_payment_error: intent.error,
        cancellation_reason: intent.cancellationReason,
        payment_method_types: ['card'],
      },
      next_action: intent.status === 'requires_action' ? { type: 'use_stripe_sdk' } : null,
      latest_charge: expand.includes('latest_charge') ? chargeBody : (charge?.id ?? null),
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
      ...{ charge: null, error: null, cancellationReason: null, card: null },
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
    const matching = this.intents.filter((intent) => intent.created >= from && intent.created <= to)
    const expand = listParameter(form, 'expand').map((part) => part.replace(/^data\./, ''))
    return listPage(matching, form, '/v1/payment_intents', (intent) => this.show(intent, expand))
  }

  confirm(id: string, form: StripeForm): unknown {
    checkParameters(form, ['confirmation_token', 'expand', 'return_url'], ['confirmation_token'])
    const intent = this.intent(id)
    if (intent.status !== 'requires_payment_method') throw unexpectedState(intent.status, this.show(intent))
    const token = this.#consumeToken(stringParameter(form, 'confirmation_token') ?? '', id)
    intent.card = token.card
    if (token.card === 'pays') this.#succeed(intent)
    else if (token.card === 'authenticates' || token.card === 'authenticatesThenDeclines') {
      intent.status = 'requires_action'
      this.#emit('payment_intent.requires_action', this.show(intent))
    } else this.#rejectCard(intent, token.card)
    return this.show(intent, listParameter(form, 'expand'))
  }

  /** Completes an authentication with the customer's answer on the bank's page. */
  bank(id: string, answer: 'confirmed' | 'cancelled'): Record<string, unknown> {
    const intent = this.intent(id)
    if (intent.status !== 'requires_action') throw unexpectedState(intent.status, this.show(intent))
    if (answer === 'confirmed' && intent.card === 'authenticates') this.#succeed(intent)
    else if (answer === 'confirmed') this.#decline(intent, 'generic_decline')
    else {
      const code = 'payment_intent_authentication_failure'
      intent.status = 'requires_payment_method'
      intent.error = { type: 'invalid_request_error', code, message: 'The customer did not confirm' }
      this.#emit('payment_intent.payment_failed', this.show(intent))
    }
    return this.show(intent)
  }

  cancel(id: string, form: StripeForm): unknown {
    checkParameters(form, ['cancellation_reason', 'expand'])
    const reason = stringParameter(form, 'cancellation_reason') ?? null
    const reasons = ['duplicate', 'fraudulent', 'requested_by_customer', 'abandoned']
    if (reason !== null && !reasons.includes(reason)) throw invalidParameter('cancellation_reason')
    const intent = this.intent(id)
    if (intent.status === 'succeeded' || intent.status === 'canceled') {
      throw unexpectedState(intent.status, this.show(intent))
    }
    intent.status = 'canceled'
    intent.cancellationReason = reason
    this.#emit('payment_intent.canceled', this.show(intent))
    return this.show(intent)
  }

  refund(form: StripeForm): unknown {
    checkParameters(form, ['payment_intent', 'amount', 'metadata', 'reason'], ['payment_intent'])
    const id = stringParameter(form, 'payment_intent') ?? ''
    const intent = this.intents.find((candidate) => candidate.id === id)
    if (!intent) throw resourceMissing('payment_intent', id)
    if (!intent.charge)
      throw requestRejected(undefined, `This PaymentIntent (${id}) does not have a successful charge to refund.`)
    const validRefunds = this.refunds.filter((refund) => refund.intent === id && refund.status !== 'failed')
    const refundable = intent.amount - validRefunds.reduce((sum, refund) => sum + refund.amount, 0)
    const amount = integerParameter(form, 'amount') ?? refundable
    if (refundable === 0) throw requestRejected('charge_already_refunded', 'The charge has already been refunded.')
    if (amount < 1) throw invalidParameter('amount', 'parameter_invalid_integer')
    if (amount > refundable)
      throw requestRejected(undefined, `Refund amount (${amount}) is greater than unrefunded amount (${refundable})`)
    const fields = { id: newId('re'), created: seconds(), metadata: metadataParameter(form), intent: id, amount }
    const refund = { ...fields, status: this.nextRefundStatus }
    this.refunds.push(refund)
    if (refund.status === 'succeeded') this.balance.add('refund', -amount, this.#refundBody(refund))
    this.#emit('refund.created', this.#refundBody(refund))
    return this.#refundBody(refund)
  }

  listRefunds(form: StripeForm): unknown {
    checkParameters(form, ['payment_intent', 'limit', 'starting_after'])
    const intentId = stringParameter(form, 'payment_intent')
    const matching = this.refunds.filter((refund) => intentId === undefined || refund.intent === intentId)
    return listPage(matching, form, '/v1/refunds', (refund) => this.#refundBody(refund))
  }

  /** The bank's result for refunds that were pending. */
  settleRefunds(status: 'succeeded' | 'failed'): void {
    for (const refund of this.refunds.filter(({ status: current }) => current === 'pending')) {
      refund.status = status
      if (status === 'succeeded') this.balance.add('refund', -refund.amount, this.#refundBody(refund))
      this.#emit('refund.updated', this.#refundBody(refund))
    }
  }

  /** A completed refund fails later, as when the account was closed. */
  failRefund(refundId: string): void {
    for (const refund of this.refunds.filter(({ metadata }) => metadata.refundId === refundId)) {
      refund.status = 'failed'
      this.balance.add('refund_failure', refund.amount, this.#refundBody(refund))
      this.#emit('refund.failed', this.#refundBody(refund))
    }
  }

  #refundBody({ id, created, metadata, intent, amount, status }: StripeRefund) {
    const failureReason = status === 'failed' ? 'expired_or_canceled_card' : undefined
    return {
      object: 'refund',
      id,
      created,
      metadata,
      payment_intent: intent,
      amount,
      status,
      failure_reason: failureReason,
    }
  }

  #consumeToken(id: string, intent: string): Token {
    const token = this.#tokens.get(id)
    if (!token) throw resourceMissing('confirmation_token', id)
    if (token.usedFor !== null || token.expiresAt <= seconds()) throw invalidParameter('confirmation_token')
    token.usedFor = intent
    return token
  }

  #succeed(intent: PaymentIntent): void {
    const { amount, feeAmount, card } = intent
    const newFields = () => ({ created: seconds(), metadata: {} })
    const onRefund = (refund: FeeRefund) =>
      void this.balance.add('fee', refund.amount, { object: 'fee_refund', id: refund.id })
    const fee = feeAmount > 0 ? { ...newFields(), id: newId('fee'), amount: feeAmount, refunds: [], onRefund } : null
    if (fee) this.#fees.push(fee)
    intent.status = 'succeeded'
    intent.error = null
    intent.charge = {
      ...newFields(),
      id: newId('ch'),
      object: 'charge',
      amount,
      last4: cardEndings[card ?? 'pays'],
      fee,
    }
    const { charge } = intent
    this.balance.add('charge', amount, { object: 'charge', id: charge.id, payment_intent: intent.id }, feeAmount)
    this.#emit('payment_intent.succeeded', this.show(intent))
  }

  #decline(intent: PaymentIntent, decline_code: string): Record<string, unknown> {
    const error = { type: 'card_error', code: 'card_declined', decline_code, message: 'Your card was declined.' }
    intent.status = 'requires_payment_method'
    intent.error = error
    this.#emit('payment_intent.payment_failed', this.show(intent))
    return error
  }

  #rejectCard(intent: PaymentIntent, card: 'declines' | 'insufficient'): never {
    const error = this.#decline(intent, card === 'insufficient' ? 'insufficient_funds' : 'generic_decline')
    throw cardError({ ...error, payment_intent: this.show(intent) })
  }
}

const feeRefundBody = ({ id, created, metadata, amount }: FeeRefund) => ({
  ...{ object: 'fee_refund', id, created, metadata, amount },
})

/** The calls for the platform's fee on a charge, and for the fee's refunds. */
export const feeRefunds = {
  make: (fee: Fee, form: StripeForm): unknown => {
    checkParameters(form, ['amount', 'metadata'])
    const refundable = fee.amount - fee.refunds.reduce((sum, refund) => sum + refund.amount, 0)
    const amount = integerParameter(form, 'amount') ?? refundable
    if (amount < 1) throw invalidParameter('amount', 'parameter_invalid_integer')
    if (amount > refundable)
      throw requestRejected(undefined, `Refund amount (${amount}) is greater than fee amount left (${refundable})`)
    const refund = { id: newId('fr'), created: seconds(), metadata: metadataParameter(form), amount }
    fee.refunds.push(refund)
    fee.onRefund(refund)
    return feeRefundBody(refund)
  },
  show: (fee: Fee): unknown => ({
    ...{ object: 'application_fee', id: fee.id, amount: fee.amount },
    amount_refunded: fee.refunds.reduce((sum, refund) => sum + refund.amount, 0),
  }),
  list: (fee: Fee, form: StripeForm): unknown => {
    checkParameters(form, ['limit', 'starting_after'])
    return listPage(fee.refunds, form, `/v1/application_fees/${fee.id}/refunds`, feeRefundBody)
  },
}
