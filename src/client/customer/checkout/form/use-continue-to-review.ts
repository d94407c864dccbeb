import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import type { JobContextValue } from '#client/customer/shared/job/job-context.tsx'
import { urls } from '#platform/urls.ts'
import { toast } from '#ui/toast/toast.ts'
import { calculatingTotals } from '../checkout-blocker.ts'
import type { CheckoutState } from '../use-checkout.ts'
import type { CheckoutFormValues } from './checkout-form-values.ts'

type ContinueToReviewInput = {
  event: JobContextValue
  now: CheckoutState & { cart: NonNullable<CheckoutState['cart']> }
  form: CheckoutFormValues
}

/** State at the time of the tap; `isStored` is true once the input is stored. */
type Tap = { form: CheckoutFormValues; version: number; isStored: boolean }

/**
 * "Review order": stores the input and continues, or shows the blocker. A tap while the totals load waits for them
 * (`waiting`) and counts once; any change in between cancels it.
 */
export const useContinueToReview = ({ event, now: { draft, blocker, cart }, form }: ContinueToReviewInput) => {
  const [tap, setTap] = useState<Tap | null>(null)
  const [, navigate] = useLocation()
  const { version } = cart.cart
  const waiting = tap?.form === form && tap.version === version
  const due = waiting && tap.isStored && blocker !== calculatingTotals

  useEffect(() => {
    if (!due) return
    setTap(null)
    if (blocker) toast(blocker.message)
    else navigate(urls.checkoutReview(event))
  }, [due, blocker, navigate, event])

  const goOn = async () => {
    if (waiting) return
    const mine = { form, version, isStored: false }
    setTap(mine)
    await draft.flush()
    setTap((latest) => (latest === mine ? { ...mine, isStored: true } : latest))
  }
  return { waiting, goOn }
}
