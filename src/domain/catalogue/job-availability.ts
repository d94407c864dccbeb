import type { OrderMethod } from './catalogue.ts'

/** Whether a job accepts orders now, and by which methods (section 3, job availability). */
export type Availability = {
  published: boolean
  archived: boolean
  prepay: { available: boolean }
  gallery: { available: boolean }
}

export type ClosedReason = 'archived' | 'unpublished' | 'method-closed'

/** The message for a customer who cannot order, one for each reason. */
export const closedReasonMessages: Readonly<Record<ClosedReason, string>> = {
  archived: 'This event is closed. Ask the studio if you would still like to order',
  unpublished: 'This event is not open yet. Ask the studio when it opens',
  'method-closed': 'Ordering has ended. Ask the studio if you would still like to order',
}

/**
 * Why an order method is closed now, the most final reason first; null if it is open (section 4, customer entry guard).
 */
export const closedReason = (availability: Availability, method: OrderMethod): ClosedReason | null => {
  if (availability.archived) return 'archived'
  if (!availability.published) return 'unpublished'
  return availability[method].available ? null : 'method-closed'
}

export type OrderMethodChoice = { method: OrderMethod | 'unknown'; warning?: string }

/**
 * The order method of a device (section 4): the preferred one while it is open; otherwise the only open method; if both
 * are open, gallery if images are published, else prepay. If none is open: 'unknown' and a warning for the caller to
 * log (section 8).
 */
export const chooseOrderMethod = (situation: {
  /** The method that the customer chose, or else that of the cart with lines; null if there is neither. */
  preferredMethod: OrderMethod | null
  availability: Availability
  hasPublishedImages: boolean
}): OrderMethodChoice => {
  const { preferredMethod, availability, hasPublishedImages } = situation
  const isOpen = (method: OrderMethod): boolean => closedReason(availability, method) === null
  if (preferredMethod !== null && isOpen(preferredMethod)) return { method: preferredMethod }
  if (isOpen('gallery') && (hasPublishedImages || !isOpen('prepay'))) return { method: 'gallery' }
  if (isOpen('prepay')) return { method: 'prepay' }
  return { method: 'unknown', warning: 'missing order method: neither prepay nor gallery is open' }
}
