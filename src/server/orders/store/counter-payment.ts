import { paperPayments } from '#domain/orders/paper-order.ts'
import type { Transaction } from '#server/database/database.ts'
import type { OrderKey } from './order-key.ts'

/**
 * Whether a payment was taken at the studio's counter. Such payments cannot be refunded by a provider or by customers
 * online.
 */
export const isCounterPayment = (method: string): boolean => paperPayments.some((one) => one === method)

export const refundAtStudioMessage = 'This order was paid at the studio. Ask the studio if it is to be taken back'

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
