import type { JobAvailability } from '#contract/customer/discovery-calls.ts'
import { type OrderMethod, orderMethods } from '#domain/catalogue/catalogue.ts'
import { chooseOrderMethod, type OrderMethodChoice } from '#domain/catalogue/job-availability.ts'

type Choice = {
  availability: JobAvailability
  hasPublishedImages: boolean
  /** The method that the customer chose here, or whose cart on this device has lines; null for neither. */
  chosen: OrderMethod | null
}

export const otherOrderMethod = (method: OrderMethod): OrderMethod => (method === 'gallery' ? 'prepay' : 'gallery')

/** The order methods that are open now. */
export const openOrderMethods = ({ availability }: Pick<Choice, 'availability'>): OrderMethod[] =>
  orderMethods.filter((method) => availability[method].available)

/** Selects the cart to display (section 4, order method). With no method open, the device's cart stays readable. */
export const selectOrderMethod = ({ availability, hasPublishedImages, chosen }: Choice): OrderMethodChoice => {
  const choice = chooseOrderMethod({ cartWithLines: chosen, availability, hasPublishedImages })
  return choice.method === 'unknown' && chosen ? { method: chosen } : choice
}
