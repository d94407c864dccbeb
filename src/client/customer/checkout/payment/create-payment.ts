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

/** What every stored attempt has; `totalCents` is what the customer was shown. */
type StoredAttempt = { totalCents: number; startedAt: string }

/** What is paid for: a cart, or more of an order. Where its attempt is stored, and which calls it is sent and asked about by. */
export type Payable<Attempt extends StoredAttempt, Paying> = {
  /** The attempt whose outcome is not known. */
  current: () => Promise<Attempt | null>
  /** Stores an attempt before it is sent; one without an outcome is given back instead (`resumed`). */
  start: (paying: Paying) => Promise<{ attempt: Attempt; resumed: boolean }>
  submit: (attempt: Attempt, authentication: Authentication | undefined) => Promise<SubmitResponse>
  getOutcome: (attempt: Attempt) => Promise<CallResult<PaymentAttemptOutcome>>
  abandon: (attempt: Attempt) => Promise<CallResult<PaymentAttemptOutcome>>
  saveEnded: (attempt: Attempt) => Promise<void>
  saveOrdered: (attempt: Attempt, orderNumber: string) => Promise<void>
  /** Reads again what is open to changes once a payment of it ended. */
  refresh: () => Promise<unknown>
}

export type PaymentDependencies = { db: LocalDatabase; stamp: Stamp; timers: Timers }

export type Payment<Paying> = {
  state: Signal<PaymentState>
  /**
   * Asks for the outcome of an earlier payment; nothing without one. Its request is repeated within two minutes of the tap; later the server is
   * only asked about it, and the customer decides.
   */
  resume(): Promise<void>
  /** Pays; nothing while a payment is under way. */
  pay(paying: Paying): Promise<void>
  /** The customer's answer to the bank. */
  authenticate(answer: Authentication): Promise<void>
  /** Asks for an unknown outcome now instead of later. */
  askNow(): Promise<void>
  /** The customer wants an unfinished payment to go on. */
  finish(): Promise<void>
  /** The customer does not want an unfinished payment: asks the server never to charge it. */
  giveUp(): Promise<void>
  /** After a payment the server lost: the customer looked, and wants to pay again. */
  startOver(): Promise<void>
  /** Stops asking again; what is on its way is still written down when it comes. */
  stop(): void
}

type Sending = PaymentState & { at: 'sending' }

/**
 * One payment (section 7): ids written down before anything leaves, asked again by them until the outcome is known. Another
 * screen or tab may do the same over the same payment: each goes on by the ids it holds, and hears the same outcome.
 */
export const createPayment = <Attempt extends StoredAttempt, Paying>(
  { db, stamp, timers }: PaymentDependencies,
  payable: Payable<Attempt, Paying>,
): Payment<Paying> => {
  const state = createSignal<PaymentState>({ at: 'idle' })
  let held: Attempt | null = null
  let cancelTimer = () => {}
  let stopped = false
  let finishedAt = ''

  /** Asks what became of a payment: by its own request while that may be repeated, later without charging anything. */
  const inquire = async (attempt: Attempt, from: Sending): Promise<void> => {
    const now = stamp.now()
    if (mayResend(attempt.startedAt, now) || mayResend(finishedAt, now)) return await send(attempt, from)
    cancelTimer()
    held = attempt
    state.set(from)
    await arrive(attempt, afterAttemptOutcome(from, attempt, await payable.getOutcome(attempt)))
  }

  const send = async (attempt: Attempt, from: Sending): Promise<void> => {
    cancelTimer()
    held = attempt
    state.set(from)
    await arrive(attempt, afterSubmitResponse(from, await payable.submit(attempt, from.authentication)))
  }

  // First on the device, then on the screen: a page that dies in between finds the same on its return.
  const arrive = async (attempt: Attempt, next: PaymentState): Promise<void> => {
    await withDatabaseRetry(db, () => writeDown(attempt, next))
    state.set(next)
    if (next.at === 'unknown' && !stopped) cancelTimer = timers.after(pollDelayMs(next.asks), () => void askNow())
    if (endsAttempt(next)) await withDatabaseRetry(db, payable.refresh)
  }

  const writeDown = async (attempt: Attempt, next: PaymentState): Promise<void> => {
    if (endsAttempt(next)) await payable.saveEnded(attempt)
    if (next.at === 'ordered') await payable.saveOrdered(attempt, next.orderNumber)
  }

  const askNow = async (): Promise<void> => {
    const before = state.current()
    if (before.at !== 'unknown' || !held) return
    const { asks, authentication } = before
    await inquire(held, { at: 'sending', asks, authentication })
  }

  return {
    state,
    askNow,
    resume: async () => {
      stopped = false
      if (state.current().at === 'unknown') return askNow()
      const found = await withDatabaseRetry(db, payable.current)
      const untouched = state.current().at === 'idle'
      if (untouched && found && !('ok' in found)) await inquire(found, { at: 'sending', asks: 1 })
    },
    pay: async (paying) => {
      if (!mayPay(state.current())) return
      state.set({ at: 'sending', asks: 0 })
      const started = await withDatabaseRetry(db, () => payable.start(paying))
      if ('ok' in started) {
        const { problem, message: sentence } = started
        return state.set({ at: 'stopped', problem, sentence, places: {} })
      }
      if (started.resumed) await inquire(started.attempt, { at: 'sending', asks: 1 })
      else await send(started.attempt, { at: 'sending', asks: 0 })
    },
    authenticate: async (authentication) => {
      const before = state.current()
      if (before.at !== 'requires-action' || !held) return
      await send(held, { at: 'sending', asks: before.asks, authentication })
    },
    finish: async () => {
      const before = state.current()
      if (before.at !== 'unfinished' || !held) return
      finishedAt = stamp.now()
      await send(held, { at: 'sending', asks: before.asks })
    },
    giveUp: async () => {
      const before = state.current()
      const attempt = held
      if (before.at !== 'unfinished' || !attempt) return
      const from: Sending = { at: 'sending', asks: before.asks }
      state.set(from)
      const answer = await payable.abandon(attempt)
      const next = afterAttemptOutcome(from, attempt, answer)
      if (!answer.ok && !endsAttempt(next)) return state.set({ ...before, problem: answer.errors[0] })
      if (!answer.ok || answer.data.state !== 'ended') return await arrive(attempt, next)
      await withDatabaseRetry(db, () => payable.saveEnded(attempt))
      state.set({ at: 'idle' })
      await withDatabaseRetry(db, payable.refresh)
    },
    startOver: async () => {
      const lost = held
      if (state.current().at !== 'lost' || !lost) return
      await withDatabaseRetry(db, () => payable.saveEnded(lost))
      // Until now nothing of it was asked of a server that lost it.
      await withDatabaseRetry(db, payable.refresh)
      state.set({ at: 'idle' })
    },
    stop: () => {
      stopped = true
      cancelTimer()
    },
  }
}
