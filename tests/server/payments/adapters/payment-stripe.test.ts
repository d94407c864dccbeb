import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { stripePayment } from '#server/payments/adapters/stripe/payment-stripe.ts'
import { stripeEvents } from '#server/payments/adapters/stripe/stripe-events.ts'
import type { Charge } from '#server/payments/port/payment-provider.ts'
import { type StripeFault, startFakeStripe, webhookSecret } from '#support/stripe/fake-stripe.ts'
import type { TestCardBehaviour } from '#support/stripe/fake-stripe-account.ts'

const stripe = await startFakeStripe()
const studio = stripe.open('acct_mapletown')
const payment = stripePayment(stripe.settings)
afterAll(() => stripe.close())
afterEach(() => {
  stripe.behaviour.fault = () => 'none'
  studio.nextRefundStatus = 'succeeded'
})

const charge = (card: TestCardBehaviour = 'pays', overrides: Partial<Charge> = {}): Charge => ({
  attemptId: randomUUID(),
  amountCents: 3333,
  currency: 'usd',
  paymentToken: studio.token(card),
  account: 'acct_mapletown',
  platformFeeCents: 167,
  beganAt: new Date(),
  ...overrides,
})

const intentsOf = ({ attemptId }: Charge) => studio.intents.filter(({ metadata }) => metadata.attemptId === attemptId)

/** Applies the fault to the first matching POST request only. */
const failAt = (path: RegExp, fault: StripeFault) => {
  let hasFailed = false
  stripe.behaviour.fault = ({ method, path: requestedPath }) => {
    if (hasFailed || method !== 'POST' || !path.test(requestedPath)) return 'none'
    hasFailed = true
    return fault
  }
}

