import { describe, expect, test } from 'vitest'
import {
  afterAnswer,
  askAgainAfter,
  endsAttempt,
  isUnderWay,
  mayPay,
  type PaymentState,
  paymentMoves,
  type Submitted,
} from '#client/customer/checkout/payment/payment-states.ts'
import { type ProblemName, problems } from '#contract/shapes/problems.ts'
import { unreachable } from '#local/transport/request.ts'

const said = (problem: ProblemName, fields?: Record<string, string[]>): Submitted => {
  const { status, sentence } = problems[problem]
  return { ok: false, status, errors: [sentence], problem, ...(fields && { fields }) }
}
const outcome = (of: 'ordered' | 'requires-action', orderNumber: string | null): Submitted => ({
  ok: true,
  status: 200,
  data: { outcome: of, orderNumber },
})
const sending = (asks = 0) => ({ at: 'sending', asks }) as const

const cases: [string, Submitted, PaymentState['at']][] = [
  ['ordered', outcome('ordered', 'FP-ABCD1234'), 'ordered'],
  ['ordered, without a number', outcome('ordered', null), 'unknown'],
  ['the bank has a question', outcome('requires-action', null), 'requires-action'],
  ['nothing came back', unreachable, 'unknown'],
  ['in flight', said('in-flight'), 'unknown'],
  ['too many tries', said('slow-down'), 'unknown'],
  ['maintenance', said('maintenance'), 'unknown'],
  ['a failure of the server', said('unexpected'), 'unknown'],
  ['an answer nobody can read', { ok: false, status: 200, errors: ['x'], problem: 'unreadable' }, 'unknown'],
  ['declined', said('payment-declined'), 'declined'],
  ['another total', said('totals-changed'), 'totals-changed'],
  ['other prices', said('prices-changed'), 'stopped'],
  ['an unfinished package', said('cart-incomplete'), 'stopped'],
  ['refused', said('refused'), 'stopped'],
  ['no such checkout', said('not-found'), 'stopped'],
]

test.each(cases)('%s', (_, answer, at) => {
  const next = afterAnswer(sending(), answer)
  expect(next.at).toBe(at)
  expect(paymentMoves.sending).toContain(next.at)
})

describe('what the table of moves says', () => {
  const states = Object.keys(paymentMoves) as PaymentState['at'][]

  test.each(states)('%s: a tap pays, something is under way, or it is over', (at) => {
    expect([mayPay({ at }), isUnderWay({ at }), at === 'ordered'].filter(Boolean)).toHaveLength(1)
  })

  test.each(states)('%s leads to sending exactly when it is not over', (at) => {
    const leads: readonly string[] = paymentMoves[at]
    expect(leads.includes('sending')).toBe(at !== 'ordered' && at !== 'sending')
  })

  test('a definite no ends the attempt, and nothing else does', () => {
    expect(states.filter((at) => endsAttempt({ at }))).toEqual(['declined', 'totals-changed', 'stopped'])
  })
})

test('a payment asked about before that nobody knows of now is lost, not refused', () => {
  expect(afterAnswer(sending(1), said('not-found')).at).toBe('lost')
  expect(afterAnswer(sending(1), said('session-unknown')).at).toBe('lost')
  expect(afterAnswer(sending(1), said('payment-declined')).at).toBe('declined')
})

test('what the bank is asked with goes along, where the page does not ask by itself', () => {
  const action = { clientSecret: 'pi_1_secret_2', publishableKey: 'pk_1', account: 'acct_1' }
  const data = { outcome: 'requires-action' as const, orderNumber: null, action }
  expect(afterAnswer(sending(), { ok: true, status: 200, data })).toEqual({ at: 'requires-action', asks: 1, action })
})

test('the answer to the bank is told again until there is an outcome', () => {
  const next = afterAnswer({ at: 'sending', asks: 2, authentication: 'confirmed' }, unreachable)
  expect(next).toEqual({ at: 'unknown', asks: 3, why: 'unreachable', authentication: 'confirmed' })
})

test('a refusal names the places it is about', () => {
  const next = afterAnswer(sending(), said('cart-incomplete', { 'line-1': ['Text is missing'] }))
  expect(next).toMatchObject({ problem: 'cart-incomplete', places: { 'line-1': ['Text is missing'] } })
})

test('asking again slows down to eight seconds', () => {
  expect([1, 2, 3, 4, 5, 9].map(askAgainAfter)).toEqual([1000, 2000, 4000, 8000, 8000, 8000])
})
