import { sql } from 'kysely'
import type { PackageSet } from '#contract/studio/package-sets.ts'
import type { Page, PageQuery } from '#domain/shared/paging.ts'
import type { Db, Transaction } from '../database/database.ts'
import { isoTimestamp } from '../database/timestamps.ts'
import { likePattern, orderBy, paginateQuery } from '../http/paging/paginate-query.ts'

export type PackageSetKey = { readonly studioId: number; readonly packageSetId: number }

const columns = sql`
  s.id, s.name, s.description, s.archived_at is not null as "isArchived", s.version, ${isoTimestamp(sql`s.updated_at`)} as "updatedAt",
  counts."packageCount", counts."addOnCount",
  (select count(*) from jobs j where j.studio_id = s.studio_id and j.package_set_id = s.id) as "jobCount"`

const from = sql`
  from package_sets s
  cross join lateral (
    select count(*) filter (where v.addon_type = 'standard') as "packageCount",
           count(*) filter (where v.addon_type <> 'standard') as "addOnCount"
      from packages p
      join package_versions v on v.studio_id = p.studio_id and v.package_id = p.id and v.version = p.current_version
     where p.studio_id = s.studio_id and p.package_set_id = s.id and p.archived_at is null) counts`

const sorts = {
  name: sql`lower(s.name)`,
  packages: sql`counts."packageCount" + counts."addOnCount"`,
  jobs: sql`"jobCount"`,
  updated: sql`s.updated_at`,
}

export type PackageListQuery = PageQuery & { sort?: string | undefined; type?: 'current' | 'archived' | undefined }

/** A studio's package sets with counts: the current ones, or only the archived ones if `type` is `archived`. */
export const listPackageSets = (
  db: Db,
  studioId: number,
  query: PackageListQuery,
): Promise<PackageSet[] | Page<PackageSet>> => {
  const pattern = likePattern(query.filter ?? '')
  const archiveCondition = query.type === 'archived' ? sql`s.archived_at is not null` : sql`s.archived_at is null`
  return paginateQuery<PackageSet>(
    db,
    {
      columns,
      from: sql`${from} where s.studio_id = ${studioId} and ${archiveCondition} and (s.name ilike ${pattern} or s.description ilike ${pattern})`,
      order: orderBy(sorts, query.sort, sql`s.id`),
    },
    query,
  )
}

export const readPackageSet = async (
  db: Db | Transaction,
  { studioId, packageSetId }: PackageSetKey,
): Promise<PackageSet | undefined> => {
  const { rows } = await sql<PackageSet>`
    select ${columns} ${from} where s.studio_id = ${studioId} and s.id = ${packageSetId}`.execute(db)
  return rows[0]
}
