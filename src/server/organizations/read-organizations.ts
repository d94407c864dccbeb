import { sql } from 'kysely'
import type { Infer } from 'superstruct'
import type { listOrganizations, Organization, OrganizationRow } from '#contract/studio/organizations.ts'
import type { Page } from '#domain/shared/paging.ts'
import type { Db, Transaction } from '../database/database.ts'
import { isoTimestamp } from '../database/timestamps.ts'
import { likePattern, orderBy, paginateQuery, type SortColumns } from '../http/paging/paginate-query.ts'

export type OrganizationKey = { readonly studioId: number; readonly organizationId: number }

const jobCount = sql`(select count(*) from jobs j where j.studio_id = o.studio_id and j.organization_id = o.id)`

/** The columns by which the list can be sorted. */
const sorts: SortColumns = { name: sql`lower(o.name)`, type: sql`o.type`, jobs: jobCount }

/** A studio's organizations that match a list query. */
export const readOrganizations = (
  db: Db,
  studioId: number,
  { type, archived, filter = '', sort, ...page }: Infer<typeof listOrganizations.query>,
): Promise<OrganizationRow[] | Page<OrganizationRow>> => {
  const pattern = likePattern(filter.trim())
  const from = sql`
    from organizations o
    left join organization_contacts c on c.studio_id = o.studio_id and c.organization_id = o.id
   where o.studio_id = ${studioId}
     and (o.archived_at is not null) = ${archived === '1'}
     and (${type ?? null}::text is null or o.type = ${type ?? null})
     and (o.name ilike ${pattern} or c.first_name || ' ' || c.last_name ilike ${pattern} or c.address ->> 'city' ilike ${pattern})`
  const columns = sql`
    o.id, o.name, o.type, ${jobCount} as "jobCount", coalesce(c.address ->> 'city', '') as city,
    coalesce(trim(c.first_name || ' ' || c.last_name), '') as "contactName", ${isoTimestamp(sql`o.archived_at`)} as "archivedAt"`
  return paginateQuery(
    db,
    { columns, from, order: orderBy(sorts, sort, sql`o.id`) },
    { ...page, filter: filter || undefined },
  )
}

/** One organization; undefined if the studio has no such organization. */
export const readOrganization = async (
  db: Db | Transaction,
  { studioId, organizationId }: OrganizationKey,
): Promise<Organization | undefined> => {
  const { rows } = await sql<Organization>`
    select o.id, o.name, o.type, coalesce(o.phone, '') as phone, coalesce(o.email, '') as email,
           coalesce(o.website, '') as website, coalesce(o.note, '') as note, ${jobCount} as "jobCount",
           ${isoTimestamp(sql`o.archived_at`)} as "archivedAt", o.version
      from organizations o where o.studio_id = ${studioId} and o.id = ${organizationId}`.execute(db)
  return rows[0]
}

/** Whether an organization of the studio other than `exceptId` has this name, ignoring case. */
export const isNameTaken = async (
  db: Db | Transaction,
  { studioId, name, exceptId = 0 }: { studioId: number; name: string; exceptId?: number | undefined },
): Promise<boolean> => {
  const { rows } = await sql`
    select from organizations where studio_id = ${studioId} and lower(name) = lower(${name}) and id <> ${exceptId}`.execute(
    db,
  )
  return rows.length > 0
}
