import { sql } from 'kysely'
import type { PackageDefaults, StaffProduct } from '#contract/studio/products.ts'
import type { PageQuery } from '#domain/shared/paging.ts'
import type { Db, Transaction } from '../database/database.ts'
import { likePattern, orderBy, paginateQuery } from '../http/paging/paginate-query.ts'
import { productImageUrl } from '../images/store/image-urls.ts'

const columns = sql`
  p.code, p.name, p.description, p.width_inches as "widthInches", p.height_inches as "heightInches", p.nodes,
  p.allow_crop as "allowCrop", p.suggested_price_cents as "suggestedPriceCents",
  ${productImageUrl(sql`p.image_file`)} as "imageUrl"`

const sorts = { name: sql`lower(p.name)`, code: sql`lower(p.code)`, size: sql`p.width_inches * p.height_inches` }

/** Lists the products that packages can contain. */
export const listProductsFor = (db: Db, query: PageQuery & { sort?: string | undefined }) => {
  const pattern = likePattern(query.filter ?? '')
  return paginateQuery<StaffProduct>(
    db,
    {
      columns,
      from: sql`from products p where p.archived_at is null and (p.name ilike ${pattern} or p.code ilike ${pattern})`,
      order: orderBy(sorts, query.sort, sql`p.id`),
    },
    query,
  )
}

/** The defaults for new packages of a studio; undefined if there is no such studio. */
export const readPackageDefaults = async (
  db: Db | Transaction,
  studioId: number,
): Promise<PackageDefaults | undefined> => {
  const studio = await db
    .selectFrom('studios')
    .select('package_preferences')
    .where('id', '=', studioId)
    .executeTakeFirst()
  if (!studio) return undefined
  const { taxClass = 'standard', allowConsumerCrop = true, order = 'last', ...offer } = studio.package_preferences
  const { offeredPrepay = true, offeredGallery = true } = offer
  return { taxClass, allowConsumerCrop, offeredPrepay, offeredGallery, order }
}
