import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Charge, Payment } from '../../../src/server/ports/payment.ts'

/** What a provider under test needs: a fresh or reopened adapter over the same account, and tokens with known fates. */
export type PaymentUnderTest = {
  /** Another adapter, as after a restart: it knows what the first one did. */
  reopen: () => Payment
  tokens: Record<'pays' | 'declines' | 'insufficient' | 'authenticates', string>
}

/** The promises of the payment port; every adapter keeps them. */
export const paymentContract = (name: string, open: () => PaymentUnderTest): void => {
  describe(`payment by ${name}`, () => {
    const begin = () => {
      const { reopen, tokens } = open()
      const charge = (own: Partial<Charge> = {}): Charge => ({
        attemptId: randomUUID(),
        amountCents: 2500,
        currency: 'usd',
        paymentToken: tokens.pays,
        account: null,
        ...own,
      })
      return { payment: reopen(), reopen, tokens, charge }
    }

    it('charges once for one attempt, however often and by however many it is asked', async () => {
      const { payment, reopen, charge, tokens } = begin()
      const paid = charge()
      const outcomes = await Promise.all([payment.charge(paid), reopen().charge(paid), payment.charge(paid)])
      expect(outcomes[0]).toMatchObject({ state: 'succeeded', reference: expect.any(String) })
      for (const outcome of outcomes) expect(outcome).toEqual(outcomes[0])
      // A repetition with another token is a repetition all the same.
      expect(await payment.charge({ ...paid, paymentToken: tokens.declines })).toEqual(outcomes[0])
    })

    it('knows after a restart what became of an attempt, and of no other', async () => {
      const { payment, reopen, charge } = begin()
      const paid = charge()
      const outcome = await payment.charge(paid)
      expect(await reopen().find(paid)).toEqual(outcome)
      expect(await reopen().find(charge())).toBeUndefined()
    })

    it('says with a sentence why a card is declined, and stays by it', async () => {
      const { payment, charge, tokens } = begin()
      for (const paymentToken of [tokens.declines, tokens.insufficient]) {
        const tried = charge({ paymentToken })
        const outcome = await payment.charge(tried)
        expect(outcome).toMatchObject({ state: 'declined', message: expect.stringMatching(/\w+ \w+/) })
        expect(await payment.charge({ ...tried, paymentToken: tokens.pays })).toEqual(outcome)
      }
    })

    it.each([
      ['confirmed', 'succeeded'],
      ['cancelled', 'declined'],
    ] as const)('goes by the bank’s answer: %s', async (authentication, state) => {
      const { payment, reopen, charge, tokens } = begin()
      const asked = charge({ paymentToken: tokens.authenticates })
      expect(await payment.charge(asked)).toMatchObject({ state: 'requires-action' })
      expect(await reopen().find(asked)).toMatchObject({ state: 'requires-action' })
      const outcome = await reopen().charge({ ...asked, authentication })
      expect(outcome).toMatchObject({ state })
      const other = authentication === 'confirmed' ? 'cancelled' : 'confirmed'
      expect(await payment.charge({ ...asked, authentication: other })).toEqual(outcome)
      expect(await payment.find(asked)).toEqual(outcome)
    })

    it('gives back in parts what was charged and never more, each part once', async () => {
      const { payment, reopen, charge, tokens } = begin()
      const paid = charge()
      const outcome = await payment.charge(paid)
      const reference = outcome.state === 'succeeded' ? outcome.reference : ''
      const { attemptId, account } = paid
      const part = (amountCents: number) => ({ refundId: randomUUID(), attemptId, reference, account, amountCents })
      const [first, rest, more] = [part(1000), part(1500), part(1)]
      const done = await Promise.all([payment.refund(first), reopen().refund(first), payment.refund(rest)])
      expect(done[0]).toMatchObject({ state: 'done', reference: expect.any(String) })
      expect(done[1]).toEqual(done[0])
      expect(done[2]).toMatchObject({ state: 'done' })
      expect(await payment.refund(more)).toMatchObject({ state: 'failed', message: expect.stringMatching(/\w+ \w+/) })
      expect(await reopen().refund(first)).toEqual(done[0])
      expect(await payment.find(paid)).toEqual(outcome)
      const declined = charge({ paymentToken: tokens.declines })
      await payment.charge(declined)
      expect(await payment.refund({ ...part(100), attemptId: declined.attemptId })).toMatchObject({ state: 'failed' })
    })

    it('charges nothing for an attempt that was closed', async () => {
      const { payment, reopen, charge, tokens } = begin()
      const never = charge()
      expect(await payment.close(never)).toMatchObject({ state: 'declined' })
      expect(await reopen().charge(never)).toMatchObject({ state: 'declined' })
      const waiting = charge({ paymentToken: tokens.authenticates })
      await payment.charge(waiting)
      expect(await payment.close(waiting)).toMatchObject({ state: 'declined' })
      expect(await payment.charge({ ...waiting, authentication: 'confirmed' })).toMatchObject({ state: 'declined' })
      const paid = charge()
      await payment.charge(paid)
      expect(await payment.close(paid)).toMatchObject({ state: 'succeeded' })
    })
  })
}
