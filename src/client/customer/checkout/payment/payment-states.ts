import type { Infer } from 'superstruct'
import type { NextAction, PaymentAttemptOutcome, submitCheckout } from '#contract/customer/checkout-calls.ts'
import { retryPolicy } from '#domain/shared/retry-policy.ts'
import type { FieldErrors } from '#domain/shared/validators.ts'
import type { DeviceFailure } from '#local/recovery/with-database-retry.ts'
import type { CallResult } from '#local/transport/request.ts'

export type Authentication = 'confirmed' | 'cancelled'

/** The state of a payment. `polls` counts the polls so far. */
export type PaymentState =
  | { at: 'idle' }
  | { at: 'sending'; polls: number; authentication?: Authentication | undefined }
  /** The outcome is unknown: `waiting` for the bank or the server, `unreachable` if there was no response at all. */
  | { at: 'unknown'; polls: number; why: 'waiting' | 'unreachable'; authentication?: Authentication | undefined }
  /** The provider's module runs the bank's authentication with `action`. */
  | { at: 'requires-action'; polls: number; action: NextAction }
  /**
   * Started a while ago, and never received or never confirmed: only the customer decides whether it continues.
   * `problem`: why cancelling it failed.
   */
  | { at: 'unfinished'; polls: number; totalCents: number; startedAt: string; problem?: string | undefined }
  | { at: 'declined'; message: string }
  | { at: 'totals-changed'; message: string }
  /** Nothing was charged, and a correction is required: `problem` says what, `fields` which lines or form fields. */
  | { at: 'stopped'; problem: string; message: string; fields: FieldErrors }
  /** The server no longer knows this session's payment, so the outcome cannot be determined. */
  | { at: 'lost' }
  | { at: 'ordered'; orderNumber: string }

/**
 * Allowed transitions. A state that ends the attempt (declined, changed, stopped) leads to a new attempt at the next
 * tap.
 */
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

/** The next state if the attempt could not be stored, so that it was not sent. */
export const afterDeviceFailure = ({ problem, message }: DeviceFailure): PaymentState => ({
  at: 'stopped',
  problem,
  message,
  fields: {},
})

export type SubmitResponse = CallResult<Infer<(typeof submitCheckout)['answer']>>

/** The next state after a submit response. Anything but a definite answer leaves the outcome unknown. */
export const afterSubmitResponse = (
  { polls, authentication }: PaymentState & { at: 'sending' },
  response: SubmitResponse,
): PaymentState => {
  if (response.ok) {
    const { outcome, orderNumber, action } = response.data
    if (outcome === 'requires-action' && action) return { at: 'requires-action', polls: polls + 1, action }
    if (orderNumber !== null) return { at: 'ordered', orderNumber }
    return { at: 'unknown', polls: polls + 1, why: 'waiting', authentication }
  }
  const { status, problem = 'refused' } = response
  const message = response.errors[0] ?? 'An error occurred'
  if (retryPolicy(status, problem) === 'retry' || problem === 'unreadable') {
    return {
      at: 'unknown',
      polls: polls + 1,
      why: status === 'unreachable' ? 'unreachable' : 'waiting',
      authentication,
    }
  }
  if (problem === 'payment-declined') return { at: 'declined', message }
  if (problem === 'totals-changed') return { at: 'totals-changed', message }
  // Polled before, and now the server does not know it: it may have been paid in the meantime.
  if (polls > 0 && [401, 403, 404].some((lostStatus) => lostStatus === status)) return { at: 'lost' }
  return { at: 'stopped', problem, message, fields: response.fields ?? {} }
}

/** Milliseconds after a tap within which its request is resent without asking the customer. */
const resendMs = 2 * 60_000

/** Whether a request tapped at this instant may be resent; false if the clock was set back in between. */
export const mayResend = (tappedAt: string, now: string): boolean => {
  const age = Date.parse(now) - Date.parse(tappedAt)
  return age >= 0 && age < resendMs
}

type StartedPayment = { totalCents: number; startedAt: string }

/** The next state after the server's answer to a poll, which does not submit the payment. */
export const afterAttemptOutcome = (
  { polls }: { polls: number },
  { totalCents, startedAt }: StartedPayment,
  response: CallResult<PaymentAttemptOutcome>,
): PaymentState => {
  const waiting = { at: 'unknown', polls: polls + 1, why: 'waiting' } as const
  if (response.ok) {
    const { state, orderNumber } = response.data
    if (orderNumber !== null) return { at: 'ordered', orderNumber }
    if (state === 'ended') return { at: 'declined', message: 'Your payment did not go through' }
    return state === 'unfinished' ? { at: 'unfinished', polls: polls + 1, totalCents, startedAt } : waiting
  }
  if ([401, 403, 404].some((lostStatus) => lostStatus === response.status)) return { at: 'lost' }
  const { status, problem, errors } = response
  // Paid too late to add anything: the money is refunded.
  if (problem === 'refused') return { at: 'stopped', problem, message: errors[0] ?? 'An error occurred', fields: {} }
  return status === 'unreachable' ? { ...waiting, why: 'unreachable' } : waiting
}

/**
 * The next state after the server was asked never to charge an unfinished payment. It stays unfinished if the request
 * failed.
 */
export const afterAbandonResponse = (
  before: PaymentState & { at: 'unfinished' },
  response: CallResult<PaymentAttemptOutcome>,
): PaymentState => {
  if (response.ok && response.data.state === 'ended') return { at: 'idle' }
  const next = afterAttemptOutcome(before, before, response)
  return response.ok || endsAttempt(next) ? next : { ...before, problem: response.errors[0] }
}

/** Whether the payment definitely failed: the attempt is over, and the next tap creates a new one. */
export const endsAttempt = ({ at }: { at: PaymentState['at'] }): boolean =>
  at === 'declined' || at === 'totals-changed' || at === 'stopped'

/** Whether a tap on Pay starts a payment: never while one is pending. */
export const mayPay = ({ at }: { at: PaymentState['at'] }): boolean => at === 'idle' || endsAttempt({ at })

/** Milliseconds until the next poll: one second, doubling up to eight. */
export const pollDelayMs = (polls: number): number => Math.min(8000, 1000 * 2 ** Math.max(0, polls - 1))

/** Whether an outcome can still arrive: the screen is locked and nothing else may start. */
export const isPaymentPending = ({ at }: { at: PaymentState['at'] }): boolean => !mayPay({ at }) && at !== 'ordered'
