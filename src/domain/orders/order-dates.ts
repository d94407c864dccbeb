/** A day (`2027-04-15`, where the studio is) that matters to an order, as a customer is told of it. */
export type OrderDate = { name: string; on: string }

/** What an order's dates are known from; null where nothing is said. */
export type OrderDateInput = {
  orderMethod: 'prepay' | 'gallery'
  placedOn: string
  pictureDay: string | null
  /** When the batch closes that the order waits in, while it is open. */
  batchClosesOn: string | null
  orderBy: string | null
  galleryExpiresOn: string | null
  /** Of files that were there to download when they were ordered; later ones have their days from then. */
  downloadsUntil: string | null
}

/** The dates of an order that were still to come when it was placed, in their order. None is promised that nobody gave. */
export const orderDates = (facts: OrderDateInput): OrderDate[] => {
  const { orderMethod, placedOn, pictureDay, batchClosesOn, orderBy, galleryExpiresOn, downloadsUntil } = facts
  const known: readonly [string, string | null][] = [
    ['Picture day', orderMethod === 'prepay' ? pictureDay : null],
    ['Orders for the studio are gathered until', batchClosesOn],
    ['Last day to order more', orderBy],
    ['Pictures are online until', galleryExpiresOn],
    ['Downloads are good until', downloadsUntil],
  ]
  return known
    .flatMap(([name, on]) => (on !== null && on >= placedOn ? [{ name, on }] : []))
    .toSorted((one, other) => (one.on < other.on ? -1 : one.on > other.on ? 1 : 0))
}
