import { sql } from 'kysely'
import type { MutationResult } from '#contract/shapes/cart-structs.ts'
import { belongsToCart } from '#domain/cart/mutation-kinds.ts'
import type { Db } from '#server/database/database.ts'
import type { CartRef } from '../store/read-cart.ts'
import { type CartCommand, rejectedResult } from './command.ts'
import { rejections } from './mutation-rejections.ts'

/** Whose cart is told; `cartId`: the one it is meant for, and no other in its place once that is ordered. */
export type CartTarget = CartRef & { readonly cartId?: number | undefined }

/** What is answered to a change of a cart that is an order by now. */
export const cartOrderedResult = ({ id }: CartCommand): MutationResult => rejectedResult(id, rejections.ordered)

/** Of what nobody was told before, that which is meant for a cart that became an order: another device was quicker. */
export const mutationsForOrderedCart = async (
  db: Db,
  { session, job, cartId }: CartTarget,
  fresh: readonly CartCommand[],
): Promise<readonly CartCommand[]> => {
  if (cartId === undefined || fresh.length === 0) return []
  const { rows } = await sql`
    select from carts where studio_id = ${job.studioId} and id = ${cartId} and session_id = ${session.id}
       and state = 'ordered'`.execute(db)
  return rows.length > 0 ? fresh.filter(({ kind: does }) => belongsToCart(does)) : []
}
