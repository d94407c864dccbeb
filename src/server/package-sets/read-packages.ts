import { type RawBuilder, sql } from 'kysely'
import type { PackageRow, StudioPackage } from '#contract/studio/package-sets.ts'
import type { Page } from '#domain/shared/paging.ts'
import type { JobKey } from '../access/authorization/authorize.ts'
import type { Db, Transaction } from '../database/database.ts'
import { isoTimestamp } from '../database/timestamps.ts'
import { likePattern, orderBy, paginateQuery } from '../http/paging/paginate-query.ts'
import type { PackageListQuery, PackageSetKey } from './read-package-sets.ts'

export type PackageKey = PackageSetKey & { readonly id: number }

const maxItemNames = 8

const columns = sql`
  p.id, p.package_set_id as "packageSetId", s.name as "packageSetName", v.name, v.content ->> 'altName' as "altName",
  (v.retail_cost_cents / 100.0)::double precision as "retailCost", v.addon_type as "addonType",
  jsonb_array_length(v.content -> 'items') as "itemCount",
  (select coalesce(jsonb_agg(i.item ->> 'name' order by i.position), '[]')
     from jsonb_array_elements(v.content -> 'items') with ordinality i (item, position) where i.position <= ${maxItemNames}) as "itemNames",
  p.offered_prepay as "offeredPrepay", p.offered_gallery as "offeredGallery", p.archived_at is not null as "isArchived",
  p.position, p.version, ${isoTimestamp(sql`p.updated_at`)} as "updatedAt"`

const from = sql`
  from packages p
  join package_sets s on s.studio_id = p.studio_id and s.id = p.package_set_id
  join package_versions v on v.studio_id = p.studio_id and v.package_id = p.id and v.version = p.current_version`

const sorts = {
  position: sql`p.position`,
  name: sql`lower(v.name)`,
  price: sql`v.retail_cost_cents`,
  set: sql`lower(s.name)`,
  updated: sql`p.updated_at`,
}

const listPackages = (
  db: Db,
  condition: RawBuilder<unknown>,
  query: PackageListQuery,
): Promise<PackageRow[] | Page<PackageRow>> => {
  const pattern = likePattern(query.filter ?? '')
  const archiveCondition = query.type === 'archived' ? sql`p.archived_at is not null` : sql`p.archived_at is null`
  return paginateQuery<PackageRow>(
    db,
    {
      columns,
      // Matches the name that customers see and the name that only the studio sees.
      from: sql`${from} where ${condition} and ${archiveCondition} and (v.name ilike ${pattern} or v.content ->> 'altName' ilike ${pattern})`,
      order: orderBy(sorts, query.sort, sql`p.position, p.id`),
    },
    query,
  )
}

/** The packages of a set in the studio's order; undefined if there is no such set. */
export const listPackagesOfSet = async (db: Db, { studioId, packageSetId }: PackageSetKey, query: PackageListQuery) => {
  const rows = await db
    .selectFrom('package_sets')
    .select('id')
    .where('studio_id', '=', studioId)
    .where('id', '=', packageSetId)
    .execute()
  if (rows.length === 0) return undefined
  return listPackages(db, sql`p.studio_id = ${studioId} and p.package_set_id = ${packageSetId}`, query)
}

/** A studio's packages: the current ones of current sets, or all archived ones if `type` is `archived`. */
export const listAllPackages = (db: Db, studioId: number, query: PackageListQuery) => {
  const setCondition = query.type === 'archived' ? sql`true` : sql`s.archived_at is null`
  return listPackages(db, sql`p.studio_id = ${studioId} and ${setCondition}`, {
    ...query,
    sort: query.sort ?? 'name',
  })
}

/** The packages that a job offers, in the order of its set; undefined if the studio has no such job. */
export const listPackagesOfJob = async (db: Db, { studioId, jobId }: JobKey, query: PackageListQuery) => {
  const rows = await db
    .selectFrom('jobs')
    .select('package_set_id as setId')
    .where('studio_id', '=', studioId)
    .where('id', '=', jobId)
    .execute()
  const [job] = rows
  return job && listPackages(db, sql`p.studio_id = ${studioId} and p.package_set_id = ${job.setId}`, query)
}

/** Whether package `p` was ever added to a cart or ordered. */
export const isInUse = sql<boolean>`(
  exists (select from cart_packages c where c.studio_id = p.studio_id and c.package_id = p.id)
  or exists (select from order_lines l where l.studio_id = p.studio_id and l.package_id = p.id))`

export const readPackage = async (
  db: Db | Transaction,
  { studioId, packageSetId, id }: PackageKey,
): Promise<StudioPackage | undefined> => {
  const { rows } = await sql<StudioPackage>`
    select p.id, p.package_set_id as "packageSetId", p.version, p.position, p.offered_prepay as "offeredPrepay",
           p.offered_gallery as "offeredGallery", p.tax_class as "taxClass", p.is_recommended as "isRecommended", p.archived_at is not null as "isArchived",
           ${isInUse} as "isInUse",
           v.content || jsonb_build_object('id', p.id, 'version', v.version) as content
      from packages p
      join package_versions v on v.studio_id = p.studio_id and v.package_id = p.id and v.version = p.current_version
     where p.studio_id = ${studioId} and p.package_set_id = ${packageSetId} and p.id = ${id}`.execute(db)
  return rows[0]
}
