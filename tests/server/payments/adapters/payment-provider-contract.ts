import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Charge, Payment } from '#server/payments/port/payment-provider.ts'

type CardOutcome = 'pays' | 'declines' | 'insufficient' | 'authenticates'

/** What the contract needs of a provider. */
export type PaymentUnderTest = {
  /** Another adapter over the same account, as after a restart. */
  reopen: () => Payment
  /** A new card with a known outcome. */
  token: (fate: CardOutcome) => string
  account: string | null
  /** The customer's answer to the bank, which some providers learn only from the bank. */
  tellBank: (attempt: Charge, answer: 'confirmed' | 'cancelled') => Promise<void>
}

/** The contract of the payment port, which every adapter fulfils. */
export const paymentContract = (name: string, open: () => PaymentUnderTest): void => {
  describe(`payment contract of ${name}`, () => {
    const begin = () => {
      const { reopen, token, account, tellBank } = open()
      const charge = (own: Partial<Charge> = {}): Charge => ({
        attemptId: randomUUID(),
        amountCents: 2500,
        currency: 'usd',
        paymentToken: token('pays'),
        account,
        commissionCents: 125,
        beganAt: new Date(),
        ...own,
      })
      return { payment: reopen(), reopen, token, charge, tellBank }
    }

    it('an attempt is charged once, however often and concurrently it is requested', async () => {
      const { payment, reopen, charge, token } = begin()
      const paid = charge()
      const outcomes = await Promise.all([payment.charge(paid), reopen().charge(paid), payment.charge(paid)])
      expect(outcomes[0]).toMatchObject({ state: 'succeeded', reference: expect.any(String) })
      for (const outcome of outcomes) expect(outcome).toEqual(outcomes[0])
      // A retry with another token is still a retry.
      expect(await payment.charge({ ...paid, paymentToken: token('declines') })).toEqual(outcomes[0])
    })

    it('the outcome of an attempt is known after a restart, and of no other attempt', async () => {
      const { payment, reopen, charge } = begin()
      const paid = charge()
      const outcome = await payment.charge(paid)
      expect(await reopen().find(paid)).toEqual(outcome)
      expect(await reopen().find(charge())).toBeUndefined()
    })

    it('a decline has a message and is final', async () => {
      const { payment, charge, token } = begin()
      for (const paymentToken of [token('declines'), token('insufficient')]) {
        const tried = charge({ paymentToken })
        const outcome = await payment.charge(tried)
        expect(outcome).toMatchObject({ state: 'declined', message: expect.stringMatching(/\w+ \w+/) })
        expect(await payment.charge({ ...tried, paymentToken: token('pays') })).toEqual(outcome)
      }
    })

    it.each([
      ['confirmed', 'succeeded'],
      ['cancelled', 'declined'],
    ] as const)("an authenticated charge follows the bank's answer: %s", async (authentication, state) => {
      const { payment, reopen, charge, token, tellBank } = begin()
      const chargedAttempt = charge({ paymentToken: token('authenticates') })
      expect(await payment.charge(chargedAttempt)).toMatchObject({ state: 'requires-action' })
      expect(await reopen().find(chargedAttempt)).toMatchObject({ state: 'requires-action' })
      await tellBank(chargedAttempt, authentication)
      const outcome = await reopen().charge({ ...chargedAttempt, authentication })
      expect(outcome).toMatchObject({ state })
      const other = authentication === 'confirmed' ? 'cancelled' : 'confirmed'
      expect(await payment.charge({ ...chargedAttempt, authentication: other })).toEqual(outcome)
      expect(await payment.find(chargedAttempt)).toEqual(outcome)
    })

    it('partial refunds never exceed the charge, and each is made once', async () => {
      const { payment, reopen, charge, token } = begin()
      const paid = charge()
      const outcome = await payment.charge(paid)
      const reference = outcome.state === 'succeeded' ? outcome.reference : ''
      const { account } = paid
      const part = (amountCents: number) => {
        const commissionCents = amountCents / 20
        return { refundId: randomUUID(), reference, account, amountCents, commissionCents }
      }
      const [first, rest, more] = [part(1000), part(1500), part(20)]
      const done = await Promise.all([payment.refund(first), reopen().refund(first), payment.refund(rest)])
      expect(done[0]).toMatchObject({ state: 'done', reference: expect.any(String) })
      expect(done[1]).toEqual(done[0])
      expect(done[2]).toMatchObject({ state: 'done' })
      expect(await payment.refund(more)).toMatchObject({ state: 'failed', message: expect.stringMatching(/\w+ \w+/) })
      expect(await reopen().refund(first)).toEqual(done[0])
      expect(await payment.find(paid)).toEqual(outcome)
      const declined = charge({ paymentToken: token('declines') })
      const refused = await payment.charge(declined)
      const nothing = refused.state === 'declined' ? (refused.reference ?? 'none') : ''
      expect(await payment.refund({ ...part(100), reference: nothing })).toMatchObject({ state: 'failed' })
    })

    it('a closed attempt is never charged', async () => {
      const { payment, reopen, charge, token } = begin()
      const never = charge()
      expect(await payment.close(never)).toMatchObject({ state: 'declined' })
      expect(await reopen().charge(never)).toMatchObject({ state: 'declined' })
      const waiting = charge({ paymentToken: token('authenticates') })
      await payment.charge(waiting)
      expect(await payment.close(waiting)).toMatchObject({ state: 'declined' })
      expect(await payment.charge({ ...waiting, authentication: 'confirmed' })).toMatchObject({ state: 'declined' })
      const paid = charge()
      await payment.charge(paid)
      expect(await payment.close(paid)).toMatchObject({ state: 'succeeded' })
    })
  })
}
