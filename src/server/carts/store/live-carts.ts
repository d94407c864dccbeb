import { sql } from 'kysely'
import type { Cart } from '#domain/cart/cart.ts'
import type { Db, Transaction } from '#server/database/database.ts'
import type { CartRef } from './read-cart.ts'

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
