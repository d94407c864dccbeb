import { lazy, Suspense, useState } from 'react'
import { useCart } from '#client/customer/shared/cart/use-cart.ts'
import type { JobContextValue } from '#client/customer/shared/job/job-context.tsx'

const PaymentWatch = lazy(async () => ({
  default: (await import('#client/customer/checkout/payment/payment-in-progress.tsx')).PaymentInProgress,
}))

/** Loads the payment-status code if this cart has a pending payment. The review screen handles it itself. */
export const PendingPaymentGate = ({ event, screen }: { event: JobContextValue; screen: string }) => {
  const [isPending, setFound] = useState(false)
  const isFrozen = useCart(event.jobId, event.orderMethod)?.cart.state === 'frozen'
  if (isFrozen && !isPending) setFound(true)
  return (
    isPending &&
    screen !== 'checkout-order-review' && (
      <Suspense>
        <PaymentWatch key={event.orderMethod} event={event} onCartScreen={screen === 'customer-cart'} />
      </Suspense>
    )
  )
}