describe('the Stripe adapter', () => {
  it("a charge is made on the studio's account with the platform’s fee", async () => {
    const paid = charge()
    expect(await payment.charge(paid)).toMatchObject({ state: 'succeeded', cardEnding: '4242' })
    const [intent, ...otherIntents] = intentsOf(paid)
    expect(otherIntents).toEqual([])
    expect(intent).toMatchObject({ amount: 3333, feeAmount: 167, status: 'succeeded', charge: { amount: 3333 } })
  })

  it.each([
    ['the connection breaks before the intent is created', /payment_intents$/, 'before'],
    ['the connection breaks after the intent is created', /payment_intents$/, 'after'],
    ['the connection breaks before the card is charged', /confirm$/, 'before'],
    ['the connection breaks after the card is charged', /confirm$/, 'after'],
    ['Stripe fails before the card is charged', /confirm$/, 'busy'],
  ] as const)('an attempt is charged once if %s', async (_what, path, fault) => {
    failAt(path, fault)
    const paid = charge()
    expect(await payment.charge(paid)).toMatchObject({ state: 'succeeded' })
    expect(intentsOf(paid).map(({ status }) => status)).toEqual(['succeeded'])
  })

  it('a charge rejects if its outcome is unknown, and the outcome is found later', async () => {
    stripe.behaviour.fault = ({ path }) => (path.endsWith('/confirm') ? 'after' : 'none')
    const paid = charge()
    await expect(payment.charge(paid)).rejects.toThrow()
    stripe.behaviour.fault = () => 'none'
    expect(await payment.find(paid)).toMatchObject({ state: 'succeeded' })
    expect(await payment.charge(paid)).toEqual(await payment.find(paid))
    expect(intentsOf(paid)).toHaveLength(1)
  })

  it('an intent that was created and not confirmed has no outcome, and closing it is final', async () => {
    stripe.behaviour.fault = ({ path }) => (path.endsWith('/confirm') ? 'before' : 'none')
    const unconfirmed = charge()
    await expect(payment.charge(unconfirmed)).rejects.toThrow()
    stripe.behaviour.fault = () => 'none'
    expect(await payment.find(unconfirmed)).toBeUndefined()
    expect(await payment.close(unconfirmed)).toMatchObject({ state: 'declined', code: 'expired' })
    expect(await payment.charge(unconfirmed)).toMatchObject({ state: 'declined', code: 'expired' })
    expect(intentsOf(unconfirmed).map(({ status }) => status)).toEqual(['canceled'])
  })

  it('an attempt whose key failed inside Stripe can be closed for good', async () => {
    const unconfirmed = charge()
    stripe.behaviour.fault = () => 'busy'
    await expect(payment.charge(unconfirmed)).rejects.toThrow()
    stripe.behaviour.fault = () => 'none'
    expect(await payment.close(unconfirmed)).toMatchObject({ state: 'declined' })
  })

  it('an attempt is found among hundreds of others after its keys have expired', async () => {
    const paid = charge()
    await payment.charge(paid)
    for (let n = 0; n < 230; n += 1) studio.create({ amount: '100', currency: 'usd' })
    expect(await payment.find(paid)).toMatchObject({ state: 'succeeded' })
    expect(await payment.find({ ...paid, beganAt: new Date(Date.now() - 2 * 60 * 60 * 1000) })).toBeUndefined()
  })

  it('no chargeable intent is left after a cancelled authentication', async () => {
    const chargedAttempt = charge('authenticates')
    const outcome = await payment.charge(chargedAttempt)
    expect(outcome).toMatchObject({ state: 'requires-action', clientSecret: expect.stringContaining('_secret_') })
    const [intent] = intentsOf(chargedAttempt)
    studio.bank(intent?.id ?? '', 'cancelled')
    expect(await payment.charge({ ...chargedAttempt, authentication: 'confirmed' })).toMatchObject({
      state: 'declined',
    })
    expect(intent?.status).toBe('canceled')
  })

  it("a customer's claim that the bank agreed is not trusted", async () => {
    const chargedAttempt = charge('authenticates')
    await payment.charge(chargedAttempt)
    expect(await payment.charge({ ...chargedAttempt, authentication: 'confirmed' })).toMatchObject({
      state: 'requires-action',
    })
  })

  it.each([
    ['a used token', (paid: Charge) => paid, 'token_unusable'],
    ['an amount below the minimum', () => charge('pays', { amountCents: 49, platformFeeCents: 2 }), 'amount_too_small'],
    ['a studio without an account', () => charge('pays', { account: null }), 'no_account'],
  ] as const)('%s is a definite decline', async (_what, createCharge, code) => {
    const before = charge()
    await payment.charge(before)
    const chargedAttempt = createCharge({ ...before, attemptId: randomUUID() })
    const outcome = await payment.charge(chargedAttempt)
    expect(outcome).toMatchObject({ state: 'declined', code, message: expect.stringMatching(/\w+ \w+/) })
  })

  it('a revoked permission on the account is a definite decline before anything is created', async () => {
    const revoked = charge('pays', { account: 'acct_gone' })
    expect(await payment.charge(revoked)).toMatchObject({ state: 'declined', code: 'not_allowed' })
    await expect(payment.find(revoked)).rejects.toThrow('does not have access')
  })

  it('an intent that the studio created with the same metadata is not treated as the attempt', async () => {
    const paid = charge()
    const forgedMetadata = { metadata: { attemptId: paid.attemptId } }
    const forged = studio.create({ amount: '50', currency: 'usd', ...forgedMetadata }) as { id: string }
    studio.confirm(forged.id, { confirmation_token: studio.token('pays') })
    expect(await payment.find(paid)).toBeUndefined()
  })

  it('a refund includes the platform fee to the cent and is made once', async () => {
    const paid = charge()
    const outcome = await payment.charge(paid)
    const reference = outcome.state === 'succeeded' ? outcome.reference : ''
    const createRefund = (amountCents: number, platformFeeCents: number) => ({
      ...{ refundId: randomUUID(), reference, account: 'acct_mapletown' },
      ...{ amountCents, platformFeeCents },
    })
    const first = createRefund(1111, 56)
    failAt(/application_fees/, 'after')
    expect(await payment.refund(first)).toMatchObject({ state: 'done' })
    expect(await payment.refund(first)).toMatchObject({ state: 'done' })
    expect(await payment.refund(createRefund(2222, 111))).toMatchObject({ state: 'done' })
    const fee = intentsOf(paid)[0]?.charge?.fee
    expect(fee?.refunds.map(({ amount }) => amount)).toEqual([56, 111])
    expect(studio.refunds.filter(({ intent }) => intent === reference).map(({ amount }) => amount)).toEqual([
      1111, 2222,
    ])
  })

  it('a refund is not reported as failed if only its platform fee is rejected', async () => {
    const paid = charge()
    const outcome = await payment.charge(paid)
    const reference = outcome.state === 'succeeded' ? outcome.reference : ''
    const amounts = { amountCents: 3333, platformFeeCents: 167 }
    const refund = { refundId: randomUUID(), reference, account: 'acct_mapletown', ...amounts }
    stripe.behaviour.fault = ({ method, path }) =>
      method === 'POST' && path.includes('application_fees') ? 'refused' : 'none'
    await expect(payment.refund(refund)).rejects.toThrow('insufficient')
    stripe.behaviour.fault = () => 'none'
    expect(await payment.refund(refund)).toMatchObject({ state: 'done' })
    expect(studio.refunds.filter(({ intent }) => intent === reference)).toHaveLength(1)
    expect(intentsOf(paid)[0]?.charge?.fee?.refunds.map(({ amount }) => amount)).toEqual([167])
  })

  it('the platform fee is refunded only after the payment, and a later failure is detected', async () => {
    const paid = charge()
    const outcome = await payment.charge(paid)
    const reference = outcome.state === 'succeeded' ? outcome.reference : ''
    const amounts = { amountCents: 3333, platformFeeCents: 167 }
    const refund = { refundId: randomUUID(), reference, account: 'acct_mapletown', ...amounts }
    const refundedFees = () => intentsOf(paid)[0]?.charge?.fee?.refunds.map(({ amount }) => amount)
    studio.nextRefundStatus = 'pending'
    expect(await payment.refund(refund)).toMatchObject({ state: 'pending' })
    expect(refundedFees()).toEqual([])
    studio.settleRefunds('succeeded')
    expect(await payment.refund(refund)).toMatchObject({ state: 'done' })
    expect(refundedFees()).toEqual([167])
    studio.failRefund(refund.refundId)
    expect(await payment.refund(refund)).toMatchObject({ state: 'failed' })
  })

  it('a pending refund that fails later is reported as failed', async () => {
    const paid = charge()
    const outcome = await payment.charge(paid)
    const reference = outcome.state === 'succeeded' ? outcome.reference : ''
    const amounts = { amountCents: 3333, platformFeeCents: 167 }
    const refund = { refundId: randomUUID(), reference, account: 'acct_mapletown', ...amounts }
    studio.nextRefundStatus = 'pending'
    expect(await payment.refund(refund)).toMatchObject({ state: 'pending' })
    studio.settleRefunds('failed')
    expect(await payment.refund(refund)).toMatchObject({ state: 'failed', message: expect.stringContaining('expired') })
  })
})

