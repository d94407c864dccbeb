import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { normaliseOrderNumber } from '#domain/orders/order-number.ts'
import { isLiveGrant } from '#server/access/grants/grants.ts'
import { currentSession, type Session } from '#server/access/sessions/sessions.ts'
import type { Db } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import type { OrderKey } from './sold-lines.ts'

export type OrderRef = OrderKey & { readonly jobId: number; readonly orderNumber: string }

/** SQL for the columns of an `OrderRef`; `o` is the alias of `orders`. */
export const orderRefColumns = sql`o.studio_id as "studioId", o.id as "orderId", o.job_id as "jobId", o.order_number as "orderNumber"`

/** The order with this number in a job, if the session has a grant for it. */
export const grantedOrder = async (
  db: Db,
  session: Session,
  { orderNumber, jobId, now }: { orderNumber: string; jobId: number; now: Date },
): Promise<OrderRef | undefined> => {
  const { rows } = await sql<OrderRef>`
    select ${orderRefColumns} from order_links l join orders o on o.studio_id = l.studio_id and o.id = l.order_id
     where l.order_number = ${normaliseOrderNumber(orderNumber) ?? ''} and o.job_id = ${jobId}
       and exists (select from session_grants g
                    where g.studio_id = o.studio_id and g.session_id = ${session.id} and g.kind = 'order'
                      and g.order_id = o.id and ${isLiveGrant(now)})`.execute(db)
  return rows[0]
}

/** The path parameters of a file of an order; `orderId` is its number. */
export type OrderParams = { readonly jobId: string; readonly orderId: string }

/** The order of a request for one of its files, and the session, if the session has a grant for the order. */
export const grantedOrderOf = async (
  deps: Deps,
  request: FastifyRequest,
  params: OrderParams,
): Promise<{ session: Session; orderRef: OrderRef } | undefined> => {
  const session = await currentSession(deps, request)
  const jobId = Number(params.jobId)
  if (!session || !Number.isSafeInteger(jobId)) return undefined
  const orderRef = await grantedOrder(deps.db, session, { orderNumber: params.orderId, jobId, now: deps.clock() })
  return orderRef && { session, orderRef }
}
