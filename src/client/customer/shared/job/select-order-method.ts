import type { JobAvailability } from '#contract/customer/discovery-calls.ts'
import { type OrderMethod, orderMethods } from '#domain/catalogue/catalogue.ts'
import { chooseOrderMethod, type OrderMethodChoice } from '#domain/catalogue/job-availability.ts'

type OrderMethodInput = {
  availability: JobAvailability
  hasPublishedImages: boolean
  /** The method that the customer chose here, or else that of the cart with lines; null if there is neither. */
  chosen: OrderMethod | null
}

export const otherOrderMethod = (method: OrderMethod): OrderMethod => (method === 'gallery' ? 'prepay' : 'gallery')

/** The order methods that are open now. */
export const openOrderMethods = ({ availability }: Pick<OrderMethodInput, 'availability'>): OrderMethod[] =>
  orderMethods.filter((method) => availability[method].available)

/** The order method to show (section 4). If no method is open, it stays the chosen one, whose cart is then read-only. */
export const orderMethodToShow = ({
  availability,
  hasPublishedImages,
  chosen,
}: OrderMethodInput): OrderMethodChoice => {
  const choice = chooseOrderMethod({ preferredMethod: chosen, availability, hasPublishedImages })
  return choice.method === 'unknown' && chosen ? { method: chosen } : choice
}
