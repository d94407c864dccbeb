import type { JobAvailability } from '../../contract/customer-find.ts'
import { type OrderMethod, orderMethods } from '../../domain/catalogue.ts'

type Choice = {
  availability: JobAvailability
  hasPublishedImages: boolean
  /** The method the customer chose here, or whose cart on this device has lines; null for neither. */
  wanted: OrderMethod | null
}

/** The methods open right now. */
export const openMethods = ({ availability }: Pick<Choice, 'availability'>): OrderMethod[] =>
  orderMethods.filter((method) => availability[method].available)

/**
 * Which cart stands in front of the customer (section 4, order method): the device's cart if its method is open; else the only open
 * one; with both open gallery where pictures are published, else prepay. With none open the device's cart stays readable, and
 * `null` means that nothing says which one: the order method is unknown.
 */
export const chooseMethod = ({ availability, hasPublishedImages, wanted }: Choice): OrderMethod | null => {
  const open = openMethods({ availability })
  if (wanted && (open.length === 0 || open.includes(wanted))) return wanted
  if (open.length === 2) return hasPublishedImages ? 'gallery' : 'prepay'
  return open[0] ?? null
}
