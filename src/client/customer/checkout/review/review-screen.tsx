import { useEffect } from 'react'
import { Redirect } from 'wouter'
import { type JobContextValue, useJobContext } from '#client/customer/shared/job/job-context.tsx'
import { type CustomerRoute, urls } from '#platform/urls.ts'
import { Loader } from '#ui/feedback/loader.tsx'
import { clearCard, markCardDeclined } from '../card/chosen-card.ts'
import styles from '../checkout.module.css'
import { AlreadyOrdered, EmptyCart } from '../lazy-finished-checkout.ts'
import { isPaymentPending } from '../payment/payment-states.ts'
import { usePayment } from '../payment/use-payment.ts'
import { useCheckout } from '../use-checkout.ts'
import { ReviewAndPay } from './review-and-pay.tsx'

/** The complete order with the pay button. */
export const ReviewScreen = (_place: CustomerRoute) => {
  const event = useJobContext()
  return <Review key={event.orderMethod} event={event} />
}

const Review = ({ event }: { event: JobContextValue }) => {
  const { payment, state } = usePayment(event)
  const underWay = isPaymentPending(state)
  const { jobId, orderMethod } = event
  useEffect(() => {
    if (state.at === 'declined') markCardDeclined({ jobId, orderMethod })
    if (state.at === 'ordered') clearCard({ jobId, orderMethod })
  }, [state.at, jobId, orderMethod])
  const now = useCheckout(event, { paying: underWay })
  const { cart, draft, priced } = now
  const { checkoutId, orderNumber } = underWay ? {} : (priced.checkout ?? {})
  if (state.at === 'ordered') return <Ordered event={event} orderNumber={state.orderNumber} />
  if (checkoutId && orderNumber) {
    return <AlreadyOrdered event={event} checkoutId={checkoutId} orderNumber={orderNumber} />
  }
  if (!cart || !draft.form) return <Loader />
  // An empty cart with a pending payment was just ordered: it has nothing to show, but is not "empty".
  if (cart.lines.length === 0 && !underWay) return <EmptyCart event={event} />
  return (
    <div className={styles.page}>
      <h1>Review your order</h1>
      <ReviewAndPay event={event} now={{ ...now, cart }} form={draft.form} payment={payment} state={state} />
    </div>
  )
}

const Ordered = ({ event, orderNumber }: { event: JobContextValue; orderNumber: string }) => (
  <Redirect to={urls.order({ studioSlug: event.studioSlug, jobId: event.jobId, orderNumber })} replace />
)
