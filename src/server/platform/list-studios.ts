import { sql } from 'kysely'
import type { StudioRow } from '#contract/system/studios.ts'
import type { Page, PageQuery } from '#domain/shared/paging.ts'
import type { Db } from '../database/database.ts'
import { likePattern, orderBy, paginateQuery } from '../http/paging/paginate-query.ts'

const columns = sql`
  s.id, s.slug, s.name, s.is_millers_verified as "isMillersVerified", s.rspo_enabled as "rspoEnabled",
  (select count(*) from jobs j where j.studio_id = s.id) as "jobCount"`

const sorts = { name: sql`lower(s.name)`, slug: sql`s.slug`, jobs: sql`"jobCount"` }

/** The platform's studios whose name or slug holds what is sought. */
export const readStudios = async (
  db: Db,
  wanted: PageQuery & { sort?: string | undefined },
): Promise<StudioRow[] | Page<StudioRow>> => {
  const sought = likePattern(wanted.filter?.trim() ?? '')
  const from = sql`from studios s where s.name ilike ${sought} or s.slug ilike ${sought}`
  return await paginateQuery<StudioRow>(db, { columns, from, order: orderBy(sorts, wanted.sort, sql`s.id`) }, wanted)
}
