import { useEffect } from 'react'
import type { PlacedOrder } from '#local/store/increase-payment-draft-key.ts'
import { notifyCacheUpdate } from '#platform/api/cache-updates.ts'
import { toast } from '#ui/toast/toast.ts'
import { paymentDependencies, useResumedPayment } from '../payment/use-payment.ts'
import { createOrderIncreasePayment } from './order-increase-payment.ts'

/** The payment for this order's increase. Once paid, every view of the order reloads it. */
export const useOrderIncreasePayment = ({ jobId, orderNumber }: PlacedOrder) => {
  const resumed = useResumedPayment(() =>
    createOrderIncreasePayment({ ...paymentDependencies, order: { jobId, orderNumber } }),
  )
  const isPaid = resumed.state.at === 'ordered'
  useEffect(() => {
    if (!isPaid) return
    notifyCacheUpdate(null)
    toast('Added to your order', 'success')
  }, [isPaid])
  return resumed
}
