import type { Infer } from 'superstruct'
import type { NextAction, PaymentAttemptOutcome, submitCheckout } from '#contract/customer/checkout-calls.ts'
import { retryPolicy } from '#domain/shared/retry-policy.ts'
import type { FieldErrors } from '#domain/shared/validators.ts'
import type { CallResult } from '#local/transport/request.ts'

export type Authentication = 'confirmed' | 'cancelled'

/** How a payment stands. `asks` counts how often its outcome was asked for. */
export type PaymentState =
  | { at: 'idle' }
  | { at: 'sending'; asks: number; authentication?: Authentication | undefined }
  /** Nobody has told what became of it: `waiting` at the bank or the server, `unreachable` when nothing came back at all. */
  | { at: 'unknown'; asks: number; why: 'waiting' | 'unreachable'; authentication?: Authentication | undefined }
  /** `action` is with what Stripe's script asks the bank; without it, this page asks itself. */
  | { at: 'requires-action'; asks: number; action?: NextAction | undefined }
  /** Begun a while ago, and never arrived or never confirmed: only the customer decides whether it goes on. `problem`: why giving it up failed. */
  | { at: 'unfinished'; asks: number; totalCents: number; startedAt: string; problem?: string | undefined }
  | { at: 'declined'; sentence: string }
  | { at: 'totals-changed'; sentence: string }
  /** Nothing was charged, and something has to be put right first: `problem` says what, `places` what it is at which lines or fields. */
  | { at: 'stopped'; problem: string; sentence: string; places: FieldErrors }
  /** The server no longer knows this visit's payment, so that it cannot tell whether it went through. */
  | { at: 'lost' }
  | { at: 'ordered'; orderNumber: string }

/** Where each state may lead. What ends an attempt (declined, changed, stopped) leads to a new one at the next tap. */
export const paymentTransitions = {
  idle: ['sending', 'stopped'],
  sending: [
    'ordered',
    'requires-action',
    'unknown',
    'declined',
    'totals-changed',
    'stopped',
    'lost',
    'unfinished',
    'idle',
  ],
  unknown: ['sending'],
  unfinished: ['sending'],
  'requires-action': ['sending'],
  declined: ['sending', 'stopped'],
  'totals-changed': ['sending', 'stopped'],
  stopped: ['sending', 'stopped'],
  lost: ['idle', 'sending'],
  ordered: [],
} as const satisfies Record<PaymentState['at'], readonly PaymentState['at'][]>

export type SubmitResponse = CallResult<Infer<(typeof submitCheckout)['answer']>>

/** What an answer makes of a payment that was being sent. Whatever is not a definite word leaves it unknown. */
export const afterSubmitResponse = (
  { asks, authentication }: PaymentState & { at: 'sending' },
  answer: SubmitResponse,
): PaymentState => {
  if (answer.ok) {
    const { outcome, orderNumber, action } = answer.data
    if (outcome === 'requires-action') return { at: 'requires-action', asks: asks + 1, ...(action && { action }) }
    if (orderNumber !== null) return { at: 'ordered', orderNumber }
    return { at: 'unknown', asks: asks + 1, why: 'waiting', authentication }
  }
  const { status, problem = 'refused' } = answer
  const sentence = answer.errors[0] ?? 'An error occurred'
  if (retryPolicy(status, problem) === 'retry' || problem === 'unreadable') {
    return { at: 'unknown', asks: asks + 1, why: status === 'unreachable' ? 'unreachable' : 'waiting', authentication }
  }
  if (problem === 'payment-declined') return { at: 'declined', sentence }
  if (problem === 'totals-changed') return { at: 'totals-changed', sentence }
  // Asked before, and now nobody knows of it: it may have been paid by then.
  if (asks > 0 && [401, 403, 404].some((one) => one === status)) return { at: 'lost' }
  return { at: 'stopped', problem, sentence, places: answer.fields ?? {} }
}

/** Milliseconds after a tap within which its request is repeated without asking the customer (section 7). */
const resendMs = 2 * 60_000

/** Whether an instant is so recent that what was tapped then may be repeated; false where the clock was set back since. */
export const mayResend = (tappedAt: string, now: string): boolean => {
  const age = Date.parse(now) - Date.parse(tappedAt)
  return age >= 0 && age < resendMs
}

type Begun = { totalCents: number; startedAt: string }

/** What the server's word on an attempt makes of a payment whose outcome was asked for without sending it. */
export const afterAttemptOutcome = (
  { asks }: PaymentState & { at: 'sending' },
  { totalCents, startedAt }: Begun,
  answer: CallResult<PaymentAttemptOutcome>,
): PaymentState => {
  const waiting = { at: 'unknown', asks: asks + 1, why: 'waiting' } as const
  if (answer.ok) {
    const { state, orderNumber } = answer.data
    if (orderNumber !== null) return { at: 'ordered', orderNumber }
    if (state === 'ended') return { at: 'declined', sentence: 'Your payment did not go through' }
    return state === 'unfinished' ? { at: 'unfinished', asks: asks + 1, totalCents, startedAt } : waiting
  }
  if ([401, 403, 404].some((one) => one === answer.status)) return { at: 'lost' }
  const { status, problem, errors } = answer
  // Paid too late to add anything: the money goes back.
  if (problem === 'refused') return { at: 'stopped', problem, sentence: errors[0] ?? 'An error occurred', places: {} }
  return status === 'unreachable' ? { ...waiting, why: 'unreachable' } : waiting
}

/** Whether this is a definite no: the attempt is over, and the next tap makes a new one (section 7). */
export const endsAttempt = ({ at }: { at: PaymentState['at'] }): boolean =>
  at === 'declined' || at === 'totals-changed' || at === 'stopped'

/** Whether a tap on Pay begins something: never beside a payment that is under way. */
export const mayPay = ({ at }: { at: PaymentState['at'] }): boolean => at === 'idle' || endsAttempt({ at })

/** Milliseconds until the outcome is asked for again: a second first, doubling up to eight. */
export const pollDelayMs = (asks: number): number => Math.min(8000, 1000 * 2 ** Math.max(0, asks - 1))

/** Whether something of it may still come: the screen holds still, and nothing else is begun. */
export const isPaymentPending = ({ at }: { at: PaymentState['at'] }): boolean => !mayPay({ at }) && at !== 'ordered'
