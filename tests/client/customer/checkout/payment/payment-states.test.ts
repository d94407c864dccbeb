import { describe, expect, test } from 'vitest'
import {
  afterSubmitResponse,
  endsAttempt,
  isPaymentPending,
  mayPay,
  type PaymentState,
  paymentTransitions,
  pollDelayMs,
  type SubmitResponse,
} from '#client/customer/checkout/payment/payment-states.ts'
import { type ProblemName, problems } from '#contract/shapes/problems.ts'
import { unreachable } from '#local/transport/request.ts'

const said = (problem: ProblemName, fields?: Record<string, string[]>): SubmitResponse => {
  const { status, sentence } = problems[problem]
  return { ok: false, status, errors: [sentence], problem, ...(fields && { fields }) }
}
const outcome = (of: 'ordered' | 'requires-action', orderNumber: string | null): SubmitResponse => ({
  ok: true,
  status: 200,
  data: { outcome: of, orderNumber },
})
const sending = (polls = 0) => ({ at: 'sending', polls }) as const

const cases: [string, SubmitResponse, PaymentState['at']][] = [
  ['an order number means ordered', outcome('ordered', 'FP-ABCD1234'), 'ordered'],
  ['an order without its number is polled', outcome('ordered', null), 'unknown'],
  ['the bank’s authentication is required', outcome('requires-action', null), 'requires-action'],
  ['no response leaves the outcome unknown', unreachable, 'unknown'],
  ['a payment in flight is polled', said('in-flight'), 'unknown'],
  ['too many requests leave the outcome unknown', said('slow-down'), 'unknown'],
  ['maintenance leaves the outcome unknown', said('maintenance'), 'unknown'],
  ['a server error leaves the outcome unknown', said('unexpected'), 'unknown'],
  [
    'an unreadable response leaves the outcome unknown',
    { ok: false, status: 200, errors: ['x'], problem: 'unreadable' },
    'unknown',
  ],
  ['a decline ends the attempt', said('payment-declined'), 'declined'],
  ['another total requires confirmation', said('totals-changed'), 'totals-changed'],
  ['changed prices require confirmation', said('prices-changed'), 'stopped'],
  ['an incomplete package stops the payment', said('cart-incomplete'), 'stopped'],
  ['a rejection stops the payment', said('refused'), 'stopped'],
  ['an unknown checkout stops the payment', said('not-found'), 'stopped'],
]

test.each(cases)('%s', (_, response, at) => {
  const next = afterSubmitResponse(sending(), response)
  expect(next.at).toBe(at)
  expect(paymentTransitions.sending).toContain(next.at)
})

describe('payment states', () => {
  const states = Object.keys(paymentTransitions) as PaymentState['at'][]

  test.each(states)('in state %s, a tap pays, a payment is pending, or it is over', (at) => {
    expect([mayPay({ at }), isPaymentPending({ at }), at === 'ordered'].filter(Boolean)).toHaveLength(1)
  })

  test.each(states)('state %s allows sending exactly when no payment is pending', (at) => {
    const leads: readonly string[] = paymentTransitions[at]
    expect(leads.includes('sending')).toBe(at !== 'ordered' && at !== 'sending')
  })

  test('only a definite failure ends the attempt', () => {
    expect(states.filter((at) => endsAttempt({ at }))).toEqual(['declined', 'totals-changed', 'stopped'])
  })
})

test('a polled payment that the server no longer knows is lost, not rejected', () => {
  expect(afterSubmitResponse(sending(1), said('not-found')).at).toBe('lost')
  expect(afterSubmitResponse(sending(1), said('session-unknown')).at).toBe('lost')
  expect(afterSubmitResponse(sending(1), said('payment-declined')).at).toBe('declined')
})

test('the bank’s action is included unless the page shows the test step', () => {
  const action = { clientSecret: 'pi_1_secret_2', publishableKey: 'pk_1', account: 'acct_1' }
  const data = { outcome: 'requires-action' as const, orderNumber: null, action }
  expect(afterSubmitResponse(sending(), { ok: true, status: 200, data })).toEqual({
    at: 'requires-action',
    polls: 1,
    action,
  })
})

test('the answer to the bank is resent until there is an outcome', () => {
  const next = afterSubmitResponse({ at: 'sending', polls: 2, authentication: 'confirmed' }, unreachable)
  expect(next).toEqual({ at: 'unknown', polls: 3, why: 'unreachable', authentication: 'confirmed' })
})

test('a rejection names its fields', () => {
  const next = afterSubmitResponse(sending(), said('cart-incomplete', { 'line-1': ['Text is missing'] }))
  expect(next).toMatchObject({ problem: 'cart-incomplete', fields: { 'line-1': ['Text is missing'] } })
})

test('the poll delay increases to eight seconds', () => {
  expect([1, 2, 3, 4, 5, 9].map(pollDelayMs)).toEqual([1000, 2000, 4000, 8000, 8000, 8000])
})
