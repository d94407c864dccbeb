import type { MutationResult } from '#contract/shapes/cart-structs.ts'
import { belongsToCart } from '#domain/cart/mutations.ts'
import type { Db } from '#server/database/database.ts'
import type { CartRef } from '../store/read-cart.ts'
import { type CartCommand, rejectedResult } from './command.ts'
import { rejections } from './mutation-rejections.ts'

/**
 * The cart that mutations are for. With `cartId` they are for this cart only, not for the next one after it is ordered.
 */
export type CartTarget = CartRef & { readonly cartId?: number | undefined }

/** The result of a mutation whose cart has become an order. */
export const cartOrderedResult = ({ id }: CartCommand): MutationResult => rejectedResult(id, rejections.ordered)

/**
 * Returns the commands that are rejected because their cart has become an order. Those that outlive the cart are not
 * among them.
 */
export const commandsForOrderedCart = async (
  db: Db,
  { session, job, cartId }: CartTarget,
  commands: readonly CartCommand[],
): Promise<readonly CartCommand[]> => {
  if (cartId === undefined || commands.length === 0) return []
  const rows = await db
    .selectFrom('carts')
    .select('id')
    .where('studio_id', '=', job.studioId)
    .where('id', '=', cartId)
    .where('session_id', '=', session.id)
    .where('state', '=', 'ordered')
    .execute()
  return rows.length > 0 ? commands.filter(({ kind }) => belongsToCart(kind)) : []
}
