import type { FastifyInstance } from 'fastify'
import { getOrder, searchOrder } from '#contract/customer/checkout-calls.ts'
import { cancelOrder, orderFewer, priceFewer } from '#contract/customer/order-adjustment-calls.ts'
import { getOrderPoses, patchOrderPoses, patchPrintedWords } from '#contract/customer/order-image-choice.ts'
import { normaliseOrderNumber } from '#domain/orders/order-number.ts'
import { guard } from '#server/access/brute-force/brute-force-guard.ts'
import { giveGrant, type Visit } from '#server/access/grants/grants.ts'
import { currentSession, ensureSession, type Session } from '#server/access/sessions/sessions.ts'
import { inTransaction } from '#server/database/in-transaction.ts'
import type { Deps } from '#server/deps.ts'
import { addressOf } from '#server/http/client-address.ts'
import { type Handler, mount } from '#server/http/mount.ts'
import { noOrder, Problem } from '#server/http/problem.ts'
import { cancelOrder as cancel } from '../adjustments/cancel-order.ts'
import { orderFewer as fewer, priceFewer as priceOfFewer } from '../adjustments/reduce-order.ts'
import { placePoses } from '../image-choices/save-image-choice.ts'
import { showPoses } from '../image-choices/show-image-choice.ts'
import { putWords } from '../image-choices/update-personalization.ts'
import { type FoundOrder, grantedOrder } from '../store/granted-order.ts'
import { readOrder } from '../store/read-customer-order.ts'
import { findOrder } from './find-order.ts'
import { mountCalendar } from './order-calendar.ts'

const visitOf = (session: Session, { studioId, jobId }: FoundOrder): Visit => ({ session, job: { studioId, jobId } })

const show = (deps: Deps, session: Session, found: FoundOrder) =>
  readOrder(deps.db, found, { visit: visitOf(session, found), now: deps.clock() })

/** Orders, for who placed them and for who knows number and e-mail (section 4). */
export const mountOrders = (app: FastifyInstance, deps: Deps): void => {
  mountCalendar(app, deps)
  mount(app, deps, getOrder, async ({ params, session }) => {
    const { orderId: orderNumber, jobId } = params
    const found = await grantedOrder(deps.db, session, { orderNumber, jobId, now: deps.clock() })
    return (found && (await show(deps, session, found))) ?? noOrder()
  })
  mount(app, deps, cancelOrder, async ({ params, session }) => {
    const { orderId: orderNumber, jobId } = params
    const found = await grantedOrder(deps.db, session, { orderNumber, jobId, now: deps.clock() })
    if (!found) return noOrder()
    return (await cancel(deps, { key: found, session })) ?? (await show(deps, session, found)) ?? noOrder()
  })
  const priceIt: Handler<typeof priceFewer> = async ({ params, body, session }) => {
    const { orderId: orderNumber, jobId } = params
    const found = await grantedOrder(deps.db, session, { orderNumber, jobId, now: deps.clock() })
    return found ? await priceOfFewer(deps, found, body.packages) : noOrder()
  }
  // It changes nothing: each question is to hear what holds now.
  mount(app, deps, priceFewer, priceIt, { repetition: 'again' })
  mount(app, deps, orderFewer, async ({ params, body, session }) => {
    const { orderId: orderNumber, jobId } = params
    const found = await grantedOrder(deps.db, session, { orderNumber, jobId, now: deps.clock() })
    if (!found) return noOrder()
    const { packages: wanted, backCents } = body
    const refused = await fewer(deps, { key: found, session, wanted, backCents })
    return refused ?? (await show(deps, session, found)) ?? noOrder()
  })
  mount(app, deps, getOrderPoses, async ({ params, query, session }) => {
    const { orderId: orderNumber, jobId } = params
    const found = await grantedOrder(deps.db, session, { orderNumber, jobId, now: deps.clock() })
    if (!found) return noOrder()
    const wanted = { visit: visitOf(session, found), key: found, replacements: query.replacements === '1' }
    return (await showPoses(deps, wanted)) ?? noOrder()
  })
  mount(app, deps, patchOrderPoses, async ({ params, session, body }) => {
    const { orderId: orderNumber, jobId, lineId } = params
    const found = await grantedOrder(deps.db, session, { orderNumber, jobId, now: deps.clock() })
    return found ? await placePoses(deps, { visit: visitOf(session, found), key: found, lineId }, body) : noOrder()
  })
  mount(app, deps, patchPrintedWords, async ({ params, session, body }) => {
    const { orderId: orderNumber, jobId, lineId } = params
    const found = await grantedOrder(deps.db, session, { orderNumber, jobId, now: deps.clock() })
    return found ? await putWords(deps, { key: found, session, lineId }, body) : noOrder()
  })
  mount(app, deps, searchOrder, async ({ query, request, reply }) => {
    const targets = [normaliseOrderNumber(query.orderNumber) ?? query.orderNumber, query.email.trim()]
    const attempt = {
      kind: 'order',
      session: await currentSession(deps, request),
      grant: 'any',
      targets,
      address: addressOf(request),
    } as const
    const found = await guard(deps, attempt, () => findOrder(deps.db, query))
    if (found instanceof Problem) return found
    if (!found) return noOrder()
    const session = await ensureSession(deps, request, reply)
    if (session instanceof Problem) return session
    const { jobId, orderId, orderNumber } = found
    await inTransaction(deps.db, (tx) => giveGrant(tx, deps, visitOf(session, found), { kind: 'order', orderId }))
    const order = await show(deps, session, found)
    return order ? { jobId, orderNumber, order } : noOrder()
  })
}
