import { useLiveQuery } from 'dexie-react-hooks'
import { Redirect } from 'wouter'
import { currentPaymentAttempt } from '#local/checkout.ts'
import type { CartKey } from '#local/store/rows.ts'
import { database } from '#platform/database.ts'
import { type CustomerRoute, urls } from '#platform/urls.ts'
import { Loader } from '#ui/feedback/loader.tsx'
import { type JobContextValue, useJobContext } from '../shared/job/job-context.tsx'
import { OrderingUnavailableNotice } from '../shared/job/ordering-unavailable-notice.tsx'
import styles from './checkout.module.css'
import { CheckoutForm } from './checkout-form.tsx'
import { AlreadyOrdered, EmptyCart } from './lazy-finished-checkout.ts'
import { useCheckout } from './use-checkout.ts'

/** Whether a payment of this cart is pending; undefined until the database has been read. */
const useIsPaymentPending = ({ jobId, orderMethod }: CartKey): boolean | undefined =>
  useLiveQuery(
    async () => (await currentPaymentAttempt(database, { jobId, orderMethod })) !== null,
    [jobId, orderMethod],
  )

/** Collects all order details besides the packages, on one page (section 3, checkout details). */
export const CheckoutScreen = (_route: CustomerRoute) => {
  const job = useJobContext()
  return <Checkout key={job.orderMethod} job={job} />
}

const Checkout = ({ job }: { job: JobContextValue }) => {
  const isPending = useIsPaymentPending(job)
  const checkoutState = useCheckout(job, { isPaying: isPending !== false })
  const { cart, draft, pricing, displayedTotals } = checkoutState
  const { checkoutId, orderNumber } = pricing.checkout ?? {}
  // An earlier payment without an outcome comes first: no second payment may start.
  if (isPending) return <Redirect to={urls.checkoutReview(job)} replace />
  if (checkoutId && orderNumber) {
    return <AlreadyOrdered job={job} checkoutId={checkoutId} orderNumber={orderNumber} />
  }
  if (!cart || !draft.form || isPending === undefined) return <Loader />
  if (cart.lines.length === 0) return <EmptyCart job={job} />
  return (
    <div className={styles.page}>
      <h1>Checkout</h1>
      <OrderingUnavailableNotice job={job} totalCents={displayedTotals?.totalCents ?? cart.totalCents} />
      <CheckoutForm job={job} checkoutState={{ ...checkoutState, cart }} form={draft.form} />
    </div>
  )
}
