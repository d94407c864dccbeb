import { paperPayments } from '#domain/orders/paper-order.ts'
import type { Transaction } from '#server/database/database.ts'
import type { OrderKey } from './sold-lines.ts'

/** Whether a payment was taken at the counter of the studio. Such a payment cannot be refunded by a provider or by the customer online. */
export const isCounterPayment = (method: string): boolean => paperPayments.some((paperMethod) => paperMethod === method)

export const refundAtStudioMessage = 'This order was paid at the studio. Ask the studio to cancel it'

/** Whether an order was paid at the studio's counter. */
export const isPaidAtCounter = async (tx: Transaction, { studioId, orderId }: OrderKey): Promise<boolean> => {
  const order = await tx
    .selectFrom('orders')
    .select('pay_method')
    .where('studio_id', '=', studioId)
    .where('id', '=', orderId)
    .executeTakeFirst()
  return order !== undefined && isCounterPayment(order.pay_method)
}
