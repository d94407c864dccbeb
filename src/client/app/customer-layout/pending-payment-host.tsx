import { lazy, Suspense, useState } from 'react'
import { useCart } from '#client/customer/shared/cart/use-cart.ts'
import type { JobContextValue } from '#client/customer/shared/job/job-context.tsx'

const PaymentInProgress = lazy(async () => ({
  default: (await import('#client/customer/checkout/payment/payment-in-progress.tsx')).PaymentInProgress,
}))

/**
 * Loads the payment-status code once this cart has had a pending payment, and keeps it to show the outcome. The review
 * screen handles it itself.
 */
export const PendingPaymentHost = ({ job, screen }: { job: JobContextValue; screen: string }) => {
  const [wasPending, setWasPending] = useState(false)
  const isFrozen = useCart(job.jobId, job.orderMethod)?.cart.state === 'frozen'
  if (isFrozen && !wasPending) setWasPending(true)
  return (
    wasPending &&
    screen !== 'checkout-order-review' && (
      <Suspense>
        <PaymentInProgress key={job.orderMethod} job={job} onCartScreen={screen === 'customer-cart'} />
      </Suspense>
    )
  )
}
