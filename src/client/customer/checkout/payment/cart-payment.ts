import { abandonAttempt, getAttempt, submitCheckout } from '#contract/customer/checkout-calls.ts'
import { currentAttempt, startAttempt } from '#local/checkout.ts'
import type { Attempt, CartKey } from '#local/store/database.ts'
import { refreshCart } from '#local/transport/refresh-cart.ts'
import type { Ask } from '#local/transport/request.ts'
import { createPayment, type Payable, type Payment, type PaymentParts } from './create-payment.ts'
import { settleEnded, settleOrdered } from './save-payment-result.ts'

/** The card's token, and the total and version of the cart that the customer was shown. */
export type CartPaying = Pick<Attempt, 'paymentToken' | 'totalCents' | 'cartVersion'>

export type CartPayment = Payment<CartPaying>

type CartAttempt = Attempt & { checkoutId: string }
type CartPaymentParts = PaymentParts & { ask: Ask; key: CartKey }

const payableCart = ({ db, ask, stamp, key }: CartPaymentParts): Payable<CartAttempt, CartPaying> => {
  const { jobId, orderMethod } = key
  const params = ({ checkoutId, attemptId }: CartAttempt) => ({ jobId, checkoutId, attemptId })
  return {
    current: async () => {
      const found = await currentAttempt(db, key)
      return found && { ...found.attempt, checkoutId: found.checkoutId }
    },
    start: async (paying) => {
      const { checkoutId, attempt, resumed } = await startAttempt(db, stamp, { ...key, ...paying })
      return { attempt: { ...attempt, checkoutId }, resumed }
    },
    submit: ({ startedAt: _, ...attempt }, authentication) => {
      const paid = { orderMethod, ...attempt }
      // The attempt is what the server knows a repetition by; a key of its own lets each question see the newest state.
      return ask(submitCheckout, { params: { jobId }, body: authentication ? { ...paid, authentication } : paid })
    },
    getOutcome: (attempt) => ask(getAttempt, { params: params(attempt) }),
    abandon: (attempt) => ask(abandonAttempt, { params: params(attempt) }),
    saveEnded: ({ attemptId }) => settleEnded(db, key, attemptId),
    saveOrdered: ({ checkoutId }, orderNumber) => settleOrdered(db, stamp, { ...key, checkoutId, orderNumber }),
    // A payment that ended thaws the cart on the server.
    refresh: () => refreshCart(db, ask, key),
  }
}

/** Pays for one cart. */
export const createCartPayment = (parts: CartPaymentParts): CartPayment => createPayment(parts, payableCart(parts))