describe('Stripe webhook events', () => {
  const createEvent = async (secret: string, change = (body: string) => body) => {
    const { default: Stripe } = await import('stripe')
    const paid = charge()
    await payment.charge(paid)
    const event = stripe.events.findLast(({ type }) => type === 'payment_intent.succeeded')
    const payload = JSON.stringify({ object: 'event', ...event })
    const sign = (timestamp?: number) =>
      new Stripe('sk').webhooks.generateTestHeaderString({ payload, secret, ...(timestamp && { timestamp }) })
    const read = (signature?: string) =>
      stripeEvents(stripe.settings).read(Buffer.from(change(payload)), { 'stripe-signature': signature })
    return { paid, sign, read }
  }

  it('an event with a valid signature names its attempt', async () => {
    const { paid, sign, read } = await createEvent(webhookSecret)
    expect(await read(sign())).toMatchObject({
      ...{ kind: 'payment_intent.succeeded', account: 'acct_mapletown' },
      ...{ attemptId: paid.attemptId, refundId: null, changesStatement: false },
    })
  })

  it('an event with another signature, a changed body or an old timestamp is rejected', async () => {
    const stranger = await createEvent('whsec_stranger')
    expect(await stranger.read(stranger.sign())).toBeUndefined()
    const changed = await createEvent(webhookSecret, (body) => body.replace('3333', '1'))
    expect(await changed.read(changed.sign())).toBeUndefined()
    const oldEvent = await createEvent(webhookSecret)
    expect(await oldEvent.read(oldEvent.sign(Math.floor(Date.now() / 1000) - 3600))).toBeUndefined()
    expect(await oldEvent.read('t=1,v1=00')).toBeUndefined()
    expect(await oldEvent.read()).toBeUndefined()
  })
})
