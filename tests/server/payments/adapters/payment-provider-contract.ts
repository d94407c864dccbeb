import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Charge, Payment } from '#server/payments/port/payment-provider.ts'

type CardOutcome = 'pays' | 'declines' | 'insufficient' | 'authenticates'

/** An adapter under test, and what the contract needs to control it. */
export type PaymentUnderTest = {
  /** Another adapter over the same account, as after a restart. */
  reopen: () => Payment
  /** A payment token of a new card with this outcome. */
  token: (outcome: CardOutcome) => string
  account: string | null
  /** Records the customer's answer to the bank, for providers that get it only from the bank. */
  setBankAnswer: (attempt: Charge, answer: 'confirmed' | 'cancelled') => Promise<void>
}

/** The contract of the payment port, which every adapter fulfils. */
export const paymentContract = (name: string, open: () => PaymentUnderTest): void => {
  describe(`payment contract of ${name}`, () => {
    const setUp = () => {
      const { reopen, token, account, setBankAnswer } = open()
      const charge = (overrides: Partial<Charge> = {}): Charge => ({
        attemptId: randomUUID(),
        amountCents: 2500,
        currency: 'usd',
        paymentToken: token('pays'),
        account,
        platformFeeCents: 125,
        beganAt: new Date(),
        ...overrides,
      })
      return { payment: reopen(), reopen, token, charge, setBankAnswer }
    }

    it('an attempt is charged once even if it is requested repeatedly and concurrently', async () => {
      const { payment, reopen, charge, token } = setUp()
      const paid = charge()
      const outcomes = await Promise.all([payment.charge(paid), reopen().charge(paid), payment.charge(paid)])
      expect(outcomes[0]).toMatchObject({ state: 'succeeded', reference: expect.any(String) })
      for (const outcome of outcomes) expect(outcome).toEqual(outcomes[0])
      // A retry with another token is still a retry.
      expect(await payment.charge({ ...paid, paymentToken: token('declines') })).toEqual(outcomes[0])
    })

    it('the outcome of an attempt can be found after a restart, and an unknown attempt has none', async () => {
      const { payment, reopen, charge } = setUp()
      const paid = charge()
      const outcome = await payment.charge(paid)
      expect(await reopen().find(paid)).toEqual(outcome)
      expect(await reopen().find(charge())).toBeUndefined()
    })

    it('a decline has a message and is final', async () => {
      const { payment, charge, token } = setUp()
      for (const paymentToken of [token('declines'), token('insufficient')]) {
        const declinedCharge = charge({ paymentToken })
        const outcome = await payment.charge(declinedCharge)
        expect(outcome).toMatchObject({ state: 'declined', message: expect.stringMatching(/\w+ \w+/) })
        expect(await payment.charge({ ...declinedCharge, paymentToken: token('pays') })).toEqual(outcome)
      }
    })

    it.each([
      ['confirmed', 'succeeded'],
      ['cancelled', 'declined'],
    ] as const)("an authenticated charge follows the bank's answer: %s", async (authentication, state) => {
      const { payment, reopen, charge, token, setBankAnswer } = setUp()
      const chargedAttempt = charge({ paymentToken: token('authenticates') })
      expect(await payment.charge(chargedAttempt)).toMatchObject({ state: 'requires-action' })
      expect(await reopen().find(chargedAttempt)).toMatchObject({ state: 'requires-action' })
      await setBankAnswer(chargedAttempt, authentication)
      const outcome = await reopen().charge({ ...chargedAttempt, authentication })
      expect(outcome).toMatchObject({ state })
      const other = authentication === 'confirmed' ? 'cancelled' : 'confirmed'
      expect(await payment.charge({ ...chargedAttempt, authentication: other })).toEqual(outcome)
      expect(await payment.find(chargedAttempt)).toEqual(outcome)
    })

    it('partial refunds never exceed the charge, and each is made once', async () => {
      const { payment, reopen, charge, token } = setUp()
      const paid = charge()
      const outcome = await payment.charge(paid)
      const reference = outcome.state === 'succeeded' ? outcome.reference : ''
      const { account } = paid
      const createRefund = (amountCents: number) => {
        const platformFeeCents = amountCents / 20
        return { refundId: randomUUID(), reference, account, amountCents, platformFeeCents }
      }
      const [first, second, exceeding] = [createRefund(1000), createRefund(1500), createRefund(20)]
      const results = await Promise.all([payment.refund(first), reopen().refund(first), payment.refund(second)])
      expect(results[0]).toMatchObject({ state: 'done', reference: expect.any(String) })
      expect(results[1]).toEqual(results[0])
      expect(results[2]).toMatchObject({ state: 'done' })
      expect(await payment.refund(exceeding)).toMatchObject({
        state: 'failed',
        message: expect.stringMatching(/\w+ \w+/),
      })
      expect(await reopen().refund(first)).toEqual(results[0])
      expect(await payment.find(paid)).toEqual(outcome)
      const declined = charge({ paymentToken: token('declines') })
      const refused = await payment.charge(declined)
      const declinedReference = refused.state === 'declined' ? (refused.reference ?? 'none') : ''
      expect(await payment.refund({ ...createRefund(100), reference: declinedReference })).toMatchObject({
        state: 'failed',
      })
    })

    it('a closed attempt is never charged, and closing a charged attempt reports that it succeeded', async () => {
      const { payment, reopen, charge, token } = setUp()
      const closedAttempt = charge()
      expect(await payment.close(closedAttempt)).toMatchObject({ state: 'declined' })
      expect(await reopen().charge(closedAttempt)).toMatchObject({ state: 'declined' })
      const pendingAttempt = charge({ paymentToken: token('authenticates') })
      await payment.charge(pendingAttempt)
      expect(await payment.close(pendingAttempt)).toMatchObject({ state: 'declined' })
      expect(await payment.charge({ ...pendingAttempt, authentication: 'confirmed' })).toMatchObject({
        state: 'declined',
      })
      const paid = charge()
      await payment.charge(paid)
      expect(await payment.close(paid)).toMatchObject({ state: 'succeeded' })
    })
  })
}
