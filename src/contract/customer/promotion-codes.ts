import { object, optional, size, string } from 'superstruct'
import { call } from '../shapes/call.ts'
import { customerJobProblems, jobParams, orderMethodQuery } from '../shapes/customer-call.ts'
import { Uuid } from '../shapes/primitives.ts'
import { Checkout } from './checkout-calls.ts'

/**
 * Sets the promotion code of the cart's checkout, replacing another. Rejected with the reason if it gives no discount.
 */
export const postPromotionCode = call({
  method: 'POST',
  path: '/api/customer/jobs/:jobId/checkout/promo',
  who: 'job',
  params: jobParams,
  body: object({ code: size(string(), 1, 40), ...orderMethodQuery, checkoutId: optional(Uuid) }),
  answer: Checkout,
  problems: [...customerJobProblems, 'refused', 'conflict'],
})

/** Removes the promotion code from the cart's checkout; does nothing if there is none. */
export const deletePromotionCode = call({
  method: 'DELETE',
  path: '/api/customer/jobs/:jobId/checkout/promo',
  who: 'job',
  params: jobParams,
  query: object(orderMethodQuery),
  answer: Checkout,
  problems: [...customerJobProblems, 'refused', 'conflict'],
})
