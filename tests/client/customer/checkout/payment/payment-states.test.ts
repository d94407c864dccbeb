import { describe, expect, test } from 'vitest'
import {
  afterAbandonResponse,
  afterSubmitResponse,
  endsAttempt,
  isPaymentPending,
  mayPay,
  type PaymentState,
  paymentTransitions,
  pollDelayMs,
  type SubmitResponse,
} from '#client/customer/checkout/payment/payment-states.ts'
import type { PaymentAttemptOutcome } from '#contract/customer/checkout-calls.ts'
import { type ProblemName, problems } from '#contract/shapes/problems.ts'
import { unreachable } from '#local/transport/request.ts'

const rejection = (problem: ProblemName, fields?: Record<string, string[]>): SubmitResponse => {
  const { status, message } = problems[problem]
  return { ok: false, status, errors: [message], problem, ...(fields && { fields }) }
}
const action = { provider: 'stripe', clientSecret: 'pi_1_secret_2', publishableKey: 'pk_1', account: 'acct_1' } as const
const outcome = (kind: 'ordered' | 'requires-action', orderNumber: string | null): SubmitResponse => ({
  ok: true,
  status: 200,
  data: { outcome: kind, orderNumber, ...(kind === 'requires-action' && { action }) },
})
const sending = (polls = 0) => ({ at: 'sending', polls }) as const

const cases: [string, SubmitResponse, PaymentState['at']][] = [
  ['an order number means ordered', outcome('ordered', 'FP-ABCD1234'), 'ordered'],
  ['an order without its number is polled', outcome('ordered', null), 'unknown'],
  ['the bank’s authentication is required', outcome('requires-action', null), 'requires-action'],
  ['no response leaves the outcome unknown', unreachable, 'unknown'],
  ['a payment in flight is polled', rejection('in-flight'), 'unknown'],
  ['too many requests leave the outcome unknown', rejection('slow-down'), 'unknown'],
  ['maintenance leaves the outcome unknown', rejection('maintenance'), 'unknown'],
  ['a server error leaves the outcome unknown', rejection('unexpected'), 'unknown'],
  [
    'an unreadable response leaves the outcome unknown',
    { ok: false, status: 200, errors: ['x'], problem: 'unreadable' },
    'unknown',
  ],
  ['a decline ends the attempt', rejection('payment-declined'), 'declined'],
  ['another total requires confirmation', rejection('totals-changed'), 'totals-changed'],
  ['changed prices stop the payment', rejection('prices-changed'), 'stopped'],
  ['an incomplete package stops the payment', rejection('cart-incomplete'), 'stopped'],
  ['a rejection stops the payment', rejection('refused'), 'stopped'],
  ['an unknown checkout stops the payment', rejection('not-found'), 'stopped'],
]

test.each(cases)('%s', (_, response, at) => {
  const nextState = afterSubmitResponse(sending(), response)
  expect(nextState.at).toBe(at)
  expect(paymentTransitions.sending).toContain(nextState.at)
})

describe('payment states', () => {
  const states = Object.keys(paymentTransitions) as PaymentState['at'][]

  test.each(states)(
    'in state %s exactly one applies: a tap pays, a payment is pending, or the order is placed',
    (at) => {
      expect([mayPay({ at }), isPaymentPending({ at }), at === 'ordered'].filter(Boolean)).toHaveLength(1)
    },
  )

  test.each(states)('state %s can change to sending, unless it is sending or ordered', (at) => {
    const nextStates: readonly string[] = paymentTransitions[at]
    expect(nextStates.includes('sending')).toBe(at !== 'ordered' && at !== 'sending')
  })

  test('only a definite failure ends the attempt', () => {
    expect(states.filter((at) => endsAttempt({ at }))).toEqual(['declined', 'totals-changed', 'stopped'])
  })
})

test('a polled payment that the server no longer knows is lost, not rejected', () => {
  expect(afterSubmitResponse(sending(1), rejection('not-found')).at).toBe('lost')
  expect(afterSubmitResponse(sending(1), rejection('session-unknown')).at).toBe('lost')
  expect(afterSubmitResponse(sending(1), rejection('payment-declined')).at).toBe('declined')
})

test('the state includes the input for the bank’s authentication', () => {
  expect(afterSubmitResponse(sending(), outcome('requires-action', null))).toEqual({
    at: 'requires-action',
    polls: 1,
    action,
  })
})

test('the result of the bank’s authentication stays in the state while the outcome is unknown', () => {
  const nextState = afterSubmitResponse({ at: 'sending', polls: 2, authentication: 'confirmed' }, unreachable)
  expect(nextState).toEqual({ at: 'unknown', polls: 3, why: 'unreachable', authentication: 'confirmed' })
})

test('a rejection names its fields', () => {
  const nextState = afterSubmitResponse(sending(), rejection('cart-incomplete', { 'line-1': ['Text is missing'] }))
  expect(nextState).toMatchObject({ problem: 'cart-incomplete', fields: { 'line-1': ['Text is missing'] } })
})

test('the poll delay increases to eight seconds', () => {
  expect([1, 2, 3, 4, 5, 9].map(pollDelayMs)).toEqual([1000, 2000, 4000, 8000, 8000, 8000])
})

describe('the state after an unfinished payment was abandoned', () => {
  const unfinished = { at: 'unfinished', polls: 3, totalCents: 4200, startedAt: '2027-04-01T10:00:00.000Z' } as const
  const attempt = (state: PaymentAttemptOutcome['state'], orderNumber: string | null = null) =>
    ({ ok: true, status: 200, data: { state, orderNumber } }) as const
  const failure = (status: number | 'unreachable', problem: string) => ({
    ok: false as const,
    status,
    problem,
    errors: ['Try again later'],
  })

  test.each<[string, Parameters<typeof afterAbandonResponse>[1], PaymentState]>([
    ['an ended attempt frees the cart', attempt('ended'), { at: 'idle' }],
    ['a charged attempt leads to its order', attempt('ordered', 'FP-1'), { at: 'ordered', orderNumber: 'FP-1' }],
    ['an attempt that is being charged is polled', attempt('charging'), { at: 'unknown', polls: 4, why: 'waiting' }],
    ['an unreachable server leaves it unfinished', unreachable, { ...unfinished, problem: unreachable.errors[0] }],
    [
      'an unknown attempt leaves it unfinished',
      failure(404, 'not-found'),
      { ...unfinished, problem: 'Try again later' },
    ],
    [
      'a rejection stops it',
      failure(422, 'refused'),
      { at: 'stopped', problem: 'refused', message: 'Try again later', fields: {} },
    ],
  ])('%s', (_, response, nextState) => {
    expect(afterAbandonResponse(unfinished, response)).toEqual(nextState)
    expect(nextState.at === 'unfinished' || paymentTransitions.sending.includes(nextState.at as never)).toBe(true)
  })
})
