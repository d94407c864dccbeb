import { sql } from 'kysely'
import type { LiveCart } from '#contract/customer/cart-calls.ts'
import type { Cart } from '#domain/cart/cart.ts'
import type { JobSession } from '#server/access/grants/grants.ts'
import type { Db, Transaction } from '#server/database/database.ts'
import type { CartRef } from './read-cart.ts'

/** The session's carts in a job that have not become orders. */
export const liveCarts = async (db: Db, { session, job }: JobSession): Promise<LiveCart[]> => {
  const rows = await db
    .selectFrom('carts')
    .select(['order_method as orderMethod', 'id', 'version'])
    .where('studio_id', '=', job.studioId)
    .where('session_id', '=', session.id)
    .where('job_id', '=', job.jobId)
    .where('state', '<>', 'ordered')
    .orderBy('order_method')
    .execute()
  return rows
}

/**
 * Creates the session's cart for an order method unless it has a live one. If two devices do so at once, only one row
 * is created.
 */
export const ensureCart = async (db: Db | Transaction, cartRef: CartRef, now: Date): Promise<void> => {
  const { session, job, orderMethod } = cartRef
  await sql`
    insert into carts (studio_id, session_id, job_id, order_method, version, created_at, updated_at)
    values (${job.studioId}, ${session.id}, ${job.jobId}, ${orderMethod}, 1, ${now}, ${now})
    on conflict (studio_id, session_id, job_id, order_method) where state <> 'ordered' do nothing`.execute(db)
}

/** Sets the state of a cart: `open` for changes, `frozen` while a payment is in progress, or `ordered`. */
export const setCartState = async (
  tx: Transaction,
  cart: { studioId: number; cartId: number },
  { state, at }: { state: Cart['state']; at: Date },
): Promise<void> => {
  await tx
    .updateTable('carts')
    .set({ state, version: (eb) => eb('version', '+', 1), updated_at: at })
    .where('studio_id', '=', cart.studioId)
    .where('id', '=', cart.cartId)
    .where('state', '<>', state)
    .execute()
}
