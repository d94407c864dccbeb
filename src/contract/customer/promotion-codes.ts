import { object, optional, size, string } from 'superstruct'
import type { AnyCall } from '../shapes/call.ts'
import { Nothing, Uuid } from '../shapes/primitives.ts'
import { Checkout, customerJobProblems, jobParams, orderMethodQuery } from './checkout-calls.ts'

/** Puts a promotion code to the cart's checkout, in place of another. Refused with the reason where it takes nothing off. */
export const postPromotionCode = {
  method: 'POST',
  path: '/api/customer/jobs/:jobId/checkout/promo',
  who: 'job',
  params: jobParams,
  query: Nothing,
  body: object({ code: size(string(), 1, 40), ...orderMethodQuery, checkoutId: optional(Uuid) }),
  answer: Checkout,
  problems: [...customerJobProblems, 'refused', 'conflict'],
} satisfies AnyCall

/** Takes the promotion code off the cart's checkout; where there is none, nothing changes. */
export const deletePromotionCode = {
  method: 'DELETE',
  path: '/api/customer/jobs/:jobId/checkout/promo',
  who: 'job',
  params: jobParams,
  query: object(orderMethodQuery),
  body: Nothing,
  answer: Checkout,
  problems: [...customerJobProblems, 'refused', 'conflict'],
} satisfies AnyCall
