import { type Cart, emptyCart } from '../../domain/cart.ts'
import type { Db } from '../database/database.ts'
import type { CartOf } from './read-cart.ts'

/** The cart of a visit that has none yet: nothing in it, and already the job's word on whether retouching goes by the picture. */
export const unseenCart = async (db: Db, { job, orderMethod }: CartOf): Promise<Cart> => {
  const empty = emptyCart(job.jobId, orderMethod)
  const { image_level_service: imageLevel } = await db
    .selectFrom('jobs')
    .select('image_level_service')
    .where('studio_id', '=', job.studioId)
    .where('id', '=', job.jobId)
    .executeTakeFirstOrThrow()
  return { ...empty, cartOrderServicesDetails: { ...empty.cartOrderServicesDetails, imageLevel } }
}
