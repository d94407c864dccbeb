import type { PaymentAttemptOutcome } from '#contract/customer/checkout-calls.ts'
import type { Stamp } from '#domain/cart/mutation.ts'
import { withDatabaseRetry } from '#local/recovery/with-database-retry.ts'
import type { LocalDatabase } from '#local/store/database.ts'
import type { CallResult } from '#local/transport/request.ts'
import type { Timers } from '#local/transport/timers.ts'
import { createSignal, type Signal } from '#platform/signal.ts'
import {
  type Authentication,
  afterAttemptOutcome,
  afterSubmitResponse,
  endsAttempt,
  mayPay,
  mayResend,
  type PaymentState,
  pollDelayMs,
  type SubmitResponse,
} from './payment-states.ts'

/** The fields of every stored attempt; `totalCents` is the amount shown to the customer. */
type StoredAttempt = { totalCents: number; startedAt: string }

/**
 * What is paid for: a cart or an order increase. Defines where its attempt is stored, and how it is submitted and
 * polled.
 */
export type Payable<Attempt extends StoredAttempt, Paying> = {
  /** The attempt with an unknown outcome, if any. */
  current: () => Promise<Attempt | null>
  /** Stores an attempt before it is sent. If an unfinished one exists, returns that instead (`resumed`). */
  start: (paying: Paying) => Promise<{ attempt: Attempt; resumed: boolean }>
  submit: (attempt: Attempt, authentication: Authentication | undefined) => Promise<SubmitResponse>
  getOutcome: (attempt: Attempt) => Promise<CallResult<PaymentAttemptOutcome>>
  abandon: (attempt: Attempt) => Promise<CallResult<PaymentAttemptOutcome>>
  saveEnded: (attempt: Attempt) => Promise<void>
  saveOrdered: (attempt: Attempt, orderNumber: string) => Promise<void>
  /** Reloads what can be edited again once its payment ended. */
  refresh: () => Promise<unknown>
}

export type PaymentDependencies = { db: LocalDatabase; stamp: Stamp; timers: Timers }

export type Payment<Paying> = {
  state: Signal<PaymentState>
  /**
   * Polls the outcome of an earlier payment, if there is one. Within two minutes of the tap it resends the request;
   * later it only polls, and the customer decides.
   */
  resume(): Promise<void>
  /** Pays; does nothing while a payment is pending. */
  pay(paying: Paying): Promise<void>
  /** Submits the customer's answer to the bank's authentication. */
  authenticate(answer: Authentication): Promise<void>
  /** Polls an unknown outcome now. */
  askNow(): Promise<void>
  /** The customer wants to complete an unfinished payment. */
  finish(): Promise<void>
  /** The customer abandons an unfinished payment: asks the server never to charge it. */
  giveUp(): Promise<void>
  /** After the server lost a payment: the customer has checked and wants to pay again. */
  startOver(): Promise<void>
  /** Stops polling. A response that is still pending is stored when it arrives. */
  stop(): void
}

type Sending = PaymentState & { at: 'sending' }

/**
 * The state machine of one payment (section 7): stores the ids before anything is sent, then polls with them until the
 * outcome is known. Other screens or tabs can drive the same payment: each uses the ids it holds and gets the same
 * outcome.
 */
export const createPayment = <Attempt extends StoredAttempt, Paying>(
  { db, stamp, timers }: PaymentDependencies,
  payable: Payable<Attempt, Paying>,
): Payment<Paying> => {
  const state = createSignal<PaymentState>({ at: 'idle' })
  let current: Attempt | null = null
  let cancelTimer = () => {}
  let stopped = false
  let finishedAt = ''

  /** Asks for the outcome of a payment: resends the request while that is allowed, later polls without charging. */
  const inquire = async (attempt: Attempt, from: Sending): Promise<void> => {
    const now = stamp.now()
    if (mayResend(attempt.startedAt, now) || mayResend(finishedAt, now)) return await send(attempt, from)
    cancelTimer()
    current = attempt
    state.set(from)
    await arrive(attempt, afterAttemptOutcome(from, attempt, await payable.getOutcome(attempt)))
  }

  const send = async (attempt: Attempt, from: Sending): Promise<void> => {
    cancelTimer()
    current = attempt
    state.set(from)
    await arrive(attempt, afterSubmitResponse(from, await payable.submit(attempt, from.authentication)))
  }

  // Store first, then render: a page that closes in between finds the same state when it returns.
  const arrive = async (attempt: Attempt, next: PaymentState): Promise<void> => {
    await withDatabaseRetry(db, () => writeDown(attempt, next))
    state.set(next)
    if (next.at === 'unknown' && !stopped) cancelTimer = timers.after(pollDelayMs(next.polls), () => void askNow())
    if (endsAttempt(next)) await withDatabaseRetry(db, payable.refresh)
  }

  const writeDown = async (attempt: Attempt, next: PaymentState): Promise<void> => {
    if (endsAttempt(next)) await payable.saveEnded(attempt)
    if (next.at === 'ordered') await payable.saveOrdered(attempt, next.orderNumber)
  }

  const askNow = async (): Promise<void> => {
    const before = state.current()
    if (before.at !== 'unknown' || !current) return
    const { polls, authentication } = before
    await inquire(current, { at: 'sending', polls, authentication })
  }

  return {
    state,
    askNow,
    resume: async () => {
      stopped = false
      if (state.current().at === 'unknown') return askNow()
      const stored = await withDatabaseRetry(db, payable.current)
      const untouched = state.current().at === 'idle'
      if (untouched && stored && !('ok' in stored)) await inquire(stored, { at: 'sending', polls: 1 })
    },
    pay: async (paying) => {
      if (!mayPay(state.current())) return
      state.set({ at: 'sending', polls: 0 })
      const started = await withDatabaseRetry(db, () => payable.start(paying))
      if ('ok' in started) {
        const { problem, message } = started
        return state.set({ at: 'stopped', problem, message, fields: {} })
      }
      if (started.resumed) await inquire(started.attempt, { at: 'sending', polls: 1 })
      else await send(started.attempt, { at: 'sending', polls: 0 })
    },
    authenticate: async (authentication) => {
      const before = state.current()
      if (before.at !== 'requires-action' || !current) return
      await send(current, { at: 'sending', polls: before.polls, authentication })
    },
    finish: async () => {
      const before = state.current()
      if (before.at !== 'unfinished' || !current) return
      finishedAt = stamp.now()
      await send(current, { at: 'sending', polls: before.polls })
    },
    giveUp: async () => {
      const before = state.current()
      const attempt = current
      if (before.at !== 'unfinished' || !attempt) return
      const from: Sending = { at: 'sending', polls: before.polls }
      state.set(from)
      const response = await payable.abandon(attempt)
      const next = afterAttemptOutcome(from, attempt, response)
      if (!response.ok && !endsAttempt(next)) return state.set({ ...before, problem: response.errors[0] })
      if (!response.ok || response.data.state !== 'ended') return await arrive(attempt, next)
      await withDatabaseRetry(db, () => payable.saveEnded(attempt))
      state.set({ at: 'idle' })
      await withDatabaseRetry(db, payable.refresh)
    },
    startOver: async () => {
      const lost = current
      if (state.current().at !== 'lost' || !lost) return
      await withDatabaseRetry(db, () => payable.saveEnded(lost))
      // After the server lost the attempt, nothing has been reloaded yet.
      await withDatabaseRetry(db, payable.refresh)
      state.set({ at: 'idle' })
    },
    stop: () => {
      stopped = true
      cancelTimer()
    },
  }
}
