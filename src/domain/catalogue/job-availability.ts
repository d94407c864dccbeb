import type { OrderMethod } from './catalogue.ts'

/** Whether and how a job can be ordered from now (section 3, job availability). */
export type Availability = {
  published: boolean
  archived: boolean
  prepay: { available: boolean }
  gallery: { available: boolean }
}

export type ClosedReason = 'archived' | 'unpublished' | 'method-closed'

/** The message for a customer who cannot order, one for each reason (section 5). */
export const closedReasonMessages: Readonly<Record<ClosedReason, string>> = {
  archived: 'This event is closed. Ask the studio if you would still like to order',
  unpublished: 'This event is not open yet. Ask the studio when it opens',
  'method-closed': 'Ordering has ended. Ask the studio if you would still like to order',
}

/**
 * Why a method cannot be ordered by now, the most final reason first; null if it can (section 4, customer entry guard).
 */
export const closedReason = (availability: Availability, method: OrderMethod): ClosedReason | null => {
  if (availability.archived) return 'archived'
  if (!availability.published) return 'unpublished'
  return availability[method].available ? null : 'method-closed'
}

export type OrderMethodChoice = { method: OrderMethod | 'unknown'; warning?: string }

/**
 * The order method of a device (section 4): that of its cart with lines while the method is open; otherwise the only
 * open method; if both are open, gallery if images are published, else prepay. If none is open: 'unknown' and a warning
 * for the caller to log (section 8).
 */
export const chooseOrderMethod = (situation: {
  /** Method of the device's cart that has lines, if any. */
  cartWithLines: OrderMethod | null
  availability: Availability
  hasPublishedImages: boolean
}): OrderMethodChoice => {
  const { cartWithLines, availability, hasPublishedImages } = situation
  const isOpen = (method: OrderMethod): boolean => closedReason(availability, method) === null
  if (cartWithLines !== null && isOpen(cartWithLines)) return { method: cartWithLines }
  if (isOpen('gallery') && (hasPublishedImages || !isOpen('prepay'))) return { method: 'gallery' }
  if (isOpen('prepay')) return { method: 'prepay' }
  return { method: 'unknown', warning: 'missing order method: neither prepay nor gallery is open' }
}
