import { formatMoney } from '#domain/pricing/money.ts'
import { Pdf } from '#server/file-responses/pdf-writer.ts'
import type { CreditNote, Receipt, ReceiptPayment } from './read-receipt.ts'
import { helpText } from './receipt-rows.ts'
import { customerBlock, receiptSeller, refundMethod } from './write-receipt.ts'

type Refund = ReceiptPayment & { readonly creditNote: CreditNote }

/** The refund of an order with this number of its credit note; undefined if there is none. */
export const findRefund = ({ payments }: Receipt, creditNoteNumber: string): Refund | undefined => {
  for (const { creditNote, ...payment } of payments)
    if (creditNote?.number === creditNoteNumber) return { ...payment, creditNote }
  return undefined
}

/**
 * Writes the credit note of a refund as a PDF. A refund that fails after it was made leaves a void credit note, because
 * a number is never used twice.
 */
export const writeCreditNote = async (receipt: Receipt, refund: Refund): Promise<Buffer> => {
  const { order } = receipt
  const { creditNote, state, amountCents, taxCents, reason } = refund
  const isVoid = state === 'failed'
  const title = `Credit note ${creditNote.number}`
  const pdf = await Pdf.start({ title, footer: title, createdAt: new Date(creditNote.issuedAt) })
  const voidLine = isVoid ? 'Void: this refund could not be made' : ''
  const lines = [`Issued on ${creditNote.issuedOn}`, `Order ${order.orderNumber}`, order.jobName, voidLine]
  pdf.writeColumns([receiptSeller(receipt), { title, lines }], { isHeading: true })
  pdf.writeColumns([customerBlock(receipt)])
  pdf.drawLine()
  pdf.writeRow({ label: `Refund ${refundMethod(refund)}`, amount: formatMoney(amountCents) })
  if (taxCents > 0 && !isVoid) pdf.writeRow({ label: `Includes sales tax of ${formatMoney(taxCents)}` })
  if (reason) pdf.writeRow({ label: `Reason: ${reason}` })
  pdf.drawLine()
  pdf.writeRow({ label: 'Total refunded', amount: formatMoney(isVoid ? 0 : amountCents), isStrong: true })
  pdf.drawLine()
  pdf.writeRow({ label: helpText(order) })
  return await pdf.finish()
}
