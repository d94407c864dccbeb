import { submitCheckout } from '../../../contract/checkout.ts'
import type { Stamp } from '../../../domain/mutation.ts'
import type { Ask } from '../../../local/ask.ts'
import { currentAttempt, endAttempt, markOrdered, startAttempt } from '../../../local/checkouts.ts'
import type { Attempt, CartKey, LocalDatabase } from '../../../local/database.ts'
import { dropDraft } from '../../../local/drafts.ts'
import { refreshCart } from '../../../local/refresh-cart.ts'
import type { Timers } from '../../../local/sender.ts'
import { surviving } from '../../../local/surviving.ts'
import { createSignal, type Signal } from '../../device/signal.ts'
import { draftKey } from './form-model.ts'
import {
  type Authentication,
  afterAnswer,
  askAgainAfter,
  endsAttempt,
  mayPay,
  type PaymentState,
} from './payment-states.ts'

export type PaymentParts = { db: LocalDatabase; ask: Ask; stamp: Stamp; timers: Timers; key: CartKey }

/** The card's token and the total the customer was shown. */
export type Paying = { paymentToken: string | null; totalCents: number }

export type Payment = {
  state: Signal<PaymentState>
  /** Takes up a payment of before whose outcome is not known; nothing otherwise. */
  resume(): Promise<void>
  /** Pays; nothing while a payment is under way. */
  pay(with_: Paying): Promise<void>
  /** The customer's answer to the bank. */
  authenticate(answer: Authentication): Promise<void>
  /** Asks for an unknown outcome now instead of later. */
  askNow(): Promise<void>
  /** After a payment the server lost: the customer looked, and wants to pay again. */
  startOver(): Promise<void>
  /** Stops asking again; what is on its way is still written down when it comes. */
  stop(): void
}

type Known = { checkoutId: string; attempt: Attempt }

/** The cart became an order: it is empty again on this device, and what was typed for it goes. */
export const keepOrdered = async (
  db: LocalDatabase,
  stamp: Stamp,
  { orderNumber, ...key }: CartKey & { orderNumber: string },
): Promise<void> => {
  await markOrdered(db, stamp, { ...key, orderNumber, order: null })
  await dropDraft(db, draftKey(key))
}

/** One cart's payment (section 7): ids written down before anything leaves, asked again by them until the outcome is known. */
export const createPayment = ({ db, ask, stamp, timers, key }: PaymentParts): Payment => {
  const state = createSignal<PaymentState>({ at: 'idle' })
  let cancelTimer = () => {}
  let stopped = false

  const send = async ({ checkoutId, attempt }: Known, from: PaymentState & { at: 'sending' }): Promise<void> => {
    cancelTimer()
    state.set(from)
    const { jobId, orderMethod } = key
    const { attemptId, paymentToken, totalCents } = attempt
    const { authentication } = from
    const paid = { orderMethod, checkoutId, attemptId, paymentToken, totalCents }
    const answer = await ask(submitCheckout, {
      params: { jobId },
      // The attempt is what the server knows a repetition by; a key of its own lets each question see the newest state.
      body: authentication ? { ...paid, authentication } : paid,
    })
    await arrive(afterAnswer(from, answer))
  }

  // First on the device, then on the screen: a page that dies in between finds the same on its return.
  const arrive = async (next: PaymentState): Promise<void> => {
    await surviving(db, () => writeDown(next))
    state.set(next)
    if (next.at === 'unknown' && !stopped) cancelTimer = timers.after(askAgainAfter(next.asks), () => void askNow())
    // A payment that ended thaws the cart on the server.
    if (endsAttempt(next)) await surviving(db, () => refreshCart(db, ask, key))
  }

  const writeDown = async (next: PaymentState): Promise<void> => {
    if (endsAttempt(next)) await endAttempt(db, key)
    if (next.at === 'ordered') await keepOrdered(db, stamp, { ...key, orderNumber: next.orderNumber })
  }

  const known = () => surviving(db, () => currentAttempt(db, key))

  const askNow = async (): Promise<void> => {
    const before = state.current()
    if (before.at !== 'unknown') return
    const { asks, authentication } = before
    state.set({ at: 'sending', asks, authentication })
    const found = await known()
    if (found && 'attempt' in found) return send(found, { at: 'sending', asks, authentication })
    state.set({ at: 'idle' })
  }

  return {
    state,
    askNow,
    resume: async () => {
      stopped = false
      const before = state.current()
      if (before.at === 'unknown') return askNow()
      if (before.at !== 'idle') return
      const found = await known()
      const untouched = state.current().at === 'idle'
      if (untouched && found && 'attempt' in found) return send(found, { at: 'sending', asks: 1 })
    },
    pay: async (with_) => {
      if (!mayPay(state.current())) return
      state.set({ at: 'sending', asks: 0 })
      const started = await surviving(db, () => startAttempt(db, stamp, { ...key, ...with_ }))
      if ('ok' in started) {
        const { problem, sentence } = started
        return state.set({ at: 'stopped', problem, sentence, places: [] })
      }
      await send(started, { at: 'sending', asks: started.resumed ? 1 : 0 })
    },
    authenticate: async (authentication) => {
      const before = state.current()
      if (before.at !== 'requires-action') return
      state.set({ at: 'sending', asks: before.asks, authentication })
      const found = await known()
      if (found && 'attempt' in found) await send(found, { at: 'sending', asks: before.asks, authentication })
    },
    startOver: async () => {
      if (state.current().at !== 'lost') return
      await surviving(db, () => endAttempt(db, key))
      state.set({ at: 'idle' })
    },
    stop: () => {
      stopped = true
      cancelTimer()
    },
  }
}
