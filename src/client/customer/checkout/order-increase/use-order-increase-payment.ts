import { useEffect } from 'react'
import type { PlacedOrder } from '#local/store/increase-payment-key.ts'
import { announceChange } from '#platform/api/cache-updates.ts'
import { toast } from '#ui/toast/toast.ts'
import { paymentParts, useResumedPayment } from '../payment/use-payment.ts'
import { createAdditionPayment } from './order-increase-payment.ts'

/** This order's payment for more of its packages; once it is paid everything that shows the order reads it again. */
export const useAdditionPayment = ({ jobId, orderNumber }: PlacedOrder) => {
  const resumed = useResumedPayment(() => createAdditionPayment({ ...paymentParts, order: { jobId, orderNumber } }))
  const isPaid = resumed.state.at === 'ordered'
  useEffect(() => {
    if (!isPaid) return
    announceChange(null)
    toast('Your order has more now', 'success')
  }, [isPaid])
  return resumed
}
