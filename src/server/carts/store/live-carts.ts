import { sql } from 'kysely'
import type { LiveCart } from '#contract/customer/cart-calls.ts'
import type { Cart } from '#domain/cart/cart.ts'
import type { JobSession } from '#server/access/grants/grants.ts'
import type { Db, Transaction } from '#server/database/database.ts'
import type { CartRef } from './read-cart.ts'

/** The session's carts in a job that are not orders yet, with their states. */
export const liveCarts = async (db: Db, { session, job }: JobSession): Promise<LiveCart[]> => {
  const { rows } = await sql<LiveCart>`
    select order_method as "orderMethod", id, version from carts
     where studio_id = ${job.studioId} and session_id = ${session.id} and job_id = ${job.jobId} and state <> 'ordered'
     order by order_method`.execute(db)
  return rows
}

/** Creates the session's cart for an order method unless it has a live one. Two devices may do so at once: only one row is created. */
export const ensureCart = async (db: Db | Transaction, whose: CartRef, now: Date): Promise<void> => {
  const { session, job, orderMethod } = whose
  await sql`
    insert into carts (studio_id, session_id, job_id, order_method, version, created_at, updated_at)
    values (${job.studioId}, ${session.id}, ${job.jobId}, ${orderMethod}, 1, ${now}, ${now})
    on conflict (studio_id, session_id, job_id, order_method) where state <> 'ordered' do nothing`.execute(db)
}

/** Sets whether a cart accepts changes, is being paid, or is closed. */
export const setCartState = async (
  tx: Transaction,
  cart: { studioId: number; cartId: number },
  { state, at }: { state: Cart['state']; at: Date },
): Promise<void> => {
  await sql`
    update carts set state = ${state}, version = version + 1, updated_at = ${at}
     where studio_id = ${cart.studioId} and id = ${cart.cartId} and state <> ${state}`.execute(tx)
}
