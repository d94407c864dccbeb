import { sql } from 'kysely'
import type { PackageDefaults, StaffProduct } from '#contract/studio/products.ts'
import type { PageQuery } from '#domain/shared/paging.ts'
import type { Db, Transaction } from '../database/database.ts'
import { likePattern, orderBy, paginateQuery } from '../http/paging/paginate-query.ts'

const columns = sql`
  p.code, p.name, p.description, p.width_inches as "widthInches", p.height_inches as "heightInches", p.nodes`

const sorts = { name: sql`lower(p.name)`, code: sql`lower(p.code)`, size: sql`p.width_inches * p.height_inches` }

/** The products that packages are made of. */
export const listProductsFor = (db: Db, asked: PageQuery & { sort?: string | undefined }) => {
  const sought = likePattern(asked.filter ?? '')
  return paginateQuery<StaffProduct>(
    db,
    {
      columns,
      from: sql`from products p where p.archived_at is null and (p.name ilike ${sought} or p.code ilike ${sought})`,
      order: orderBy(sorts, asked.sort, sql`p.id`),
    },
    asked,
  )
}

/** What a studio's new packages begin with; undefined where there is no such studio. */
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
  const { taxClass = 'standard', allowConsumerCrop = true, order = 'last', ...offered } = studio.package_preferences
  const { offeredPrepay = true, offeredGallery = true } = offered
  return { taxClass, allowConsumerCrop, offeredPrepay, offeredGallery, order }
}
