import type { CartView } from '#local/store/cart-view.ts'
import type { JobContextValue } from '../job/job-context.tsx'
import { otherOrderMethod } from '../job/select-order-method.ts'
import { useCart } from './use-cart.ts'

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
