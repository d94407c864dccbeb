import { sql } from 'kysely'
import { isDigital, type OrderMethod, type Package } from '#domain/catalogue/catalogue.ts'
import { type PackageSales, popularPackage } from '#domain/catalogue/popular-package.ts'
import type { JobKey } from '../access/authorization/authorize.ts'
import type { Db } from '../database/database.ts'
import { hasFeature } from '../jobs/store/job-services.ts'

type Offer = { readonly method: OrderMethod | undefined; readonly now: Date }

type OfferRow = { digital: boolean; sales: PackageSales[] }

/** Whether a package is sold. A studio without the feature `digitalDownloads` sells no files (section 4, features). */
const isSold = (digital: boolean, { items }: Package): boolean =>
  digital || !items.some((item) => isDigital(item.productCode))

/**
 * Reads the current versions of the packages that a job offers for an order method, or for any method, in the studio's
 * order. Undefined for a job that is unpublished or archived, or whose studio is disabled. One statement, because every
 * customer waits for it.
 */
export const offeredPackages = async (
  db: Db,
  { studioId, jobId }: JobKey,
  { method, now }: Offer,
): Promise<Package[] | undefined> => {
  const { rows } = await sql<OfferRow>`
    select ${hasFeature('digitalDownloads')} as digital,
           (select coalesce(jsonb_agg(jsonb_build_object(
                     'package', v.content || jsonb_build_object('id', p.id, 'version', v.version),
                     'soldCount', p.sold_count, 'isRecommended', p.is_recommended) order by p.position, p.id), '[]')
              from packages p
              join package_versions v on v.studio_id = p.studio_id and v.package_id = p.id and v.version = p.current_version
             where p.studio_id = j.studio_id and p.package_set_id = j.package_set_id and p.archived_at is null
               and case ${method ?? null}::text when 'prepay' then p.offered_prepay when 'gallery' then p.offered_gallery
                        else p.offered_prepay or p.offered_gallery end) as sales
      from jobs j join studios s on s.id = j.studio_id
     where j.studio_id = ${studioId} and j.id = ${jobId} and j.published_at <= ${now}::timestamptz and j.archived_at is null
       and s.rspo_enabled`.execute(db)
  const [row] = rows
  const sales = row?.sales.filter((candidate) => isSold(row.digital, candidate.package))
  const popularId = sales && popularPackage(sales)
  return sales?.map(({ package: offered }) => (offered.id === popularId ? { ...offered, mostPopular: true } : offered))
}
