import { abandonMoreAttempt, getMoreAttempt, orderMore } from '#contract/customer/order-adjustment-calls.ts'
import {
  type Addition,
  type AdditionPaying,
  currentAddition,
  endAddition,
  startAddition,
} from '#local/store/increase-payment.ts'
import type { PlacedOrder } from '#local/store/increase-payment-key.ts'
import type { Ask } from '#local/transport/request.ts'
import { createPayment, type Payable, type Payment, type PaymentParts } from '../payment/create-payment.ts'

export type AdditionPayment = Payment<AdditionPaying>

type AdditionPaymentParts = PaymentParts & { ask: Ask; order: PlacedOrder }

const payableMore = ({ db, ask, stamp, order }: AdditionPaymentParts): Payable<Addition, AdditionPaying> => {
  const { jobId, orderNumber: orderId } = order
  const params = ({ attemptId }: Addition) => ({ jobId, orderId, attemptId })
  const saveEnded = ({ attemptId }: Addition) => endAddition(db, { order, attemptId })
  return {
    current: () => currentAddition(db, order),
    start: (paying) => startAddition(db, stamp, { order, paying }),
    submit: ({ packages, attemptId, paymentToken, totalCents: chargeCents }, authentication) => {
      const paid = { packages, attemptId, paymentToken, chargeCents }
      return ask(orderMore, { params: { jobId, orderId }, body: authentication ? { ...paid, authentication } : paid })
    },
    getOutcome: (attempt) => ask(getMoreAttempt, { params: params(attempt) }),
    abandon: (attempt) => ask(abandonMoreAttempt, { params: params(attempt) }),
    saveEnded,
    saveOrdered: saveEnded,
    // The order's own screen reads the order and its price again.
    refresh: async () => {},
  }
}

/** Pays for more of a placed order. */
export const createAdditionPayment = (parts: AdditionPaymentParts): AdditionPayment =>
  createPayment(parts, payableMore(parts))
