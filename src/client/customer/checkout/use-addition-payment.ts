import { useEffect } from 'react'
import type { PlacedOrder } from '../../../local/addition-key.ts'
import { announceChange } from '../../device/changes.ts'
import { toast } from '../../ui/toast.ts'
import { createAdditionPayment } from './addition-payment.ts'
import { paymentParts, useResumedPayment } from './use-payment.ts'

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
