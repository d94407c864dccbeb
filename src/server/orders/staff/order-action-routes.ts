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
type Refused = Problem<'not-found' | 'refused'>

const standingOf = async ({ tx, key }: OrderLock): Promise<OrderStatus> => {
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

/** Does something with an order of the studio's, under its lock, and answers how it stands then; or why it was not done. */
const withOrder = (
  deps: Deps,
  { studioId, jobId, orderNumber }: OrderParams,
  change: (held: OrderLock) => Promise<Refused | undefined>,
): Promise<OrderStatus | Refused> =>
  inTransaction(deps.db, async (tx) => {
    const found = await tx
      .selectFrom('orders')
      .select('id')
      .where('studio_id', '=', studioId)
      .where('job_id', '=', jobId)
      .where('order_number', '=', normaliseOrderNumber(orderNumber) ?? '')
      .executeTakeFirst()
    const key = { studioId, orderId: found?.id ?? 0 }
    const order = found && (await lockOrder(tx, key))
    if (!order) return orderNotFound()
    const held = { tx, key, order }
    return (await change(held)) ?? (await standingOf(held))
  })

/** What staff do with an order that was placed. */
export const mountOrderActions = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, moveOrder, ({ params, body: { to, trackingNumber }, user }) =>
    withOrder(deps, params, async ({ tx, key, order }) => {
      // Told again, it is as it is.
      const isThere = order.state === to
      if (!isThere && !(await move(tx, deps, { key, order, move: { to, userId: user.id } }))) {
        return problem('refused', 'This order cannot go there from where it is')
      }
      if (trackingNumber !== undefined) {
        await sql`update orders set tracking_number = ${trackingNumber.trim()}
                   where studio_id = ${key.studioId} and id = ${key.orderId}`.execute(tx)
      }
      if (to === 'shipped' && !isThere) await deps.jobs.enqueue(tx, 'tell-shipped', key)
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
    withOrder(deps, params, async (held) => {
      const { tx, key } = held
      const left = await refundableCents(tx, key)
      if (amountCents < 1) return problem('refused', 'Please enter an amount')
      if (amountCents > left) return problem('refused', `At most ${formatMoney(left)} can be given back of this order`)
      await createRefund(tx, deps, { key, owed: { amountCents, reason: reason.trim(), userId: user.id } })
      // Money: a repetition of this request must find that it was done, whatever becomes of the answer.
      await recordIn(tx, await standingOf(held))
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
