import type { FastifyInstance } from 'fastify'
import ical from 'ical-generator'
import type { Order } from '#contract/customer/checkout-calls.ts'
import { currentSession } from '#server/access/sessions/sessions.ts'
import type { Deps } from '#server/deps.ts'
import { sendAnswer } from '#server/http/mount.ts'
import { answerOf, problem } from '#server/http/problem.ts'
import { singleLine } from '#server/mail/email-body.ts'
import { grantedOrder } from '../store/granted-order.ts'
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

type Params = { jobId: string; orderId: string }

const readRequestedOrder = async (deps: Deps, { request, params }: CalendarRequest): Promise<Order | undefined> => {
  const session = await currentSession(deps, request)
  const jobId = Number(params.jobId)
  if (!session || !Number.isSafeInteger(jobId)) return undefined
  const now = deps.clock()
  const orderRef = await grantedOrder(deps.db, session, { orderNumber: params.orderId, jobId, now })
  if (!orderRef) return undefined
  return await readCustomerOrder(deps.db, orderRef, {
    jobSession: { session, job: { studioId: orderRef.studioId, jobId } },
    now,
  })
}
type CalendarRequest = { request: Parameters<typeof currentSession>[1]; params: Params }

/** Mounts the calendar of an order, for sessions that have a grant for it. */
export const mountOrderCalendar = (app: FastifyInstance, deps: Deps): void => {
  app.get<{ Params: Params }>('/api/customer/jobs/:jobId/orders/:orderId/dates.ics', async (request, reply) => {
    const order = await readRequestedOrder(deps, { request, params: request.params })
    if (!order?.dates?.length) return sendAnswer(reply, answerOf(problem('not-found')))
    return reply
      .type('text/calendar; charset=utf-8')
      .header('cache-control', 'private, no-store')
      .header('content-disposition', `inline; filename="${order.orderNumber}.ics"`)
      .header('x-content-type-options', 'nosniff')
      .send(calendarOf(order, deps.address()))
  })
}
