import type { JobAvailability } from '#contract/customer/discovery-calls.ts'
import { type OrderMethod, orderMethods } from '#domain/catalogue/catalogue.ts'
import { chooseOrderMethod, type OrderMethodChoice } from '#domain/catalogue/job-availability.ts'

type Choice = {
  availability: JobAvailability
  hasPublishedImages: boolean
  /** The method the customer chose here, or whose cart on this device has lines; null for neither. */
  wanted: OrderMethod | null
}

export const otherOrderMethod = (method: OrderMethod): OrderMethod => (method === 'gallery' ? 'prepay' : 'gallery')

/** The methods open right now. */
export const openOrderMethods = ({ availability }: Pick<Choice, 'availability'>): OrderMethod[] =>
  orderMethods.filter((method) => availability[method].available)

/** Which cart stands in front of the customer (section 4, order method). With none open, that of the device stays readable. */
export const selectOrderMethod = ({ availability, hasPublishedImages, wanted }: Choice): OrderMethodChoice => {
  const choice = chooseOrderMethod({ cartWithLines: wanted, availability, hasPublishedImages })
  return choice.method === 'unknown' && wanted ? { method: wanted } : choice
}
