import type { FastifyInstance } from 'fastify'
import { getOrder, searchOrder } from '#contract/customer/checkout-calls.ts'
import { cancelOrder, quoteReduction, reduceOrder } from '#contract/customer/order-adjustment-calls.ts'
import { getOrderImageChoice, patchOrderImageChoice, patchPrintedTexts } from '#contract/customer/order-image-choice.ts'
import { normaliseOrderNumber } from '#domain/orders/order-number.ts'
import { bruteForceGuard } from '#server/access/brute-force/brute-force-guard.ts'
import { grantAccess, type JobSession } from '#server/access/grants/grants.ts'
import { currentSession, ensureSession, type Session } from '#server/access/sessions/sessions.ts'
import { inTransaction } from '#server/database/in-transaction.ts'
import type { Deps } from '#server/deps.ts'
import { clientAddressOf } from '#server/http/client-address.ts'
import { type Handler, mount } from '#server/http/mount.ts'
import { orderNotFound, Problem } from '#server/http/problem.ts'
import { cancelOrder as cancel } from '../adjustments/cancel-order.ts'
import { reduceOrder as fewer, quoteReduction as priceOfFewer } from '../adjustments/reduce-order.ts'
import { saveImageChoice } from '../image-choices/save-image-choice.ts'
import { showImageChoice } from '../image-choices/show-image-choice.ts'
import { updatePersonalization } from '../image-choices/update-personalization.ts'
import { grantedOrder, type OrderRef } from '../store/granted-order.ts'
import { readCustomerOrder } from '../store/read-customer-order.ts'
import { findOrder } from './find-order.ts'
import { mountOrderCalendar } from './order-calendar.ts'

const visitOf = (session: Session, { studioId, jobId }: OrderRef): JobSession => ({ session, job: { studioId, jobId } })

const show = (deps: Deps, session: Session, found: OrderRef) =>
  readCustomerOrder(deps.db, found, { visit: visitOf(session, found), now: deps.clock() })

/** Orders, for who placed them and for who knows number and e-mail (section 4). */
export const mountCustomerOrders = (app: FastifyInstance, deps: Deps): void => {
  mountOrderCalendar(app, deps)
  mount(app, deps, getOrder, async ({ params, session }) => {
    const { orderId: orderNumber, jobId } = params
    const found = await grantedOrder(deps.db, session, { orderNumber, jobId, now: deps.clock() })
    return (found && (await show(deps, session, found))) ?? orderNotFound()
  })
  mount(app, deps, cancelOrder, async ({ params, session }) => {
    const { orderId: orderNumber, jobId } = params
    const found = await grantedOrder(deps.db, session, { orderNumber, jobId, now: deps.clock() })
    if (!found) return orderNotFound()
    return (await cancel(deps, { key: found, session })) ?? (await show(deps, session, found)) ?? orderNotFound()
  })
  const priceIt: Handler<typeof quoteReduction> = async ({ params, body, session }) => {
    const { orderId: orderNumber, jobId } = params
    const found = await grantedOrder(deps.db, session, { orderNumber, jobId, now: deps.clock() })
    return found ? await priceOfFewer(deps, found, body.packages) : orderNotFound()
  }
  // It changes nothing: each question is to hear what holds now.
  mount(app, deps, quoteReduction, priceIt, { repetition: 'again' })
  mount(app, deps, reduceOrder, async ({ params, body, session }) => {
    const { orderId: orderNumber, jobId } = params
    const found = await grantedOrder(deps.db, session, { orderNumber, jobId, now: deps.clock() })
    if (!found) return orderNotFound()
    const { packages: wanted, backCents } = body
    const refused = await fewer(deps, { key: found, session, wanted, backCents })
    return refused ?? (await show(deps, session, found)) ?? orderNotFound()
  })
  mount(app, deps, getOrderImageChoice, async ({ params, query, session }) => {
    const { orderId: orderNumber, jobId } = params
    const found = await grantedOrder(deps.db, session, { orderNumber, jobId, now: deps.clock() })
    if (!found) return orderNotFound()
    const wanted = { visit: visitOf(session, found), key: found, replacements: query.replacements === '1' }
    return (await showImageChoice(deps, wanted)) ?? orderNotFound()
  })
  mount(app, deps, patchOrderImageChoice, async ({ params, session, body }) => {
    const { orderId: orderNumber, jobId, lineId } = params
    const found = await grantedOrder(deps.db, session, { orderNumber, jobId, now: deps.clock() })
    return found
      ? await saveImageChoice(deps, { visit: visitOf(session, found), key: found, lineId }, body)
      : orderNotFound()
  })
  mount(app, deps, patchPrintedTexts, async ({ params, session, body }) => {
    const { orderId: orderNumber, jobId, lineId } = params
    const found = await grantedOrder(deps.db, session, { orderNumber, jobId, now: deps.clock() })
    return found ? await updatePersonalization(deps, { key: found, session, lineId }, body) : orderNotFound()
  })
  mount(app, deps, searchOrder, async ({ query, request, reply }) => {
    const targets = [normaliseOrderNumber(query.orderNumber) ?? query.orderNumber, query.email.trim()]
    const attempt = {
      kind: 'order',
      session: await currentSession(deps, request),
      grant: 'any',
      targets,
      address: clientAddressOf(request),
    } as const
    const found = await bruteForceGuard(deps, attempt, () => findOrder(deps.db, query))
    if (found instanceof Problem) return found
    if (!found) return orderNotFound()
    const session = await ensureSession(deps, request, reply)
    if (session instanceof Problem) return session
    const { jobId, orderId, orderNumber } = found
    await inTransaction(deps.db, (tx) => grantAccess(tx, deps, visitOf(session, found), { kind: 'order', orderId }))
    const order = await show(deps, session, found)
    return order ? { jobId, orderNumber, order } : orderNotFound()
  })
}
