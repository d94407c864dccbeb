import type { Order } from '../../../contract/checkout.ts'
import { type CustomerRoute, urls } from '../../shell/urls.ts'
import { BankQuestion } from './bank-question.tsx'
import { MoreNotice } from './more-notice.tsx'
import { useAdditionPayment } from './use-addition-payment.ts'

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
