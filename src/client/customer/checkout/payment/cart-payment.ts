import { abandonPaymentAttempt, getPaymentAttempt, submitCheckout } from '#contract/customer/checkout-calls.ts'
import { currentPaymentAttempt, startPaymentAttempt } from '#local/checkout.ts'
import type { CartKey, PaymentAttempt } from '#local/store/database.ts'
import { refreshCart } from '#local/transport/refresh-cart.ts'
import type { RequestFunction } from '#local/transport/request.ts'
import { createPayment, type Payable, type Payment, type PaymentDependencies } from './create-payment.ts'
import { saveEndedAttempt, saveOrderedCheckout } from './save-payment-result.ts'

/** The card token, and the cart's total and version as shown to the customer. */
export type CartPaymentRequest = Pick<PaymentAttempt, 'paymentToken' | 'totalCents' | 'cartVersion'>

export type CartPayment = Payment<CartPaymentRequest>

type CartAttempt = PaymentAttempt & { checkoutId: string }
type CartPaymentParts = PaymentDependencies & { ask: RequestFunction; key: CartKey }

const payableCart = ({ db, ask, stamp, key }: CartPaymentParts): Payable<CartAttempt, CartPaymentRequest> => {
  const { jobId, orderMethod } = key
  const params = ({ checkoutId, attemptId }: CartAttempt) => ({ jobId, checkoutId, attemptId })
  return {
    current: async () => {
      const stored = await currentPaymentAttempt(db, key)
      return stored && { ...stored.attempt, checkoutId: stored.checkoutId }
    },
    start: async (paying) => {
      const { checkoutId, attempt, resumed } = await startPaymentAttempt(db, stamp, { ...key, ...paying })
      return { attempt: { ...attempt, checkoutId }, resumed }
    },
    submit: ({ startedAt: _, ...attempt }, authentication) => {
      const paid = { orderMethod, ...attempt }
      // The attempt id makes a repeat idempotent; a new key per request lets each one return the newest state.
      return ask(submitCheckout, { params: { jobId }, body: authentication ? { ...paid, authentication } : paid })
    },
    getOutcome: (attempt) => ask(getPaymentAttempt, { params: params(attempt) }),
    abandon: (attempt) => ask(abandonPaymentAttempt, { params: params(attempt) }),
    saveEnded: ({ attemptId }) => saveEndedAttempt(db, key, attemptId),
    saveOrdered: ({ checkoutId }, orderNumber) => saveOrderedCheckout(db, stamp, { ...key, checkoutId, orderNumber }),
    // Once a payment has ended, the server unfreezes the cart.
    refresh: () => refreshCart(db, ask, key),
  }
}

/** Creates the payment for one cart. */
export const createCartPayment = (parts: CartPaymentParts): CartPayment => createPayment(parts, payableCart(parts))
