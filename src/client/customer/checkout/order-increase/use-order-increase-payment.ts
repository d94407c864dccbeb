import { useEffect } from 'react'
import type { PlacedOrder } from '#local/store/increase-payment-key.ts'
import { notifyCacheUpdate } from '#platform/api/cache-updates.ts'
import { toast } from '#ui/toast/toast.ts'
import { paymentDependencies, useResumedPayment } from '../payment/use-payment.ts'
import { createOrderIncreasePayment } from './order-increase-payment.ts'

/** This order's payment for more of its packages; once it is paid everything that shows the order reads it again. */
export const useOrderIncreasePayment = ({ jobId, orderNumber }: PlacedOrder) => {
  const resumed = useResumedPayment(() =>
    createOrderIncreasePayment({ ...paymentDependencies, order: { jobId, orderNumber } }),
  )
  const isPaid = resumed.state.at === 'ordered'
  useEffect(() => {
    if (!isPaid) return
    notifyCacheUpdate(null)
    toast('Your order has more now', 'success')
  }, [isPaid])
  return resumed
}
