import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import type { JobContextValue } from '#client/customer/shared/job/job-context.tsx'
import { urls } from '#platform/urls.ts'
import { toast } from '#ui/toast/toast.ts'
import { calculatingTotals } from '../checkout-blocker.ts'
import type { CheckoutState } from '../use-checkout.ts'
import type { CheckoutFormValues } from './checkout-form-values.ts'

type ContinueToReviewInput = {
  job: JobContextValue
  checkoutState: CheckoutState & { cart: NonNullable<CheckoutState['cart']> }
  form: CheckoutFormValues
}

/** State at the time of the tap; `isStored` is true once the input is stored. */
type Tap = { form: CheckoutFormValues; version: number; isStored: boolean }

/**
 * "Review order": stores the input and continues, or shows the blocker. A tap while the totals load waits for them
 * (`isWaiting`) and counts once; any change in between cancels it.
 */
export const useContinueToReview = ({ job, checkoutState: { draft, blocker, cart }, form }: ContinueToReviewInput) => {
  const [tap, setTap] = useState<Tap | null>(null)
  const [, navigate] = useLocation()
  const { version } = cart.cart
  const isWaiting = tap?.form === form && tap.version === version
  const isDue = isWaiting && tap.isStored && blocker !== calculatingTotals

  useEffect(() => {
    if (!isDue) return
    setTap(null)
    if (blocker) toast(blocker.message)
    else navigate(urls.checkoutReview(job))
  }, [isDue, blocker, navigate, job])

  const continueToReview = async () => {
    if (isWaiting) return
    const thisTap = { form, version, isStored: false }
    setTap(thisTap)
    await draft.flush()
    setTap((latest) => (latest === thisTap ? { ...thisTap, isStored: true } : latest))
  }
  return { isWaiting, continueToReview }
}
