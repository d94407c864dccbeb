import type { Order } from '#contract/customer/checkout-calls.ts'
import { cancelOrder } from '#contract/customer/order-adjustment-calls.ts'
import { formatMoney, sumCents } from '#domain/pricing/money.ts'
import { callApi } from '#platform/api/api.ts'
import { confirm } from '#ui/dialog/confirm.ts'
import { toast, toastError } from '#ui/toast/toast.ts'

const backWords = ({ totals, refunds = [], refundableCents, cardEnding }: Order): string => {
  const refunded = refunds.filter(({ state }) => state !== 'failed').map(({ amountCents }) => amountCents)
  // An order stored by an earlier build has no refundable amount, and was never reduced.
  const cents = refundableCents ?? totals.totalCents - sumCents(refunded)
  if (cents === 0) return 'Nothing has to go back.'
  return `${formatMoney(cents)} goes back to ${cardEnding ? `the card ending ${cardEnding}` : 'where it came from'}.`
}

const unreachable = 'The studio cannot be reached right now. The order stands; try again when you are connected'

/**
 * Cancels the whole order, before the lab has it: asks once and explains the refund. False if the customer was not
 * asked.
 */
export const confirmCancelOrder = async (order: Order): Promise<boolean> => {
  const sure = await confirm({
    title: `Cancel order ${order.orderNumber}?`,
    message: `Nothing will be made. ${backWords(order)}`,
    confirmText: 'Cancel the order',
    cancelText: 'Keep it',
    danger: true,
  })
  if (!sure) return false
  const params = { jobId: order.jobId, orderId: order.orderNumber }
  const response = await callApi(cancelOrder, { params })
  if (response.ok) toast('Your order is cancelled', 'success')
  else toastError(response.status === 'unreachable' ? [unreachable] : response.errors)
  return true
}
