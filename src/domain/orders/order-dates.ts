import type { Arrival } from './arrival.ts'

/** A day (`2027-04-15`, in the studio's time zone) that matters to an order, as shown to the customer. */
export type OrderDate = { name: string; on: string }

/** The sources of an order's dates; null if not set. */
export type OrderDateInput = {
  orderMethod: 'prepay' | 'gallery'
  placedOn: string
  pictureDay: string | null
  arrival: Arrival | null
  /** The day the order's batch closes, while the batch is open. */
  batchClosesOn: string | null
  orderBy: string | null
  galleryExpiresOn: string | null
  /** For files that were available when they were ordered; later files count from when they become available. */
  downloadsUntil: string | null
}

/** The dates of an order that were in the future when it was placed, sorted. Contains only dates that were set. */
export const orderDates = (input: OrderDateInput): OrderDate[] => {
  const { orderMethod, placedOn, pictureDay, arrival, batchClosesOn, orderBy, galleryExpiresOn, downloadsUntil } = input
  const dates: readonly [string, string | null][] = [
    ['Picture day', orderMethod === 'prepay' ? pictureDay : null],
    [arrival?.place === null ? 'Order arrives about' : 'Order handed out about', arrival?.from ?? null],
    ['Studio orders are collected until', batchClosesOn],
    ['Last day to order more', orderBy],
    ['Photos are online until', galleryExpiresOn],
    ['Download until', downloadsUntil],
  ]
  return dates
    .flatMap(([name, on]) => (on !== null && on >= placedOn ? [{ name, on }] : []))
    .toSorted((a, b) => (a.on < b.on ? -1 : a.on > b.on ? 1 : 0))
}
