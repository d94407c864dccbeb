import { type RawBuilder, sql } from 'kysely'
import type { PlatformStudio, StudioRow, studioListTypes } from '#contract/system/studios.ts'
import type { Page, PageQuery } from '#domain/shared/paging.ts'
import type { Db, Transaction } from '../database/database.ts'
import { isoTimestamp } from '../database/timestamps.ts'
import { likePattern, orderBy, paginateQuery } from '../http/paging/paginate-query.ts'
import { type Problem, problem } from '../http/problem.ts'
import { readUsedBytes } from '../images/store/storage-quota.ts'

const waitingNumber = sql`(
  select v.account_number from verification_requests v where v.studio_id = s.id and v.state = 'waiting')`

const jobCount = sql`(select count(*) from jobs j where j.studio_id = s.id)`

const columns = sql`
  s.id, s.slug, s.name, coalesce(s.contact_email, '') as email, coalesce(s.contact_phone, '') as phone,
  s.platform_fee_basis_points as "platformFeeBasisPoints", s.is_millers_verified as "isMillersVerified",
  s.rspo_enabled as "rspoEnabled", ${isoTimestamp(sql`s.deletes_at`)} as "deletesAt", ${waitingNumber} as "waitingAccountNumber", s.version,
  ${jobCount} as "jobCount"`

const sorts = {
  name: sql`lower(s.name)`,
  slug: sql`s.slug`,
  jobs: jobCount,
  fee: sql`s.platform_fee_basis_points`,
}

type StudioListType = (typeof studioListTypes)[number]

const conditions: Readonly<Record<StudioListType, RawBuilder<unknown>>> = {
  enabled: sql`s.rspo_enabled`,
  disabled: sql`not s.rspo_enabled`,
  waiting: sql`${waitingNumber} is not null`,
  verified: sql`s.is_millers_verified`,
  deleting: sql`s.deletes_at is not null`,
}

/** Reads the platform's studios whose name, slug or contact contains the filter. */
export const readStudios = async (
  db: Db,
  query: PageQuery & { sort?: string | undefined; type?: StudioListType | undefined },
): Promise<StudioRow[] | Page<StudioRow>> => {
  const pattern = likePattern(query.filter?.trim() ?? '')
  const from = sql`
    from studios s where (s.name ilike ${pattern} or s.slug ilike ${pattern} or s.contact_email ilike ${pattern})
      and ${query.type ? conditions[query.type] : sql`true`}`
  const order = orderBy(sorts, query.sort, sql`s.id`)
  return await paginateQuery<StudioRow>(
    db,
    { columns, from, order, table: { name: sql`studios s`, id: sql`s.id` } },
    query,
  )
}

/** Reads a studio, what it stores, and its users who may sign in. */
export const readPlatformStudio = async (
  db: Db | Transaction,
  studioId: number,
): Promise<PlatformStudio | Problem<'not-found'>> => {
  type Row = StudioRow & { subjects: number; images: number; orders: number }
  const { rows } = await sql<Row>`
    select ${columns}, (select count(*) from subjects u where u.studio_id = s.id) as subjects,
           (select count(*) from image_lookups i where i.studio_id = s.id) as images,
           (select count(*) from orders o where o.studio_id = s.id) as orders
      from studios s where s.id = ${studioId}`.execute(db)
  const [row] = rows
  if (!row) return problem('not-found')
  const { subjects, images, orders, ...studio } = row
  const { rows: users } = await sql<PlatformStudio['users'][number]>`
    select id, name, email, role from users
     where studio_id = ${studioId} and disabled_at is null and removed_at is null
     order by role = 'owner' desc, lower(name), id`.execute(db)
  const bytes = await readUsedBytes(db, studioId)
  return { ...studio, usage: { jobs: studio.jobCount, subjects, images, bytes, orders }, users }
}
