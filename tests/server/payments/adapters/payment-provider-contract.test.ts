import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { testPayment } from '#server/payments/adapters/payment-test.ts'
import { stripePayment } from '#server/payments/adapters/stripe/payment-stripe.ts'
import { startFakeStripe } from '#support/stripe/fake-stripe.ts'
import { paymentContract } from './payment-provider-contract.ts'

const folder = mkdtempSync(join(tmpdir(), 'fieldproof-payments-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const reopen = () => testPayment({ folder, newId: randomUUID })

const tokens = {
  pays: 'test_visa',
  declines: 'test_declined',
  insufficient: 'test_insufficient',
  authenticates: 'test_authenticate',
}

paymentContract('the built-in provider', () => ({
  reopen,
  token: (outcome) => tokens[outcome],
  account: null,
  setBankAnswer: async () => {},
}))

const stripe = await startFakeStripe()
const studio = stripe.open('acct_mapletown')
afterAll(() => stripe.close())

paymentContract('Stripe', () => ({
  reopen: () => stripePayment(stripe.settings),
  token: (outcome) => studio.token(outcome),
  account: 'acct_mapletown',
  setBankAnswer: async ({ attemptId }, answer) => {
    const intent = studio.intents.find(({ metadata }) => metadata.attemptId === attemptId)
    studio.bank(intent?.id ?? '', answer)
  },
}))

const unknownAttempt = { amountCents: 1, currency: 'usd', account: null, commissionCents: 0, beganAt: new Date() }

it('an attempt id is never used as a path', async () => {
  await expect(reopen().find({ ...unknownAttempt, attemptId: '../../etc/passwd' })).rejects.toThrow('UUID')
})
