import type { Order } from '#contract/customer/checkout-calls.ts'
import { type CustomerRoute, urls } from '#platform/urls.ts'
import { BankQuestion } from '../payment/bank-step.tsx'
import { MoreNotice } from './order-increase-notice.tsx'
import { useAdditionPayment } from './use-order-increase-payment.ts'

/** On the screen of an order that a payment for more of it has no outcome for: asks for the outcome, and says how it is. */
export const AdditionWatch = ({ order, place }: { order: Order; place: CustomerRoute }) => {
  const { payment, state } = useAdditionPayment(order)
  return (
    <>
      <MoreNotice state={state} payment={payment} order={urls.order({ ...place, orderNumber: order.orderNumber })} />
      <BankQuestion state={state} payment={payment} cents={undefined} />
    </>
  )
}
