import { sql } from 'kysely'
import type { SubjectFilter, SubjectRow } from '#contract/studio/subjects.ts'
import type { Page, PageQuery } from '#domain/shared/paging.ts'
import type { JobKey } from '../access/authorization/authorize.ts'
import type { Transaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { orderBy, paginateIds, type SortColumns } from '../http/paging/paginate-query.ts'
import type { UrlSigningDeps } from '../http/sign-url.ts'
import { isCurrent } from '../images/store/image-conditions.ts'
import { staffImageUrl } from '../images/store/staff-image-url.ts'
import { isCheckedIn, matchesSubjectFilter } from './store/subject-filter.ts'

type ListQuery = PageQuery & SubjectFilter & { sort?: string | undefined }

const sortByName = sql`u.last_key, u.first_key, u.id`

/**
 * A subject in several groups is sorted by the first group in order of name. The newest have the highest ids; `-newest`
 * starts with the oldest.
 */
const sorts: SortColumns = {
  name: sql`u.last_key`,
  reference: sql`u.reference`,
  group: sql`u.group_key`,
  newest: sql`-u.id`,
}

type Row = Omit<SubjectRow, 'imageThumbnailUrl'> & { imageId: number | null; thumbHash: string | null }

/** The primary image of subject `u`, as a lateral `(id, thumb_hash)`. */
export const primaryImageOfSubject = sql`lateral (
  select i.id, i.thumb_hash from image_lookups i
   where i.studio_id = u.studio_id and i.subject_id = u.id and i.kind = 'hosted-individual' and i.thumb_hash is not null
     and ${isCurrent}
   order by (i.id = u.primary_image_id) desc nulls last, i.taken_at nulls last, i.position, i.id limit 1)`

const columns = sql`
  u.id, u.job_id as "jobId", u.first_name as "firstName", u.last_name as "lastName", u.reference, u.version,
  u.hidden_at is not null as "isHidden", ${isCheckedIn} as "isCheckedIn", t.id as "imageId", t.thumb_hash as "thumbHash",
  (select c.code from access_codes c
    where c.studio_id = u.studio_id and c.job_id = u.job_id and c.subject_id = u.id) as code,
  (select coalesce(json_agg(json_build_object('id', g.id, 'name', g.name) order by g.position, g.id), '[]')
     from subject_groups m
    cross join lateral (select g.id, g.name, g.position from groups g
                         where g.studio_id = m.studio_id and g.id = m.group_id limit 1) g
    where m.studio_id = u.studio_id and m.subject_id = u.id) as groups,
  (select coalesce(json_agg(json_build_object('name', f.name, 'value', f.value) order by f.id), '[]')
     from subject_fields f where f.studio_id = u.studio_id and f.subject_id = u.id) as fields,
  coalesce(n.images, 0) as "imageCount", coalesce(n.orders, 0) as "orderCount"`

const toSubjectRow = (deps: UrlSigningDeps, studioId: number, { imageId, thumbHash, ...row }: Row): SubjectRow => ({
  ...row,
  imageThumbnailUrl:
    imageId === null || thumbHash === null
      ? null
      : staffImageUrl(deps, { studioId, imageId, variant: 'thumb', hash: thumbHash }),
})

type ReadDeps = UrlSigningDeps & { readonly db: Deps['db'] | Transaction }

/** Reads list rows of subjects, in the order of the ids. */
export const readSubjectRows = async (
  deps: ReadDeps,
  { studioId }: JobKey,
  ids: readonly number[],
): Promise<SubjectRow[]> => {
  if (ids.length === 0) return []
  const { rows } = await sql<Row>`
    select ${columns} from subjects u left join ${primaryImageOfSubject} t on true
      left join lateral (select n.images, n.orders from subject_counts n
                          where n.studio_id = u.studio_id and n.subject_id = u.id limit 1) n on true
     where u.studio_id = ${studioId} and u.id = any(${`{${ids.join(',')}}`}::bigint[])`.execute(deps.db)
  const rowById = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = rowById.get(id)
    return row ? [toSubjectRow(deps, studioId, row)] : []
  })
}

/** Lists the subjects of a job that match a query. Selects the ids first, so that details are read only for the rows of the page. */
export const listSubjects = async (
  deps: Deps & UrlSigningDeps,
  job: JobKey,
  query: ListQuery,
): Promise<SubjectRow[] | Page<SubjectRow>> => {
  const from = sql`from subjects u where ${matchesSubjectFilter(job, query)}`
  const order = orderBy(sorts, query.sort, sortByName)
  const { filter = '', images, orders, attendance } = query
  const readsEveryRow = filter !== '' || (images ?? orders ?? attendance) !== undefined
  const page = await paginateIds(deps.db, { id: sql`u.id`, from, order, readsEveryRow }, query)
  if (Array.isArray(page)) return await readSubjectRows(deps, job, page)
  return { ...page, resultItems: await readSubjectRows(deps, job, page.resultItems) }
}
