import { abandonIncreaseAttempt, getIncreaseAttempt, increaseOrder } from '#contract/customer/order-adjustment-calls.ts'
import {
  currentIncreasePayment,
  endIncreasePayment,
  type IncreasePayment,
  type IncreasePaymentInput,
  startIncreasePayment,
} from '#local/store/increase-payment.ts'
import type { PlacedOrder } from '#local/store/increase-payment-draft-key.ts'
import type { RequestFunction } from '#local/transport/request.ts'
import { createPayment, type Payable, type Payment, type PaymentDependencies } from '../payment/create-payment.ts'

export type OrderIncreasePayment = Payment<IncreasePaymentInput>

type IncreasePaymentDependencies = PaymentDependencies & { ask: RequestFunction; order: PlacedOrder }

const payableIncrease = ({
  db,
  ask,
  stamp,
  order,
}: IncreasePaymentDependencies): Payable<IncreasePayment, IncreasePaymentInput> => {
  const { jobId, orderNumber: orderId } = order
  const params = ({ attemptId }: IncreasePayment) => ({ jobId, orderId, attemptId })
  const saveEnded = ({ attemptId }: IncreasePayment) => endIncreasePayment(db, { order, attemptId })
  return {
    current: () => currentIncreasePayment(db, order),
    start: (input) => startIncreasePayment(db, stamp, { order, paying: input }),
    submit: ({ packages, attemptId, paymentToken, totalCents: chargeCents }, authentication) => {
      const body = { packages, attemptId, paymentToken, chargeCents }
      return ask(increaseOrder, {
        params: { jobId, orderId },
        body: authentication ? { ...body, authentication } : body,
      })
    },
    getOutcome: (attempt) => ask(getIncreaseAttempt, { params: params(attempt) }),
    abandon: (attempt) => ask(abandonIncreaseAttempt, { params: params(attempt) }),
    saveEnded,
    saveOrdered: saveEnded,
    // The order screen reloads the order and its quote itself.
    refresh: async () => {},
  }
}

/** Creates the payment for an order increase. */
export const createOrderIncreasePayment = (parts: IncreasePaymentDependencies): OrderIncreasePayment =>
  createPayment(parts, payableIncrease(parts))
