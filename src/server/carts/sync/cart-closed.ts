import { sql } from 'kysely'
import type { MutationResult } from '#contract/shapes/cart-structs.ts'
import { endsWithCart } from '#domain/cart/mutation-kinds.ts'
import type { Db } from '#server/database/database.ts'
import type { CartOf } from '../store/read-cart.ts'
import { refusedAs, type Told } from './command.ts'
import { refusals } from './mutation-rejections.ts'

/** Whose cart is told; `cartId`: the one it is meant for, and no other in its place once that is ordered. */
export type CartTold = CartOf & { readonly cartId?: number | undefined }

/** What is answered to a change of a cart that is an order by now. */
export const lateAnswer = ({ id }: Told): MutationResult => refusedAs(id, refusals.ordered)

/** Of what nobody was told before, that which is meant for a cart that became an order: another device was quicker. */
export const tooLate = async (
  db: Db,
  { session, job, cartId }: CartTold,
  fresh: readonly Told[],
): Promise<readonly Told[]> => {
  if (cartId === undefined || fresh.length === 0) return []
  const { rows } = await sql`
    select from carts where studio_id = ${job.studioId} and id = ${cartId} and session_id = ${session.id}
       and state = 'ordered'`.execute(db)
  return rows.length > 0 ? fresh.filter(({ does }) => endsWithCart(does)) : []
}
