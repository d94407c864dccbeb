import { type RawBuilder, sql } from 'kysely'
import type { Group } from '#contract/studio/groups.ts'
import type { Page, PageQuery } from '#domain/shared/paging.ts'
import { validationMessages } from '#domain/shared/validators.ts'
import { normaliseSubjectText } from '#domain/subjects/subject-draft.ts'
import type { JobKey } from '../access/authorization/authorize.ts'
import type { Db, Transaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { likePattern, orderBy, paginateQuery, type SortColumns } from '../http/paging/paginate-query.ts'
import { isStale, type Problem, problem } from '../http/problem.ts'
import type { UrlSigningDeps } from '../http/sign-url.ts'
import { isCurrent } from '../images/store/image-conditions.ts'
import { staffImageUrl } from '../images/store/staff-image-url.ts'

export type GroupKey = JobKey & { readonly id: number }

/** The limit of images that a row of a group shows. */
const maxShownImages = 12

const memberCount = sql<number>`(
  select count(*) from subject_groups m join subjects u on u.studio_id = m.studio_id and u.id = m.subject_id
   where m.studio_id = g.studio_id and m.group_id = g.id and u.state = 'listed')`

const groupImages = sql`image_lookups i where i.studio_id = g.studio_id and i.group_id = g.id and i.kind = 'hosted-group'
  and ${isCurrent}`

type ImageRow = Omit<Group['images'][number], 'thumbnailUrl' | 'previewUrl'> & {
  thumbHash: string | null
  previewHash: string | null
}
type Row = Omit<Group, 'images'> & { images: ImageRow[] }

const columns = sql`
  g.id, g.name, g.position, g.version, ${memberCount} as "subjectCount", (select count(*) from ${groupImages}) as "imageCount",
  (select coalesce(json_agg(json_build_object('id', p.id, 'name', p.file_name, 'state', p.state, 'thumbHash', p.thumb_hash,
            'previewHash', p.preview_hash) order by p.taken_at nulls last, p.position, p.id), '[]')
     from (select i.* from ${groupImages} order by i.taken_at nulls last, i.position, i.id limit ${maxShownImages}) p) as images`

const sorts: SortColumns = { order: sql`g.position`, name: sql`lower(g.name)`, people: memberCount }

const toGroup = (deps: UrlSigningDeps, studioId: number, { images, ...row }: Row): Group => ({
  ...row,
  images: images.map(({ thumbHash, previewHash, ...image }) => {
    const urlOf = (variant: 'thumb' | 'preview', hash: string | null) =>
      hash && staffImageUrl(deps, { studioId, imageId: image.id, variant, hash })
    return { ...image, thumbnailUrl: urlOf('thumb', thumbHash), previewUrl: urlOf('preview', previewHash) }
  }),
})

const fromGroupsOf = ({ studioId, jobId }: JobKey): RawBuilder<unknown> =>
  sql`from groups g where g.studio_id = ${studioId} and g.job_id = ${jobId}`

/** Lists the groups of a job that match a query. */
export const listGroups = async (
  deps: Deps & UrlSigningDeps,
  job: JobKey,
  query: PageQuery & { sort?: string | undefined },
): Promise<Group[] | Page<Group>> => {
  const terms = (query.filter ?? '').split(/\s+/).filter((term) => term !== '')
  const conditions = terms.map((term) => sql` and lower(g.name) like ${likePattern(term.toLowerCase())}`)
  const from = sql`${fromGroupsOf(job)}${sql.join(conditions, sql``)}`
  const order = orderBy(sorts, query.sort, sql`g.id`)
  const page = await paginateQuery<Row>(deps.db, { columns, from, order }, query)
  const convert = (row: Row) => toGroup(deps, job.studioId, row)
  return Array.isArray(page) ? page.map(convert) : { ...page, resultItems: page.resultItems.map(convert) }
}

/** Reads a group of a job; undefined if there is none. */
export const readGroup = async (
  deps: UrlSigningDeps & { readonly db: Db | Transaction },
  key: GroupKey,
): Promise<Group | undefined> => {
  const { rows } = await sql<Row>`select ${columns} ${fromGroupsOf(key)} and g.id = ${key.id}`.execute(deps.db)
  return rows[0] && toGroup(deps, key.studioId, rows[0])
}

export type GroupDraft = { readonly name: string; readonly position?: number | undefined }

/** The problem if a group cannot have this name, which must be unique in the job, ignoring case. */
const nameProblem = async (
  tx: Transaction,
  { studioId, jobId, id = 0 }: JobKey & { id?: number },
  name: string,
): Promise<Problem<'refused'> | undefined> => {
  const refuse = (message: string) => problem('refused', message, { fields: { name: [message] } })
  if (name === '') return refuse(validationMessages.required)
  const { rows } = await sql`
    select from groups where studio_id = ${studioId} and job_id = ${jobId} and lower(name) = lower(${name}) and id <> ${id}`.execute(
    tx,
  )
  return rows.length > 0 ? refuse('There is already a group with this name') : undefined
}

/** Creates a group and returns its id; without a position it comes last. */
export const createGroup = async (
  tx: Transaction,
  job: JobKey,
  draft: GroupDraft,
): Promise<number | Problem<'refused'>> => {
  const name = normaliseSubjectText(draft.name)
  const nameError = await nameProblem(tx, job, name)
  if (nameError) return nameError
  const { studioId, jobId } = job
  const { rows } = await sql<{ id: number }>`
    insert into groups (studio_id, job_id, name, position)
    select ${studioId}::bigint, ${jobId}::bigint, ${name}::text, coalesce(${draft.position ?? null}::int, max(g.position) + 1, 1)
      ${fromGroupsOf(job)} returning id`.execute(tx)
  return rows[0]?.id ?? 0
}

const lockGroup = async (tx: Transaction, { studioId, jobId, id }: GroupKey) =>
  tx
    .selectFrom('groups')
    .select('version')
    .where('studio_id', '=', studioId)
    .where('job_id', '=', jobId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

/** Replaces a group's name, and its position if one is given. */
export const replaceGroup = async (
  tx: Transaction,
  { clock }: Pick<Deps, 'clock'>,
  { key, draft }: { key: GroupKey; draft: GroupDraft & { readonly version?: number | undefined } },
): Promise<undefined | Problem<'not-found' | 'conflict' | 'refused'>> => {
  const group = await lockGroup(tx, key)
  if (!group) return problem('not-found')
  if (isStale(group, draft.version)) return problem('conflict')
  const name = normaliseSubjectText(draft.name)
  const nameError = await nameProblem(tx, key, name)
  if (nameError) return nameError
  await tx
    .updateTable('groups')
    .set(({ eb }) => ({
      name,
      ...(draft.position !== undefined && { position: draft.position }),
      updated_at: clock(),
      version: eb('version', '+', 1),
    }))
    .where('studio_id', '=', key.studioId)
    .where('id', '=', key.id)
    .execute()
  return undefined
}

const replacedInUseMessage = 'This group cannot be deleted: orders or carts use older images of it'

/**
 * Deletes a group; its subjects stay. A group with images cannot be deleted, because the images would be lost,
 * including replaced images that orders and carts use.
 */
export const removeGroup = async (
  tx: Transaction,
  key: GroupKey,
): Promise<undefined | Problem<'not-found' | 'refused'>> => {
  if (!(await lockGroup(tx, key))) return problem('not-found')
  const { studioId, id } = key
  const { rows } = await sql<{ current: boolean }>`
    select bool_or(${isCurrent}) as current from image_lookups i
     where i.studio_id = ${studioId} and i.group_id = ${id} having count(*) > 0`.execute(tx)
  if (rows[0]?.current) return problem('refused', 'This group has images. Move or delete them first')
  if (rows[0]) return problem('refused', replacedInUseMessage)
  await tx.deleteFrom('groups').where('studio_id', '=', studioId).where('id', '=', id).execute()
  return undefined
}
