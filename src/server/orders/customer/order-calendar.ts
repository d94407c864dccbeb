import type { FastifyInstance, FastifyRequest } from 'fastify'
import ical from 'ical-generator'
import type { Order } from '#contract/customer/order-calls.ts'
import type { Deps } from '#server/deps.ts'
import { sendAnswer } from '#server/http/mount.ts'
import { answerOf, problem } from '#server/http/problem.ts'
import { singleLine } from '#server/mail/email-body.ts'
import { grantedOrderOf, type OrderParams } from '../store/granted-order.ts'
import { readCustomerOrder } from '../store/read-customer-order.ts'

/** An order's dates as an iCalendar file of all-day events (RFC 5545). Event ids are stable across downloads. */
export const calendarOf = (order: Order, address: string): string => {
  const { orderNumber, jobId, jobName, studioName, studioSlug, placedAt, dates = [] } = order
  const calendar = ical({ prodId: { company: 'Fieldproof', product: 'Orders', language: 'EN' } })
  for (const { name, on } of dates) {
    calendar.createEvent({
      id: `${orderNumber}-${name.replace(/\W+/g, '-').toLowerCase()}@fieldproof`,
      stamp: placedAt,
      start: new Date(`${on}T00:00:00Z`),
      allDay: true,
      summary: singleLine(`${name}: ${jobName}`),
      description: singleLine(`${studioName}, order ${orderNumber}`),
      url: `${address}/${studioSlug}/${jobId}/order/${orderNumber}`,
    })
  }
  return `${calendar.toString()}\r\n`
}

const readRequestedOrder = async (
  deps: Deps,
  request: FastifyRequest,
  params: OrderParams,
): Promise<Order | undefined> => {
  const granted = await grantedOrderOf(deps, request, params)
  if (!granted) return undefined
  const { session, orderRef } = granted
  const jobSession = { session, job: orderRef }
  return await readCustomerOrder(deps.db, orderRef, { jobSession, now: deps.clock() })
}

/** Mounts the calendar of an order, for sessions that have a grant for it. */
export const mountOrderCalendar = (app: FastifyInstance, deps: Deps): void => {
  app.get<{ Params: OrderParams }>('/api/customer/jobs/:jobId/orders/:orderId/dates.ics', async (request, reply) => {
    const order = await readRequestedOrder(deps, request, request.params)
    if (!order?.dates?.length) return sendAnswer(reply, answerOf(problem('not-found')))
    return reply
      .type('text/calendar; charset=utf-8')
      .header('cache-control', 'private, no-store')
      .header('content-disposition', `inline; filename="${order.orderNumber}.ics"`)
      .header('x-content-type-options', 'nosniff')
      .send(calendarOf(order, deps.address()))
  })
}
