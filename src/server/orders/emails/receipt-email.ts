import type { Order } from '#contract/customer/checkout-calls.ts'
import { formatMoney } from '#domain/pricing/money.ts'
import { escapeHtml } from '#server/http/escape-html.ts'
import { singleLine } from '#server/mail/email-body.ts'

type Row = { what: string; cents: number }

const lineRows = ({ lines }: Order): Row[] =>
  lines.map(({ quantity, packageName, personName, totalCents }) => ({
    what: `${quantity} × ${packageName}${personName ? ` (${personName})` : ''}`,
    cents: totalCents,
  }))

// Services are lines of the order, like packages.
const sumRows = ({ totals, shippingName, promotionCode }: Order): Row[] =>
  [
    { what: promotionCode ? `Discount (${promotionCode})` : 'Discount', cents: -totals.discountCents },
    { what: shippingName || 'Shipping', cents: totals.shippingCents },
    { what: 'Tax', cents: totals.taxCents },
  ].filter(({ cents }) => cents !== 0)

const deliveryLines = ({ shippingAddress, delivery, shippingName }: Order): string[] => {
  if (delivery === 'studio')
    return [`${shippingName}: printed together with everybody’s, and handed out by the studio or the school.`]
  if (!shippingAddress) return []
  const { firstName, lastName, address1, address2, city, state, zip } = shippingAddress
  return [`${firstName} ${lastName}`, address1, address2, `${city}, ${state} ${zip}`].filter(
    (line) => line.trim() !== '',
  )
}

const help = ({ studioName, studioPhone, studioEmail }: Order): string =>
  `Questions? ${[studioName, studioPhone, studioEmail].filter(Boolean).join(', ')}`

/** The download links of an order, one per line; empty if it has none. */
export const downloadLines = ({ downloads = [], studioSlug }: Order, address: string): string[] =>
  downloads.map(({ linkId, kind, personName }) => {
    const label = `${kind === 'all' ? 'All pictures' : 'One picture'}${personName ? ` of ${personName}` : ''}`
    return `${label}: ${address}/${studioSlug}/download/${linkId}`
  })

/** Describes what a change cost: cents charged if positive, refunded if negative. */
const movedSentence = ({ cardEnding }: Order, cents: number): string => {
  if (cents === 0) return ''
  if (cents > 0) return `${formatMoney(cents)} was charged for that.`
  const delivery = cardEnding ? `the card ending in ${cardEnding}` : 'where it came from'
  return `${formatMoney(-cents)} of what you paid goes back to ${delivery}; banks take up to ten days to show it.`
}

/**
 * The email for an order that was placed or changed. `address` is the base URL of links; `movedCents` is null for a
 * placed order.
 */
export const receiptOf = (
  order: Order,
  { address, movedCents }: { address: string; movedCents: number | null },
): { subject: string; text: string; html: string } => {
  const { orderNumber, customer, jobName, totals, cardEnding, studioName } = order
  const rows = [...lineRows(order), ...sumRows(order)]
  const isNew = movedCents === null
  const total = `Total ${formatMoney(totals.totalCents)}${cardEnding ? `, paid with the card ending in ${cardEnding}` : ''}`
  const delivery = deliveryLines(order)
  const thanks = isNew
    ? `Thank you, ${customer.firstName}! Your order ${orderNumber} for ${jobName} has been placed.`
    : `${customer.firstName}, your order ${orderNumber} for ${jobName} was changed. This is what it is now.`
  const searchHint = `To see it again, search for order ${orderNumber} with this e-mail address.`
  const list = rows.map(
    ({ what: label, cents }) => `<tr><td>${escapeHtml(label)}</td><td>${escapeHtml(formatMoney(cents))}</td></tr>`,
  )
  const files = downloadLines(order, address)
  const download = files.length > 0 ? ['Your files to download:', ...files].join('\n') : ''
  const paragraphs = [
    isNew ? '' : movedSentence(order, movedCents),
    delivery.join('\n'),
    download,
    searchHint,
    help(order),
  ].filter((text) => text !== '')
  return {
    subject: singleLine(`Your order ${orderNumber} with ${studioName}${isNew ? '' : ' was changed'}`),
    text: [
      thanks,
      rows.map(({ what: label, cents }) => `${label}  ${formatMoney(cents)}`).join('\n'),
      total,
      ...paragraphs,
    ].join('\n\n'),
    html: [
      '<!doctype html><html lang="en"><body>',
      `<p>${escapeHtml(thanks)}</p><table>${list.join('')}</table><p><strong>${escapeHtml(total)}</strong></p>`,
      ...paragraphs.map((text) => `<p>${escapeHtml(text).replaceAll('\n', '<br>')}</p>`),
      '</body></html>',
    ].join('\n'),
  }
}
