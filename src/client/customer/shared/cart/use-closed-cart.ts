import type { CartView } from '#local/store/cart-view.ts'
import type { JobContextValue } from '../job/job-context.tsx'
import { otherOrderMethod } from '../job/select-order-method.ts'
import { useCart } from './use-cart.ts'

/**
 * The event's cart that is not in front of the customer, where its order method has closed: it cannot be switched to, and stays readable.
 * Null where there is nothing in it, or where its method is open; undefined until it has been read.
 */
export const useClosedCart = ({ jobId, orderMethod, availability }: JobContextValue): CartView | null | undefined => {
  const other = otherOrderMethod(orderMethod)
  const view = useCart(jobId, other)
  if (availability[other].available) return null
  return view && view.lines.length + view.refused.length === 0 ? null : view
}
