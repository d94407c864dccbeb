import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { cancelOrder, quoteReduction, reduceOrder } from '#contract/customer/order-adjustment-calls.ts'
import { getOrder, searchOrder } from '#contract/customer/order-calls.ts'
import { getOrderImageChoice, patchOrderImageChoice, patchPrintedTexts } from '#contract/customer/order-image-choice.ts'
import { normaliseOrderNumber } from '#domain/orders/order-number.ts'
import { bruteForceGuard } from '#server/access/brute-force/brute-force-guard.ts'
import { grantAccess, type JobSession } from '#server/access/grants/grants.ts'
import { currentSession, ensureSession, type Session } from '#server/access/sessions/sessions.ts'
import type { Db } from '#server/database/database.ts'
import { inTransaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { clientAddressOf } from '#server/http/client-address.ts'
import { type Handler, mount } from '#server/http/mount.ts'
import { orderNotFound, Problem } from '#server/http/problem.ts'
import { cancelOrder as cancelForSession } from '../adjustments/cancel-order.ts'
import { reduceOrder as applyReduction, quoteReduction as priceReduction } from '../adjustments/reduce-order.ts'
import { saveImageChoice } from '../image-choices/save-image-choice.ts'
import { showImageChoice } from '../image-choices/show-image-choice.ts'
import { updatePersonalization } from '../image-choices/update-personalization.ts'
import { grantedOrder, type OrderRef, orderRefColumns } from '../store/granted-order.ts'
import { readCustomerOrder } from '../store/read-customer-order.ts'
import { mountOrderCalendar } from './order-calendar.ts'

const jobSessionOf = (session: Session, { studioId, jobId }: OrderRef): JobSession => ({
  session,
  job: { studioId, jobId },
})

const readOrder = (deps: Deps, session: Session, orderRef: OrderRef) =>
  readCustomerOrder(deps.db, orderRef, { jobSession: jobSessionOf(session, orderRef), now: deps.clock() })

/**
 * Finds the order with this number and email, both as customers type them. Undefined if either is wrong, without revealing which of them.
 */
const findOrder = async (
  db: Db,
  { orderNumber, email }: { orderNumber: string; email: string },
): Promise<OrderRef | undefined> => {
  // Runs the query even for an invalid number, so that the response time reveals nothing.
  const { rows } = await sql<OrderRef>`
    select ${orderRefColumns} from order_links l join orders o on o.studio_id = l.studio_id and o.id = l.order_id
     where l.order_number = ${normaliseOrderNumber(orderNumber) ?? ''}
       and o.email_key = ${email.trim().toLowerCase()}`.execute(db)
  return rows[0]
}

/** Mounts the routes of orders, for a customer who placed the order or knows its number and email (section 4). */
export const mountCustomerOrders = (app: FastifyInstance, deps: Deps): void => {
  mountOrderCalendar(app, deps)
  mount(app, deps, getOrder, async ({ params, session }) => {
    const { orderId: orderNumber, jobId } = params
    const orderRef = await grantedOrder(deps.db, session, { orderNumber, jobId, now: deps.clock() })
    return (orderRef && (await readOrder(deps, session, orderRef))) ?? orderNotFound()
  })
  mount(app, deps, cancelOrder, async ({ params, session }) => {
    const { orderId: orderNumber, jobId } = params
    const orderRef = await grantedOrder(deps.db, session, { orderNumber, jobId, now: deps.clock() })
    if (!orderRef) return orderNotFound()
    return (
      (await cancelForSession(deps, { key: orderRef, session })) ??
      (await readOrder(deps, session, orderRef)) ??
      orderNotFound()
    )
  })
  const quoteHandler: Handler<typeof quoteReduction> = async ({ params, body, session }) => {
    const { orderId: orderNumber, jobId } = params
    const orderRef = await grantedOrder(deps.db, session, { orderNumber, jobId, now: deps.clock() })
    return orderRef ? await priceReduction(deps, orderRef, body.packages) : orderNotFound()
  }
  // Read-only, so a repeated request is processed again to return the current price.
  mount(app, deps, quoteReduction, quoteHandler, { repetition: 'rerun' })
  mount(app, deps, reduceOrder, async ({ params, body, session }) => {
    const { orderId: orderNumber, jobId } = params
    const orderRef = await grantedOrder(deps.db, session, { orderNumber, jobId, now: deps.clock() })
    if (!orderRef) return orderNotFound()
    const { packages: requested, refundCents } = body
    const reductionProblem = await applyReduction(deps, { key: orderRef, session, requested, refundCents })
    return reductionProblem ?? (await readOrder(deps, session, orderRef)) ?? orderNotFound()
  })
  mount(app, deps, getOrderImageChoice, async ({ params, query, session }) => {
    const { orderId: orderNumber, jobId } = params
    const orderRef = await grantedOrder(deps.db, session, { orderNumber, jobId, now: deps.clock() })
    if (!orderRef) return orderNotFound()
    const choiceRequest = {
      jobSession: jobSessionOf(session, orderRef),
      key: orderRef,
      replacements: query.replacements === '1',
    }
    return (await showImageChoice(deps, choiceRequest)) ?? orderNotFound()
  })
  mount(app, deps, patchOrderImageChoice, async ({ params, session, body }) => {
    const { orderId: orderNumber, jobId, lineId } = params
    const orderRef = await grantedOrder(deps.db, session, { orderNumber, jobId, now: deps.clock() })
    return orderRef
      ? await saveImageChoice(deps, { jobSession: jobSessionOf(session, orderRef), key: orderRef, lineId }, body)
      : orderNotFound()
  })
  mount(app, deps, patchPrintedTexts, async ({ params, session, body }) => {
    const { orderId: orderNumber, jobId, lineId } = params
    const orderRef = await grantedOrder(deps.db, session, { orderNumber, jobId, now: deps.clock() })
    return orderRef ? await updatePersonalization(deps, { key: orderRef, session, lineId }, body) : orderNotFound()
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
    const orderRef = await bruteForceGuard(deps, attempt, () => findOrder(deps.db, query))
    if (orderRef instanceof Problem) return orderRef
    if (!orderRef) return orderNotFound()
    const session = await ensureSession(deps, request, reply)
    if (session instanceof Problem) return session
    const { jobId, orderId, orderNumber } = orderRef
    await inTransaction(deps.db, (tx) =>
      grantAccess(tx, deps, jobSessionOf(session, orderRef), { kind: 'order', orderId }),
    )
    const order = await readOrder(deps, session, orderRef)
    return order ? { jobId, orderNumber, order } : orderNotFound()
  })
}
