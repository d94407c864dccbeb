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
export const ReviewScreen = (_route: CustomerRoute) => {
  const job = useJobContext()
  return <Review key={job.orderMethod} job={job} />
}

const Review = ({ job }: { job: JobContextValue }) => {
  const { payment, state } = usePayment(job)
  const isPending = isPaymentPending(state)
  const { jobId, orderMethod } = job
  useEffect(() => {
    if (state.at === 'declined') markCardDeclined({ jobId, orderMethod })
    if (state.at === 'ordered') clearCard({ jobId, orderMethod })
  }, [state.at, jobId, orderMethod])
  const checkoutState = useCheckout(job, { isPaying: isPending })
  const { cart, draft, pricing } = checkoutState
  const { checkoutId, orderNumber } = isPending ? {} : (pricing.checkout ?? {})
  if (state.at === 'ordered') return <Ordered job={job} orderNumber={state.orderNumber} />
  if (checkoutId && orderNumber) {
    return <AlreadyOrdered job={job} checkoutId={checkoutId} orderNumber={orderNumber} />
  }
  if (!cart || !draft.form) return <Loader />
  // An empty cart with a pending payment was just ordered: it has nothing to show, but is not "empty".
  if (cart.lines.length === 0 && !isPending) return <EmptyCart job={job} />
  return (
    <div className={styles.page}>
      <h1>Review your order</h1>
      <ReviewAndPay
        job={job}
        checkoutState={{ ...checkoutState, cart }}
        form={draft.form}
        payment={payment}
        state={state}
      />
    </div>
  )
}

const Ordered = ({ job, orderNumber }: { job: JobContextValue; orderNumber: string }) => (
  <Redirect to={urls.order({ studioSlug: job.studioSlug, jobId: job.jobId, orderNumber })} replace />
)
