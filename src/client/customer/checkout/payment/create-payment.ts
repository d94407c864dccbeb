import type { PaymentAttemptOutcome } from '#contract/customer/checkout-calls.ts'
import type { Stamp } from '#domain/cart/mutation.ts'
import { withDatabaseRetry } from '#local/recovery/with-database-retry.ts'
import type { LocalDatabase } from '#local/store/database.ts'
import type { CallResult } from '#local/transport/request.ts'
import type { Timers } from '#local/transport/timers.ts'
import { createSignal, type Signal } from '#platform/signal.ts'
import {
  type Authentication,
  afterAbandonResponse,
  afterAttemptOutcome,
  afterDeviceFailure,
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
  /** Reloads the cart, which can be edited again after its payment ended; does nothing for an order increase. */
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
  pollNow(): Promise<void>
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

/** What happens next in one state. It does nothing in any other state, e.g. after a second tap. */
type Action<Attempt, At extends PaymentState['at']> = (
  attempt: Attempt,
  before: PaymentState & { at: At },
) => Promise<void>

const isAt = <At extends PaymentState['at']>(state: PaymentState, at: At): state is PaymentState & { at: At } =>
  state.at === at

/** Whether the attempt is over, so that the next tap creates a new one: it failed, or the customer gave it up. */
const isOver = (state: PaymentState): boolean => endsAttempt(state) || state.at === 'idle'

const mayResendAny = (taps: readonly string[], now: string): boolean =>
  taps.some((tappedAt) => mayResend(tappedAt, now))

const saveState = async <Attempt extends StoredAttempt>(
  { saveEnded, saveOrdered }: Pick<Payable<Attempt, never>, 'saveEnded' | 'saveOrdered'>,
  attempt: Attempt,
  next: PaymentState,
): Promise<void> => {
  if (isOver(next)) await saveEnded(attempt)
  if (next.at === 'ordered') await saveOrdered(attempt, next.orderNumber)
}

const toSending = ({ polls, authentication }: PaymentState & { at: 'unknown' }): Sending => ({
  at: 'sending',
  polls,
  authentication,
})

/**
 * The state machine of one payment: stores the ids before anything is sent, then polls with them until the outcome is
 * known. Other screens or tabs can drive the same payment: each uses the ids it holds and gets the same outcome.
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

  const startRequest = (attempt: Attempt, from: Sending): void => {
    cancelTimer()
    current = attempt
    state.set(from)
  }
  const send = async (attempt: Attempt, from: Sending): Promise<void> => {
    startRequest(attempt, from)
    await applyState(attempt, afterSubmitResponse(from, await payable.submit(attempt, from.authentication)))
  }
  /** Fetches the outcome of a payment: resends the request while that is allowed, later only polls. */
  const fetchOutcome = async (attempt: Attempt, from: Sending): Promise<void> => {
    if (mayResendAny([attempt.startedAt, finishedAt], stamp.now())) return await send(attempt, from)
    startRequest(attempt, from)
    await applyState(attempt, afterAttemptOutcome(from, attempt, await payable.getOutcome(attempt)))
  }
  // Store first, then render: a page that closes in between finds the same state when it returns.
  const applyState = async (attempt: Attempt, next: PaymentState): Promise<void> => {
    await withDatabaseRetry(db, () => saveState(payable, attempt, next))
    state.set(next)
    if (isAt(next, 'unknown') && !stopped) cancelTimer = timers.after(pollDelayMs(next.polls), () => void pollNow())
    if (isOver(next)) await withDatabaseRetry(db, payable.refresh)
  }
  const when = async <At extends PaymentState['at']>(at: At, action: Action<Attempt, At>): Promise<void> => {
    const before = state.current()
    if (isAt(before, at) && current) await action(current, before)
  }
  const pollNow = () => when('unknown', (attempt, before) => fetchOutcome(attempt, toSending(before)))

  return {
    state,
    pollNow,
    resume: async () => {
      stopped = false
      if (state.current().at === 'unknown') return pollNow()
      const stored = await withDatabaseRetry(db, payable.current)
      if (!stored || 'ok' in stored || state.current().at !== 'idle') return
      await fetchOutcome(stored, { at: 'sending', polls: 1 })
    },
    pay: async (paying) => {
      if (!mayPay(state.current())) return
      state.set({ at: 'sending', polls: 0 })
      const started = await withDatabaseRetry(db, () => payable.start(paying))
      if ('ok' in started) return state.set(afterDeviceFailure(started))
      await (started.resumed ? fetchOutcome : send)(started.attempt, { at: 'sending', polls: started.resumed ? 1 : 0 })
    },
    authenticate: (authentication) =>
      when('requires-action', (attempt, { polls }) => send(attempt, { at: 'sending', polls, authentication })),
    finish: () =>
      when('unfinished', async (attempt, { polls }) => {
        finishedAt = stamp.now()
        await send(attempt, { at: 'sending', polls })
      }),
    giveUp: () =>
      when('unfinished', async (attempt, before) => {
        state.set({ at: 'sending', polls: before.polls })
        await applyState(attempt, afterAbandonResponse(before, await payable.abandon(attempt)))
      }),
    startOver: () =>
      when('lost', async (attempt) => {
        await withDatabaseRetry(db, () => payable.saveEnded(attempt))
        // After the server lost the attempt, nothing has been reloaded yet.
        await withDatabaseRetry(db, payable.refresh)
        state.set({ at: 'idle' })
      }),
    stop: () => {
      stopped = true
      cancelTimer()
    },
  }
}
