import { expect, test } from 'vitest'
import { orderHeadline } from '#client/customer/orders/order-header.tsx'
import type { Order } from '#contract/customer/order-calls.ts'
import { order } from './order-examples.ts'

const download = { linkId: 'l', kind: 'single', subjectName: 'Ada' } as const
const laterDay = Date.parse(order.placedAt) + 3 * 86_400_000

test.each<[Partial<Order>, number, string]>([
  [{ state: 'placed' }, Date.parse(order.placedAt) + 60_000, `Thank you, ${order.customer.firstName}!`],
  [{ state: 'placed' }, laterDay, 'We have your order'],
  [{ state: 'inProduction' }, laterDay, 'Your order is being made'],
  [{ state: 'shipped', delivery: 'home' }, laterDay, 'Your order is on its way'],
  [{ state: 'shipped', delivery: 'studio' }, laterDay, 'Your order is ready'],
  [{ state: 'placed', delivery: 'download', downloads: [download] }, laterDay, 'Your photos are ready'],
  [{ state: 'cancelled' }, Date.parse(order.placedAt), 'This order was cancelled'],
])('an order with %j says first how far it is', (change, now, headline) => {
  expect(orderHeadline({ ...order, ...change }, now)).toBe(headline)
})
