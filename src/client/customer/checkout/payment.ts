import { abandonAttempt, getAttempt, submitCheckout } from '../../../contract/checkout.ts'
import type { Stamp } from '../../../domain/mutation.ts'
import type { Ask } from '../../../local/ask.ts'
import { currentAttempt, startAttempt } from '../../../local/checkouts.ts'
import type { Attempt, CartKey, LocalDatabase } from '../../../local/database.ts'
import { refreshCart } from '../../../local/refresh-cart.ts'
import { surviving } from '../../../local/surviving.ts'
import type { Timers } from '../../../local/timers.ts'
import { createSignal, type Signal } from '../../device/signal.ts'
import {
  type Authentication,
  afterAnswer,
  afterOutcome,
  askAgainAfter,
  endsAttempt,
  mayPay,
  mayResend,
  type PaymentState,
} from './payment-states.ts'
import { settleEnded, settleOrdered } from './settle-here.ts'

export type PaymentParts = { db: LocalDatabase; ask: Ask; stamp: Stamp; timers: Timers; key: CartKey }

/** The card's token and the total the customer was shown. */
export type Paying = { paymentToken: string | null; totalCents: number }

export type Payment = {
  state: Signal<PaymentState>
  /**
   * Asks for the outcome of an earlier payment; nothing without one. Its request is repeated within two minutes of the tap; later the server is
   * only asked about it, and the customer decides.
   */
  resume(): Promise<void>
  /** Pays; nothing while a payment is under way. */
  pay(with_: Paying): Promise<void>
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

type Known = { checkoutId: string; attempt: Attempt }
type Sending = PaymentState & { at: 'sending' }

/**
 * One cart's payment (section 7): ids written down before anything leaves, asked again by them until the outcome is known. Another
 * screen or tab may do the same over the same payment: each goes on by the ids it holds, and hears the same outcome.
 */
export const createPayment = ({ db, ask, stamp, timers, key }: PaymentParts): Payment => {
  const state = createSignal<PaymentState>({ at: 'idle' })
  let held: Known | null = null
  let cancelTimer = () => {}
  let stopped = false
  let finishedAt = ''

  const params = ({ checkoutId, attempt: { attemptId } }: Known) => ({ jobId: key.jobId, checkoutId, attemptId })

  /** Asks what became of a payment: by its own request while that may be repeated, later without charging anything. */
  const inquire = async (known: Known, from: Sending): Promise<void> => {
    const now = stamp.now()
    if (mayResend(known.attempt.startedAt, now) || mayResend(finishedAt, now)) return await send(known, from)
    cancelTimer()
    held = known
    state.set(from)
    const answer = await ask(getAttempt, { params: params(known) })
    await arrive(known, afterOutcome(from, known.attempt, answer))
  }

  const send = async (known: Known, from: Sending): Promise<void> => {
    cancelTimer()
    held = known
    state.set(from)
    const { jobId, orderMethod } = key
    const { attemptId, paymentToken, totalCents } = known.attempt
    const { authentication } = from
    const paid = { orderMethod, checkoutId: known.checkoutId, attemptId, paymentToken, totalCents }
    const answer = await ask(submitCheckout, {
      params: { jobId },
      // The attempt is what the server knows a repetition by; a key of its own lets each question see the newest state.
      body: authentication ? { ...paid, authentication } : paid,
    })
    await arrive(known, afterAnswer(from, answer))
  }

  // First on the device, then on the screen: a page that dies in between finds the same on its return.
  const arrive = async (known: Known, next: PaymentState): Promise<void> => {
    await surviving(db, () => writeDown(known, next))
    state.set(next)
    if (next.at === 'unknown' && !stopped) cancelTimer = timers.after(askAgainAfter(next.asks), () => void askNow())
    // A payment that ended thaws the cart on the server.
    if (endsAttempt(next)) await surviving(db, () => refreshCart(db, ask, key))
  }

  const writeDown = async ({ checkoutId, attempt }: Known, next: PaymentState): Promise<void> => {
    if (endsAttempt(next)) await settleEnded(db, key, attempt.attemptId)
    if (next.at === 'ordered') {
      await settleOrdered(db, stamp, { ...key, checkoutId, orderNumber: next.orderNumber })
    }
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
      const found = await surviving(db, () => currentAttempt(db, key))
      const untouched = state.current().at === 'idle'
      if (untouched && found && 'attempt' in found) await inquire(found, { at: 'sending', asks: 1 })
    },
    pay: async (with_) => {
      if (!mayPay(state.current())) return
      state.set({ at: 'sending', asks: 0 })
      const started = await surviving(db, () => startAttempt(db, stamp, { ...key, ...with_ }))
      if ('ok' in started) {
        const { problem, sentence } = started
        return state.set({ at: 'stopped', problem, sentence, places: {} })
      }
      if (started.resumed) await inquire(started, { at: 'sending', asks: 1 })
      else await send(started, { at: 'sending', asks: 0 })
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
      const known = held
      if (before.at !== 'unfinished' || !known) return
      const from: Sending = { at: 'sending', asks: before.asks }
      state.set(from)
      const answer = await ask(abandonAttempt, { params: params(known) })
      if (!answer.ok) return state.set({ ...before, problem: answer.errors[0] })
      if (answer.data.state !== 'ended') return await arrive(known, afterOutcome(from, known.attempt, answer))
      await surviving(db, () => settleEnded(db, key, known.attempt.attemptId))
      state.set({ at: 'idle' })
      await surviving(db, () => refreshCart(db, ask, key))
    },
    startOver: async () => {
      const lost = held?.attempt.attemptId
      if (state.current().at !== 'lost' || lost === undefined) return
      await surviving(db, () => settleEnded(db, key, lost))
      // Until now the cart was not told to a server that lost it.
      await surviving(db, () => refreshCart(db, ask, key))
      state.set({ at: 'idle' })
    },
    stop: () => {
      stopped = true
      cancelTimer()
    },
  }
}
