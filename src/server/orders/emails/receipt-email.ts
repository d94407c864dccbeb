import type { Order } from '#contract/customer/order-calls.ts'
import { formatMoney } from '#domain/pricing/money.ts'
import { escapeHtml } from '#server/http/markup.ts'
import { singleLine } from '#server/mail/email-body.ts'
import { deliveryLines, helpText, receiptRows } from '../documents/receipt-rows.ts'

/** The download links of an order, one per line; empty if it has none. */
export const downloadLines = ({ downloads = [], studioSlug }: Order, address: string): string[] =>
  downloads.map(({ linkId, kind, subjectName }) => {
    const label = `${kind === 'all' ? 'All photos' : 'One photo'}${subjectName ? ` of ${subjectName}` : ''}`
    return `${label}: ${address}/${studioSlug}/download/${linkId}`
  })

/** Describes what a change cost: cents charged if positive, refunded if negative. */
const chargeOrRefundText = ({ cardEnding }: Order, cents: number): string => {
  if (cents === 0) return ''
  if (cents > 0) return `${formatMoney(cents)} was charged for that.`
  const destination = cardEnding ? `the card ending in ${cardEnding}` : 'your original payment method'
  return `We’ll refund ${formatMoney(-cents)} to ${destination}; banks take up to ten days to show it.`
}

/**
 * The email for an order that was placed or changed. `address` is the base URL of links; `chargedOrRefundedCents` is null for a
 * placed order.
 */
export const receiptOf = (
  order: Order,
  { address, chargedOrRefundedCents }: { address: string; chargedOrRefundedCents: number | null },
): { subject: string; text: string; html: string } => {
  const { orderNumber, customer, jobName, totals, cardEnding, studioName } = order
  const rows = receiptRows(order)
  const isNew = chargedOrRefundedCents === null
  const total = `Total ${formatMoney(totals.totalCents)}${cardEnding ? `, paid with the card ending in ${cardEnding}` : ''}`
  const delivery = deliveryLines(order)
  const greeting = isNew
    ? `Thank you, ${customer.firstName}! Your order ${orderNumber} for ${jobName} has been placed.`
    : `${customer.firstName}, your order ${orderNumber} for ${jobName} was changed. Here it is now.`
  const searchHint = `To see it again, search for order ${orderNumber} with this email address.`
  const tableRows = rows.map(
    ({ label, cents }) => `<tr><td>${escapeHtml(label)}</td><td>${escapeHtml(formatMoney(cents))}</td></tr>`,
  )
  const downloadLinks = downloadLines(order, address)
  const downloadText = downloadLinks.length > 0 ? ['Your files to download:', ...downloadLinks].join('\n') : ''
  const paragraphs = [
    isNew ? '' : chargeOrRefundText(order, chargedOrRefundedCents),
    delivery.join('\n'),
    downloadText,
    searchHint,
    helpText(order),
  ].filter((text) => text !== '')
  return {
    subject: singleLine(`Your order ${orderNumber} with ${studioName}${isNew ? '' : ' was changed'}`),
    text: [
      greeting,
      rows.map(({ label, cents }) => `${label}  ${formatMoney(cents)}`).join('\n'),
      total,
      ...paragraphs,
    ].join('\n\n'),
    html: [
      '<!doctype html><html lang="en"><body>',
      `<p>${escapeHtml(greeting)}</p><table>${tableRows.join('')}</table><p><strong>${escapeHtml(total)}</strong></p>`,
      ...paragraphs.map((text) => `<p>${escapeHtml(text).replaceAll('\n', '<br>')}</p>`),
      '</body></html>',
    ].join('\n'),
  }
}
