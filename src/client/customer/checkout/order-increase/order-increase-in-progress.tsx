import type { Order } from '#contract/customer/order-calls.ts'
import { type CustomerRoute, urls } from '#platform/urls.ts'
import { BankStep } from '../payment/bank-step.tsx'
import { OrderIncreaseNotice } from './order-increase-notice.tsx'
import { useOrderIncreasePayment } from './use-order-increase-payment.ts'

/** On the screen of an order with a pending increase payment: polls for the outcome and shows the status. */
export const OrderIncreaseInProgress = ({ order, route }: { order: Order; route: CustomerRoute }) => {
  const { payment, state } = useOrderIncreasePayment(order)
  return (
    <>
      <OrderIncreaseNotice
        state={state}
        payment={payment}
        orderUrl={urls.order({ ...route, orderNumber: order.orderNumber })}
      />
      <BankStep state={state} payment={payment} cents={undefined} />
    </>
  )
}
