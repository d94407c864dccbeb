import { type Cart, emptyCart } from '#domain/cart/cart.ts'
import type { Db } from '#server/database/database.ts'
import { type CartRef, earlierOrders } from './read-cart.ts'

/** The cart of a session that has none yet: empty, with the job's rule on retouching per image and the earlier carts that became orders. */
export const readEmptyCart = async (db: Db, whose: CartRef): Promise<Cart> => {
  const { job, orderMethod } = whose
  const empty = emptyCart(job.jobId, orderMethod)
  const { image_level_service: imageLevel, ordered } = await db
    .selectFrom('jobs')
    .select(['image_level_service', earlierOrders(whose).as('ordered')])
    .where('studio_id', '=', job.studioId)
    .where('id', '=', job.jobId)
    .executeTakeFirstOrThrow()
  const cartOrderServicesDetails = { ...empty.cartOrderServicesDetails, imageLevel }
  return { ...empty, cartOrderServicesDetails, ...(ordered && { orderedCarts: ordered }) }
}
