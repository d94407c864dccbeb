import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { testPayment } from '#server/payments/adapters/payment-test.ts'
import { testStatements } from '#server/payments/adapters/payment-test-statements.ts'
import { stripePayment } from '#server/payments/adapters/stripe/payment-stripe.ts'
import { stripeStatements } from '#server/payments/adapters/stripe/stripe-statements.ts'
import { manualClock } from '#support/server/test-app.ts'
import { startFakeStripe } from '#support/stripe/fake-stripe.ts'
import { paymentContract } from './payment-provider-contract.ts'
import { statementContract } from './payment-statement-contract.ts'

const folder = mkdtempSync(join(tmpdir(), 'fieldproof-payments-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const reopen = () => testPayment({ folder, newId: randomUUID, clock: () => new Date() })

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

statementContract('the built-in provider', () => {
  const { clock, advance } = manualClock()
  const record = { folder: mkdtempSync(join(folder, 'statements-')), newId: randomUUID, clock }
  return {
    ...{ payment: testPayment(record), statements: testStatements(record), clock, account: `studio-${randomUUID()}` },
    token: () => tokens.pays,
    payOut: () => advance(24 * 60 * 60 * 1000),
  }
})

statementContract('Stripe', () => {
  const account = `acct_${randomUUID().replaceAll('-', '')}`
  const opened = stripe.open(account)
  const { balance } = opened
  return {
    ...{ payment: stripePayment(stripe.settings), statements: stripeStatements(stripe.settings), account },
    clock: () => new Date(),
    token: () => opened.token('pays'),
    payOut: () => {
      const payout = balance.payOut()
      if (payout) balance.arrive(payout)
    },
  }
})

const unknownAttempt = { amountCents: 1, currency: 'usd', account: null, platformFeeCents: 0, beganAt: new Date() }

it('an attempt id is never used as a path', async () => {
  await expect(reopen().find({ ...unknownAttempt, attemptId: '../../etc/passwd' })).rejects.toThrow('UUID')
})
