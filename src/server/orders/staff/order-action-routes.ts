import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import {
  cancelStaffOrder,
  moveOrder,
  type OrderStatus,
  refundOrder,
  resendReceipt,
} from '#contract/studio/order-actions.ts'
import { assignMainImages } from '#contract/studio/order-lists.ts'
import { normaliseOrderNumber } from '#domain/orders/order-number.ts'
import { formatMoney } from '#domain/pricing/money.ts'
import type { Transaction } from '#server/database/database.ts'
import { inTransaction } from '#server/database/in-transaction.ts'
import type { Deps } from '#server/deps.ts'
import { mount } from '#server/http/mount.ts'
import { orderNotFound, type Problem, problem } from '#server/http/problem.ts'
import { cancelLockedOrder } from '../adjustments/cancel-order.ts'
import { placePrimaryImages as place } from '../image-choices/place-primary-images.ts'
import { createRefund, refundableCents } from '../store/create-refund.ts'
import { type LockedOrder, lockOrder, moveOrder as move } from '../store/move-order.ts'
import type { OrderKey } from '../store/order-key.ts'

type OrderParams = { readonly studioId: number; readonly jobId: number; readonly orderNumber: string }
type OrderLock = { readonly tx: Transaction; readonly key: OrderKey; readonly order: LockedOrder }
type OrderActionProblem = Problem<'not-found' | 'refused'>

const readStatus = async ({ tx, key }: OrderLock): Promise<OrderStatus> => {
  const { studioId, orderId } = key
  const { rows } = await sql<Omit<OrderStatus, 'refundableCents'>>`
    select o.order_number as "orderNumber", o.state, o.tracking_number as "trackingNumber",
           (select coalesce(json_agg(json_build_object('amountCents', r.amount_cents, 'state', r.state,
                     'at', coalesce(r.settled_at, r.created_at)) order by r.id), '[]')
              from ledger r where r.studio_id = o.studio_id and r.order_id = o.id and r.kind = 'refund') as refunds
      from orders o where o.studio_id = ${studioId} and o.id = ${orderId}`.execute(tx)
  const [row] = rows
  if (!row) throw new Error(`order ${orderId} was locked and is not there`)
  const refunds = row.refunds.map((refund) => ({ ...refund, at: new Date(refund.at).toISOString() }))
  return { ...row, refunds, refundableCents: await refundableCents(tx, key) }
}

/**
 * Runs a change on an order under its lock. Returns the order's new status, or the problem that prevented the change.
 */
const withOrder = (
  deps: Deps,
  { studioId, jobId, orderNumber }: OrderParams,
  change: (locked: OrderLock) => Promise<OrderActionProblem | undefined>,
): Promise<OrderStatus | OrderActionProblem> =>
  inTransaction(deps.db, async (tx) => {
    const row = await tx
      .selectFrom('orders')
      .select('id')
      .where('studio_id', '=', studioId)
      .where('job_id', '=', jobId)
      .where('order_number', '=', normaliseOrderNumber(orderNumber) ?? '')
      .executeTakeFirst()
    const key = { studioId, orderId: row?.id ?? 0 }
    const order = row && (await lockOrder(tx, key))
    if (!order) return orderNotFound()
    const locked = { tx, key, order }
    return (await change(locked)) ?? (await readStatus(locked))
  })

/** Mounts what staff do with a placed order. */
export const mountOrderActions = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, moveOrder, ({ params, body: { to, trackingNumber }, user }) =>
    withOrder(deps, params, async ({ tx, key, order }) => {
      // A repeated request changes nothing.
      const isAlreadyThere = order.state === to
      if (!isAlreadyThere && !(await move(tx, deps, { key, order, move: { to, userId: user.id } }))) {
        return problem('refused', 'This order cannot go there from where it is')
      }
      if (trackingNumber !== undefined) {
        await sql`update orders set tracking_number = ${trackingNumber.trim()}
                   where studio_id = ${key.studioId} and id = ${key.orderId}`.execute(tx)
      }
      if (to === 'shipped' && !isAlreadyThere) await deps.jobs.enqueue(tx, 'send-shipped-email', key)
      return undefined
    }),
  )
  mount(app, deps, cancelStaffOrder, ({ params, body, user }) =>
    withOrder(deps, params, async ({ tx, key, order }) => {
      if (order.state === 'cancelled') return undefined
      const by = { reason: body.reason.trim(), userId: user.id }
      if (await cancelLockedOrder(tx, deps, { key, order, by })) return undefined
      return problem('refused', 'The lab is at this order already: it can be given back, but not cancelled')
    }),
  )
  mount(app, deps, refundOrder, ({ params, body: { amountCents, reason }, user, recordIn }) =>
    withOrder(deps, params, async (locked) => {
      const { tx, key } = locked
      const refundable = await refundableCents(tx, key)
      if (amountCents < 1) return problem('refused', 'Please enter an amount')
      if (amountCents > refundable)
        return problem('refused', `At most ${formatMoney(refundable)} can be given back of this order`)
      await createRefund(tx, deps, { key, owed: { amountCents, reason: reason.trim(), userId: user.id } })
      // A retry must find that the refund was made, even if the response is lost.
      await recordIn(tx, await readStatus(locked))
      return undefined
    }),
  )
  mount(app, deps, resendReceipt, ({ params }) =>
    withOrder(deps, params, async ({ tx, key }) => {
      await deps.jobs.enqueue(tx, 'send-receipt', { ...key, again: deps.newId() })
      return undefined
    }),
  )
  mount(app, deps, assignMainImages, ({ params: job, body, user, recordIn }) =>
    place(deps, { job, ...body, user, recordIn }),
  )
}
