import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { stripePayment } from '#server/payments/adapters/payment-stripe.ts'
import { testPayment } from '#server/payments/adapters/payment-test.ts'
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
  token: (fate) => tokens[fate],
  account: null,
  tellBank: async () => {},
}))

const stripe = await startFakeStripe()
const studio = stripe.open('acct_mapletown')
afterAll(() => stripe.close())

paymentContract('Stripe', () => ({
  reopen: () => stripePayment(stripe.settings),
  token: (fate) => studio.token(fate),
  account: 'acct_mapletown',
  tellBank: async ({ attemptId }, answer) => {
    const intent = studio.intents.find(({ metadata }) => metadata.attemptId === attemptId)
    studio.bank(intent?.id ?? '', answer)
  },
}))

const nobody = { amountCents: 1, currency: 'usd', account: null, commissionCents: 0, beganAt: new Date() }

it('an attempt id is never used as a path', async () => {
  await expect(reopen().find({ ...nobody, attemptId: '../../etc/passwd' })).rejects.toThrow('UUID')
})
