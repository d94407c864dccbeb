import { sql } from 'kysely'
import type { MutationResult } from '#contract/shapes/cart-structs.ts'
import { belongsToCart } from '#domain/cart/mutation-kinds.ts'
import type { Db } from '#server/database/database.ts'
import type { CartRef } from '../store/read-cart.ts'
import { type CartCommand, rejectedResult } from './command.ts'
import { rejections } from './mutation-rejections.ts'

/** The cart that mutations are for. `cartId`: only this cart, not its successor once it is ordered. */
export type CartTarget = CartRef & { readonly cartId?: number | undefined }

/** The result of a mutation whose cart is an order by now. */
export const cartOrderedResult = ({ id }: CartCommand): MutationResult => rejectedResult(id, rejections.ordered)

/** The new mutations whose cart became an order: another device was quicker. */
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
