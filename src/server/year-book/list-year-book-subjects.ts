import { sql } from 'kysely'
import type { Infer } from 'superstruct'
import type { listYearBookSubjects as listCall, YearBookSubject } from '#contract/studio/portraits/year-book.ts'
import type { Page } from '#domain/shared/paging.ts'
import type { JobKey } from '../access/authorization/authorize.ts'
import type { Transaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { orderBy, paginateQuery, type SortColumns } from '../http/paging/paginate-query.ts'
import type { UrlSigningDeps } from '../http/sign-url.ts'
import { isPortrait } from '../images/store/image-conditions.ts'
import { staffImageUrl } from '../images/store/staff-image-url.ts'
import { choiceOfSubject, yearBookSubjects } from '../images/store/year-book-choices.ts'
import { idsTable } from '../subjects/store/subject-filter.ts'

const byName = sql`u.last_key, u.first_key, u.id`

const sorts: SortColumns = { name: sql`u.last_key`, group: sql`u.group_key` }

type ImageRow = { id: number; fileName: string; thumbHash: string; previewHash: string }
type Row = Omit<YearBookSubject, 'images'> & { images: ImageRow[] }

const toSubject = (deps: UrlSigningDeps, studioId: number, { images, ...row }: Row): YearBookSubject => ({
  ...row,
  images: images.map(({ id, fileName, thumbHash, previewHash }) => ({
    id,
    fileName,
    thumbnailUrl: staffImageUrl(deps, { studioId, imageId: id, variant: 'thumb', hash: thumbHash }),
    previewUrl: staffImageUrl(deps, { studioId, imageId: id, variant: 'preview', hash: previewHash }),
  })),
})

type ReadDeps = UrlSigningDeps & { readonly db: Deps['db'] | Transaction }

/** Reads the subjects with these ids, in the order of the ids; those that cannot be in the yearbook are left out. */
const readSubjects = async (deps: ReadDeps, job: JobKey, ids: readonly number[]): Promise<YearBookSubject[]> => {
  if (ids.length === 0) return []
  const { rows } = await sql<Row>`
    select u.id, u.first_name as "firstName", u.last_name as "lastName", ${choiceOfSubject} as choice,
           y.image_id as "chosenImageId",
           case when y.image_id is null then null when y.chosen_by is null then 'customer' else 'staff' end as "chosenBy",
           (select coalesce(json_agg(g.name order by g.position, g.id), '[]') from subject_groups m
              join groups g on g.studio_id = m.studio_id and g.id = m.group_id
             where m.studio_id = u.studio_id and m.subject_id = u.id) as groups,
           (select coalesce(json_agg(json_build_object('id', i.id, 'fileName', i.file_name, 'thumbHash', i.thumb_hash,
                     'previewHash', i.preview_hash) order by i.taken_at nulls last, i.position, i.id), '[]')
              from image_lookups i
             where i.studio_id = u.studio_id and i.subject_id = u.id and ${isPortrait}) as images
      ${yearBookSubjects(job)} and u.id in ${idsTable(ids)}`.execute(deps.db)
  const rowById = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = rowById.get(id)
    return row ? [toSubject(deps, job.studioId, row)] : []
  })
}

/** Reads a subject of a job; undefined if it does not exist or is hidden. */
export const readYearBookSubject = async (
  deps: ReadDeps,
  { subjectId, ...job }: JobKey & { readonly subjectId: number },
): Promise<YearBookSubject | undefined> => (await readSubjects(deps, job, [subjectId]))[0]

/** Lists the subjects of a job's yearbook. Selects the ids first, so that images are read only for the rows of the page. */
export const listYearBookSubjects = async (
  deps: Deps & UrlSigningDeps,
  job: JobKey,
  { choice, ...query }: Infer<(typeof listCall)['query']>,
): Promise<YearBookSubject[] | Page<YearBookSubject>> => {
  const condition = choice === undefined ? sql`true` : sql`${choiceOfSubject} = ${choice}`
  const from = sql`${yearBookSubjects(job, query)} and ${condition}`
  const order = orderBy(sorts, query.sort, byName)
  const page = await paginateQuery<{ id: number }>(deps.db, { columns: sql`u.id`, from, order }, query)
  const readRows = (rows: readonly { id: number }[]) =>
    readSubjects(
      deps,
      job,
      rows.map(({ id }) => id),
    )
  if (Array.isArray(page)) return await readRows(page)
  return { ...page, resultItems: await readRows(page.resultItems) }
}

/** The first subject by name after the given one whose image is missing, or else the first of all; null if none is. */
export const findNextYearBookSubject = async (
  deps: Deps & UrlSigningDeps,
  job: JobKey,
  { after = 0, groupId }: { after?: number | undefined; groupId?: number | undefined },
): Promise<YearBookSubject | null> => {
  const { rows } = await sql<{ id: number }>`
    select u.id ${yearBookSubjects(job, { groupId })} and ${choiceOfSubject} = 'missing' and u.id <> ${after}
     order by coalesce((u.last_key, u.first_key, u.id) > (
         select p.last_key, p.first_key, p.id from subjects p where p.studio_id = ${job.studioId} and p.id = ${after}), true) desc,
       ${byName} limit 1`.execute(deps.db)
  const [row] = rows
  return (row && (await readYearBookSubject(deps, { ...job, subjectId: row.id }))) ?? null
}
