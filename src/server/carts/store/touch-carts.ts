import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { JobKey } from '#server/access/authorization/authorize.ts'
import type { Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'

/**
 * SQL for whether a row of `carts` is open and shows one of `images`, which has rows `(studio_id, job_id, id, kind,
 * subject_id)`. The cart has the image on a package or a service, or has a package for the subject of the image, whose
 * thumbnail it may be.
 */
export const showsOneOf = (images: RawBuilder<unknown>): RawBuilder<SqlBool> => sql`(
  carts.state = 'open' and exists (
    select from ${images} i
     where i.studio_id = carts.studio_id and i.job_id = carts.job_id and (
       exists (select from cart_packages l
                where l.studio_id = carts.studio_id and l.cart_id = carts.id and (
                  i.kind = 'hosted-individual' and l.subject_id = i.subject_id
                  or exists (select from cart_image_nodes x
                              where x.studio_id = l.studio_id and x.cart_package_id = l.id
                                and i.id in (x.subject_image_id, x.group_image_id, x.replacement_image_id))))
       or exists (select from cart_order_services s
                   where s.studio_id = carts.studio_id and s.cart_id = carts.id and s.image_id = i.id))))`

/** The columns that give a cart a new version, so that its devices reload it. */
export const touched = (now: Date) => ({ version: sql<number>`carts.version + 1`, updated_at: now })

/** Gives carts that show an image a new version, so that their devices reload them. */
export const touchCarts = async (
  tx: Transaction,
  { clock }: Pick<Deps, 'clock'>,
  { studioId, jobId, imageId }: JobKey & { readonly imageId: number },
): Promise<void> => {
  const image = sql`(select studio_id, job_id, id, kind, subject_id from image_lookups
                      where studio_id = ${studioId} and job_id = ${jobId} and id = ${imageId})`
  await tx
    .updateTable('carts')
    .set(touched(clock()))
    .where('studio_id', '=', studioId)
    .where('job_id', '=', jobId)
    .where(showsOneOf(image))
    .execute()
}
