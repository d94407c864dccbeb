import type { CartView } from '#local/store/cart-view.ts'
import { urls } from '#platform/urls.ts'
import { ButtonLink } from '#ui/button/button.tsx'
import { type JobContextValue, useJobContext } from '../job/job-context.tsx'
import { otherOrderMethod } from '../job/select-order-method.ts'
import { useCart } from './use-cart.ts'

/** Next to an empty cart: the link to the cart of the other order method. */
export const SeeCart = () => {
  const job = useJobContext()
  if (!useClosedCart(job)) return null
  return (
    <ButtonLink href={urls.cart(job)} variant="secondary">
      See your cart
    </ButtonLink>
  )
}

/**
 * The job's cart of the other order method, if that method has closed: it cannot be switched to and is read-only. Null
 * if it is empty or its method is open; undefined until it has been read.
 */
export const useClosedCart = ({ jobId, orderMethod, availability }: JobContextValue): CartView | null | undefined => {
  const otherMethod = otherOrderMethod(orderMethod)
  const view = useCart(jobId, otherMethod)
  if (availability[otherMethod].available) return null
  return view && view.lines.length + view.rejected.length === 0 ? null : view
}
