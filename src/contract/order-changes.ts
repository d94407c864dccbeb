import { object, size, string } from 'superstruct'
import type { AnyCall } from './call.ts'
import { Order } from './checkout.ts'
import { Id, Nothing } from './primitives.ts'

/**
 * Takes an order back, for as long as the lab does not have it; what was paid goes back to where it came from. For the session that
 * placed it or found it by number and e-mail. Cancelled again, the order is answered as it is.
 */
export const cancelOrder = {
  method: 'POST',
  path: '/api/customer/jobs/:jobId/orders/:orderId/cancel',
  who: 'session',
  params: object({ jobId: Id, orderId: size(string(), 1, 20) }),
  query: Nothing,
  body: Nothing,
  answer: Order,
  problems: ['session-unknown', 'not-found', 'refused'],
} satisfies AnyCall
