import { cancelOrder } from '#contract/customer/order-adjustment-calls.ts'
import type { Order } from '#contract/customer/order-calls.ts'
import { formatMoney } from '#domain/pricing/money.ts'
import { callApi } from '#platform/api/api.ts'
import { confirm } from '#ui/dialog/confirm.ts'
import { toast, toastError } from '#ui/toast/toast.ts'

const refundText = ({ refundableCents: cents, cardEnding }: Order): string => {
  if (cents === 0) return 'There is nothing to refund.'
  return `We’ll refund ${formatMoney(cents)} to ${cardEnding ? `the card ending ${cardEnding}` : 'your original payment method'}.`
}

const unreachable = 'We can’t reach the studio right now. Your order is unchanged; try again when you’re online'

/**
 * Cancels the whole order, before the lab has it: asks for a confirmation and explains the refund. Returns whether the
 * customer confirmed, even if the call failed.
 */
export const confirmCancelOrder = async (order: Order): Promise<boolean> => {
  const isConfirmed = await confirm({
    title: `Cancel order ${order.orderNumber}?`,
    message: `We won’t make it. ${refundText(order)}`,
    confirmText: 'Cancel the order',
    cancelText: 'Keep the order',
    danger: true,
  })
  if (!isConfirmed) return false
  const params = { jobId: order.jobId, orderId: order.orderNumber }
  const response = await callApi(cancelOrder, { params })
  if (response.ok) toast('Your order is cancelled', 'success')
  else toastError(response.status === 'unreachable' ? [unreachable] : response.errors)
  return true
}
