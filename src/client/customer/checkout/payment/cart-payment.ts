import { abandonPaymentAttempt, getPaymentAttempt, submitCheckout } from '#contract/customer/checkout-calls.ts'
import { currentPaymentAttempt, startPaymentAttempt } from '#local/checkout.ts'
import type { CartKey, PaymentAttempt } from '#local/store/rows.ts'
import { refreshCart } from '#local/transport/refresh-cart.ts'
import type { RequestFunction } from '#local/transport/request.ts'
import { createPayment, type Payable, type Payment, type PaymentDependencies } from './create-payment.ts'
import { saveEndedAttempt, saveOrderedCheckout } from './save-payment-result.ts'

/** The card token, and the cart's total and version as shown to the customer. */
export type CartPaymentRequest = Pick<PaymentAttempt, 'paymentToken' | 'totalCents' | 'cartVersion'>

export type CartPayment = Payment<CartPaymentRequest>

type CartAttempt = PaymentAttempt & { checkoutId: string }
type CartPaymentDependencies = PaymentDependencies & { ask: RequestFunction; key: CartKey }

const payableCart = ({ db, ask, stamp, key }: CartPaymentDependencies): Payable<CartAttempt, CartPaymentRequest> => {
  const { jobId, orderMethod } = key
  const params = ({ checkoutId, attemptId }: CartAttempt) => ({ jobId, checkoutId, attemptId })
  return {
    current: async () => {
      const stored = await currentPaymentAttempt(db, key)
      return stored && { ...stored.attempt, checkoutId: stored.checkoutId }
    },
    start: async (request) => {
      const { checkoutId, attempt, resumed } = await startPaymentAttempt(db, stamp, { ...key, ...request })
      return { attempt: { ...attempt, checkoutId }, resumed }
    },
    submit: ({ startedAt: _, ...attempt }, authentication) => {
      const body = { orderMethod, ...attempt }
      // The attempt id makes a repeat idempotent; a new key per request lets each one return the newest state.
      return ask(submitCheckout, { params: { jobId }, body: authentication ? { ...body, authentication } : body })
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
export const createCartPayment = (parts: CartPaymentDependencies): CartPayment =>
  createPayment(parts, payableCart(parts))
