import { formatMoney } from '#domain/pricing/money.ts'
import { Pdf, type PdfBlock, type PdfRow } from '#server/file-responses/pdf-writer.ts'
import { sellerBlock } from '#server/file-responses/seller-block.ts'
import { isCounterPayment } from '../store/sold-order.ts'
import type { Receipt, ReceiptPayment } from './read-receipt.ts'
import { deliveryLines, helpText, receiptRows } from './receipt-rows.ts'

/** The studio that sold the order. */
export const receiptSeller = ({ order: { studioName, studioPhone, studioEmail }, studio }: Receipt): PdfBlock =>
  sellerBlock({ ...studio, name: studioName, phone: studioPhone, email: studioEmail })

export const customerBlock = ({ order: { customer } }: Receipt): PdfBlock => ({
  title: 'Customer',
  lines: [`${customer.firstName} ${customer.lastName}`, customer.email, customer.phone],
})

const chargeMethod = ({ provider, cardEnding, checkNumber }: ReceiptPayment): string => {
  if (provider === 'cash') return 'in cash'
  if (provider === 'check') return `by check ${checkNumber ?? ''}`.trim()
  return cardEnding ? `with the card ending in ${cardEnding}` : 'by card'
}

/** Where the money of a refund went. Cash and checks are refunded by staff. */
export const refundMethod = ({ provider, cardEnding }: ReceiptPayment): string => {
  if (isCounterPayment(provider)) return 'at the studio'
  return cardEnding ? `to the card ending in ${cardEnding}` : 'to the original payment method'
}

const paymentRow = (payment: ReceiptPayment): PdfRow => {
  const { kind, state, amountCents, on, creditNote } = payment
  if (kind === 'charge') {
    return { label: `Paid ${chargeMethod(payment)} on ${on}`, amount: formatMoney(amountCents) }
  }
  // Not refunded yet, so it is not subtracted.
  if (state === 'failed') return { label: `${formatMoney(amountCents)} is being refunded by the studio` }
  const creditNoteText = creditNote ? `, credit note ${creditNote.number}` : ''
  return {
    label: state === 'done' ? `Refunded ${refundMethod(payment)} on ${on}${creditNoteText}` : 'Being refunded',
    amount: formatMoney(-amountCents),
  }
}

const paymentRows = ({ order, payments }: Receipt): PdfRow[] => {
  const rows = payments.filter(({ kind, state }) => kind === 'refund' || state === 'done').map(paymentRow)
  if (rows.length === 0) return [{ label: 'Nothing to pay' }]
  if (payments.every(({ kind }) => kind === 'charge')) return rows
  return [...rows, { label: 'Paid after refunds', amount: formatMoney(order.refundableCents), isStrong: true }]
}

const paymentDay = ({ payments }: Receipt): string | undefined =>
  payments.find(({ kind, state }) => kind === 'charge' && state === 'done')?.on

/** Writes the receipt of an order as a PDF. Its bytes change only if the order changes. */
export const writeReceipt = async (receipt: Receipt): Promise<Buffer> => {
  const { order, placedOn } = receipt
  const { orderNumber, jobName, totals, state, placedAt } = order
  const title = `Receipt ${orderNumber}`
  const pdf = await Pdf.start({ title, footer: title, createdAt: new Date(placedAt) })
  const paidOn = paymentDay(receipt)
  const dates = [`Ordered on ${placedOn}`, paidOn ? `Paid on ${paidOn}` : '']
  const cancelledLine = state === 'cancelled' ? 'This order was cancelled' : ''
  pdf.writeColumns([receiptSeller(receipt), { title, lines: [...dates, jobName, cancelledLine] }], { isHeading: true })
  const delivery = deliveryLines(order)
  const deliveryBlock = { title: delivery.length > 0 ? 'Delivery' : '', lines: delivery }
  pdf.writeColumns([customerBlock(receipt), deliveryBlock])
  pdf.drawLine()
  for (const { label, cents } of receiptRows(order)) pdf.writeRow({ label, amount: formatMoney(cents) })
  pdf.drawLine()
  pdf.writeRow({ label: 'Total', amount: formatMoney(totals.totalCents), isStrong: true })
  for (const row of paymentRows(receipt)) pdf.writeRow(row)
  pdf.drawLine()
  pdf.writeRow({ label: helpText(order) })
  return await pdf.finish()
}
