import type { Order } from '#contract/customer/order-calls.ts'

export type ReceiptRow = { readonly label: string; readonly cents: number }

const lineRows = ({ lines }: Order): ReceiptRow[] =>
  lines.map(({ quantity, packageName, subjectName, totalCents }) => ({
    label: `${quantity} × ${packageName}${subjectName ? ` (${subjectName})` : ''}`,
    cents: totalCents,
  }))

// Services are not listed here, because they are lines of the order, like packages.
const sumRows = ({ totals, shippingName, promotionCode }: Order): ReceiptRow[] =>
  [
    { label: promotionCode ? `Discount (${promotionCode})` : 'Discount', cents: -totals.discountCents },
    { label: 'Late price', cents: totals.lateFeeCents },
    { label: shippingName || 'Shipping', cents: totals.shippingCents },
    { label: 'Tax', cents: totals.taxCents },
  ].filter(({ cents }) => cents !== 0)

/** What was bought, then the other parts of the total. The amounts add up to the total. */
export const receiptRows = (order: Order): ReceiptRow[] => [...lineRows(order), ...sumRows(order)]

/** Where the order is delivered and when, one line each; empty if nothing is delivered. */
export const deliveryLines = ({ shippingAddress, delivery, shippingName, arrival }: Order): string[] => {
  const expected = arrival ? `${arrival}.` : ''
  if (delivery === 'studio') return [`${shippingName}: ${expected || 'handed out by the studio or school.'}`]
  if (!shippingAddress) return []
  const { firstName, lastName, address1, address2, city, state, zip } = shippingAddress
  return [`${firstName} ${lastName}`, address1, address2, `${city}, ${state} ${zip}`, expected].filter(
    (line) => line.trim() !== '',
  )
}

export const helpText = ({ studioName, studioPhone, studioEmail }: Order): string =>
  `Questions? ${[studioName, studioPhone, studioEmail].filter(Boolean).join(', ')}`
