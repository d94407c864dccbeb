import { lazy, Suspense } from 'react'
import { Redirect } from 'wouter'
import { type CustomerRoute, urls } from '#platform/urls.ts'
import { Loader } from '#ui/feedback/loader.tsx'
import { type JobContextValue, useJobContext } from '../shared/job/job-context.tsx'
import { OrderingUnavailableNotice } from '../shared/job/ordering-unavailable-notice.tsx'
import styles from './checkout.module.css'
import { CheckoutForm } from './checkout-form.tsx'
import { AlreadyOrdered, EmptyCart } from './lazy-finished-checkout.ts'
import { usePendingPayment } from './payment/use-pending-payment.ts'
import { useCheckout } from './use-checkout.ts'

const CheckoutContact = lazy(async () => ({ default: (await import('./checkout-contact.tsx')).CheckoutContact }))

/** Collects all order details besides the packages, on one page (section 3, checkout details). */
export const CheckoutScreen = (_place: CustomerRoute) => {
  const event = useJobContext()
  return <Checkout key={event.orderMethod} event={event} />
}

const Checkout = ({ event }: { event: JobContextValue }) => {
  const underWay = usePendingPayment(event)
  const now = useCheckout(event, { paying: underWay !== false })
  const { cart, draft, priced, shown } = now
  const { checkoutId, orderNumber } = priced.checkout ?? {}
  // An earlier payment without an outcome comes first: no second payment may start.
  if (underWay) return <Redirect to={urls.checkoutReview(event)} replace />
  if (checkoutId && orderNumber) {
    return <AlreadyOrdered event={event} checkoutId={checkoutId} orderNumber={orderNumber} />
  }
  if (!cart || !draft.form || underWay === undefined) return <Loader />
  if (cart.lines.length === 0) return <EmptyCart event={event} />
  return (
    <div className={styles.page}>
      <h1>Checkout</h1>
      <OrderingUnavailableNotice event={event} totalCents={shown?.totalCents ?? cart.totalCents} />
      <CheckoutForm event={event} now={{ ...now, cart }} form={draft.form} />
      {event.job.checkoutContact && (
        <Suspense fallback={null}>
          <CheckoutContact contact={event.job.checkoutContact} />
        </Suspense>
      )}
    </div>
  )
}
