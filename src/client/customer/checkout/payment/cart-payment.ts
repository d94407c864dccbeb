import { abandonPaymentAttempt, getPaymentAttempt, submitCheckout } from '#contract/customer/checkout-calls.ts'
import { currentPaymentAttempt, startPaymentAttempt } from '#local/checkout.ts'
import type { CartKey, PaymentAttempt } from '#local/store/database.ts'
import { refreshCart } from '#local/transport/refresh-cart.ts'
import type { RequestFunction } from '#local/transport/request.ts'
import { createPayment, type Payable, type Payment, type PaymentDependencies } from './create-payment.ts'
import { saveEndedAttempt, saveOrderedCheckout } from './save-payment-result.ts'

/** The card's token, and the total and version of the cart that the customer was shown. */
export type CartPaymentRequest = Pick<PaymentAttempt, 'paymentToken' | 'totalCents' | 'cartVersion'>

export type CartPayment = Payment<CartPaymentRequest>

type CartAttempt = PaymentAttempt & { checkoutId: string }
type CartPaymentParts = PaymentDependencies & { ask: RequestFunction; key: CartKey }

const payableCart = ({ db, ask, stamp, key }: CartPaymentParts): Payable<CartAttempt, CartPaymentRequest> => {
  const { jobId, orderMethod } = key
  const params = ({ checkoutId, attemptId }: CartAttempt) => ({ jobId, checkoutId, attemptId })
  return {
    current: async () => {
      const found = await currentPaymentAttempt(db, key)
      return found && { ...found.attempt, checkoutId: found.checkoutId }
    },
    start: async (paying) => {
      const { checkoutId, attempt, resumed } = await startPaymentAttempt(db, stamp, { ...key, ...paying })
      return { attempt: { ...attempt, checkoutId }, resumed }
    },
    submit: ({ startedAt: _, ...attempt }, authentication) => {
      const paid = { orderMethod, ...attempt }
      // The attempt is what the server knows a repetition by; a key of its own lets each question see the newest state.
      return ask(submitCheckout, { params: { jobId }, body: authentication ? { ...paid, authentication } : paid })
    },
    getOutcome: (attempt) => ask(getPaymentAttempt, { params: params(attempt) }),
    abandon: (attempt) => ask(abandonPaymentAttempt, { params: params(attempt) }),
    saveEnded: ({ attemptId }) => saveEndedAttempt(db, key, attemptId),
    saveOrdered: ({ checkoutId }, orderNumber) => saveOrderedCheckout(db, stamp, { ...key, checkoutId, orderNumber }),
    // A payment that ended thaws the cart on the server.
    refresh: () => refreshCart(db, ask, key),
  }
}

/** Pays for one cart. */
export const createCartPayment = (parts: CartPaymentParts): CartPayment => createPayment(parts, payableCart(parts))
