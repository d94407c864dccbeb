import { lazy, Suspense, useEffect } from 'react'
import { useCart } from '#client/customer/shared/cart/use-cart.ts'
import type { JobContextValue } from '#client/customer/shared/job/job-context.tsx'
import { refreshCart } from '#local/transport/refresh-cart.ts'
import { callApi } from '#platform/api/api.ts'
import { database } from '#platform/database.ts'
import { urls } from '#platform/urls.ts'
import { useConnected } from '#platform/use-connected.ts'
import { Button, ButtonLink } from '#ui/button/button.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import { UnfinishedPayment } from './unfinished-payment.tsx'
import { usePayment } from './use-payment.ts'

// Part of the cart chunk, which this chunk must not wait for.
const OrderedNotice = lazy(async () => ({
  default: (await import('#client/customer/shared/cart/cart-ordered-notice.tsx')).CartOrderedNotice,
}))

/** Interval in milliseconds between polls of a cart that is being paid on another device. */
const pollMs = 5_000

const noticeTitles = {
  'requires-action': 'Your bank has a question',
  lost: 'We couldn’t confirm your payment',
} as const

type PaymentInProgressProps = { job: JobContextValue; onCartScreen: boolean }

/** On every screen of a cart with a pending payment: polls the outcome, shows the status, and leads to the order. */
export const PaymentInProgress = ({ job, onCartScreen }: PaymentInProgressProps) => {
  const { payment, state } = usePayment(job)
  const isFrozen = useCart(job.jobId, job.orderMethod)?.cart.state === 'frozen'
  if (state.at === 'unfinished') return <UnfinishedPayment payment={payment} state={state} />
  if (state.at === 'ordered')
    return onCartScreen ? null : (
      <Suspense>
        <OrderedNotice route={job} cartKey={job} />
      </Suspense>
    )
  if (state.at === 'idle') return isFrozen ? <PaidElsewhere job={job} /> : null
  if (state.at === 'sending' || state.at === 'unknown') {
    const checkButton = state.at === 'unknown' && (
      <Button variant="secondary" size="sm" onClick={() => void payment.pollNow()}>
        Check now
      </Button>
    )
    return (
      <Notice tone="attention" title="Your payment is being confirmed" action={checkButton}>
        You won’t be charged twice. Your cart can be changed if the payment does not go through.
      </Notice>
    )
  }
  const isOver = state.at === 'declined' || state.at === 'totals-changed' || state.at === 'stopped'
  return (
    <Notice
      tone="attention"
      title={isOver ? state.message : noticeTitles[state.at]}
      action={
        <ButtonLink href={isOver ? urls.checkout(job) : urls.checkoutReview(job)} size="sm">
          {isOver ? 'Back to checkout' : 'See the payment'}
        </ButtonLink>
      }
    >
      {isOver && 'You weren’t charged. Your cart is saved.'}
    </Notice>
  )
}

/** The payment was started on another device, or this one no longer has it: the cart shows when it ends. */
const PaidElsewhere = ({ job: { jobId, orderMethod } }: { job: JobContextValue }) => {
  const online = useConnected()
  useEffect(() => {
    if (!online) return
    const poll = () => void refreshCart(database, callApi, { jobId, orderMethod }).catch(console.warn)
    poll()
    const timer = setInterval(poll, pollMs)
    return () => clearInterval(timer)
  }, [jobId, orderMethod, online])
  return (
    <Notice tone="attention" title="Your payment is being confirmed">
      Your cart can be changed if the payment does not go through.
    </Notice>
  )
}
