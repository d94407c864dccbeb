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
import { inTransaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { mount } from '#server/http/mount.ts'
import { orderNotFound, type Problem, problem } from '#server/http/problem.ts'
import { cancelLockedOrder } from '../adjustments/cancel-order.ts'
import { placePrimaryImages as place } from '../image-choices/place-primary-images.ts'
import { createRefund, refundableCents } from '../store/create-refund.ts'
import { type LockedOrder, lockOrder, moveOrder as move } from '../store/move-order.ts'
import type { OrderKey } from '../store/sold-lines.ts'

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
  if (!row) throw new Error(`order ${orderId} was locked and does not exist`)
  const refunds = row.refunds.map((refund) => ({ ...refund, at: new Date(refund.at).toISOString() }))
  return { ...row, refunds, refundableCents: await refundableCents(tx, key) }
}

/**
 * Runs a change on an order under its lock. Returns the new status of the order, or the problem that prevented the change.
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

/** Mounts the actions of staff on a placed order. */
export const mountOrderActions = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, moveOrder, ({ params, body: { to, trackingNumber }, user }) =>
    withOrder(deps, params, async ({ tx, key, order }) => {
      // A repeated request changes nothing.
      const isInState = order.state === to
      if (!isInState && !(await move(tx, deps, { key, order, move: { to, userId: user.id } }))) {
        return problem('refused', 'This order cannot go there from where it is')
      }
      if (trackingNumber !== undefined) {
        await tx
          .updateTable('orders')
          .set({ tracking_number: trackingNumber.trim() })
          .where('studio_id', '=', key.studioId)
          .where('id', '=', key.orderId)
          .execute()
      }
      if (to === 'shipped' && !isInState) await deps.jobs.enqueue(tx, 'send-shipped-email', key)
      return undefined
    }),
  )
  mount(app, deps, cancelStaffOrder, ({ params, body, user }) =>
    withOrder(deps, params, async ({ tx, key, order }) => {
      if (order.state === 'cancelled') return undefined
      const actor = { reason: body.reason.trim(), userId: user.id }
      if (await cancelLockedOrder(tx, deps, { key, order, by: actor })) return undefined
      return problem('refused', 'The lab has already started this order: you can refund it, but not cancel it')
    }),
  )
  mount(app, deps, refundOrder, ({ params, body: { amountCents, reason }, user, recordResponse }) =>
    withOrder(deps, params, async (locked) => {
      const { tx, key } = locked
      const refundable = await refundableCents(tx, key)
      if (amountCents < 1) return problem('refused', 'Please enter an amount')
      if (amountCents > refundable)
        return problem('refused', `At most ${formatMoney(refundable)} of this order can be refunded`)
      await createRefund(tx, deps, { key, refund: { amountCents, reason: reason.trim(), userId: user.id } })
      // A retry must find that the refund was made, even if the response is lost.
      await recordResponse(tx, await readStatus(locked))
      return undefined
    }),
  )
  mount(app, deps, resendReceipt, ({ params }) =>
    withOrder(deps, params, async ({ tx, key }) => {
      await deps.jobs.enqueue(tx, 'send-receipt', { ...key, resendId: deps.newId() })
      return undefined
    }),
  )
  mount(app, deps, assignMainImages, ({ params: job, body, user, recordResponse }) =>
    place(deps, { job, ...body, user, recordResponse }),
  )
}
