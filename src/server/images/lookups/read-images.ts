import { type RawBuilder, sql } from 'kysely'
import type { Infer } from 'superstruct'
import {
  type ImageListFilter,
  type ImageLookup,
  imageListFilters,
  type listImageLookups,
} from '#contract/studio/images/image-lookups.ts'
import type { Page } from '#domain/shared/paging.ts'
import { searchKey } from '#domain/subjects/subject-search.ts'
import type { JobKey } from '#server/access/authorization/authorize.ts'
import type { Db, Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { likePattern, orderBy, paginateQuery } from '#server/http/paging/paginate-query.ts'
import type { UrlSigningDeps } from '#server/http/sign-url.ts'
import type { Variant } from '../engine/image-variants.ts'
import { isCurrent } from '../store/image-conditions.ts'
import { staffImageUrl } from '../store/staff-image-url.ts'

export type ImageKey = JobKey & { readonly imageId: number }

type Hashes = { thumbHash: string | null; previewHash: string | null; cutOutHash: string | null }
type Row = Omit<ImageLookup, 'takenAt' | 'uploadedAt' | 'thumbnailUrl' | 'previewUrl' | 'cutOutUrl'> &
  Hashes & { takenAt: Date | null; uploadedAt: Date }

/** Whether image `i` is published. Other conditions, such as those of its job, may still hide it from customers. */
export const isPublished = (now: Date): RawBuilder<boolean> =>
  sql`coalesce(i.published_at <= ${now}::timestamptz, false)`

/** Whether image `i` may be published: it has an owner or is a replacement image, and was not refused. Backgrounds are not published here. */
export const isPublishable = sql<boolean>`(i.kind <> 'green-screen-background' and i.state <> 'refused'
  and (i.subject_id is not null or i.group_id is not null or i.kind = 'replacement'))`

/**
 * Whether "Publish all" publishes image `i` if it is not published yet: another image did not replace it, and staff did
 * not withdraw it.
 */
export const waitsForPublication = sql<boolean>`(${isPublishable} and ${isCurrent} and i.withdrawn_at is null)`

const columns = (
  now: Date,
) => sql`i.id, i.file_name as "fileName", i.kind, i.subject_id as "subjectId", i.group_id as "groupId",
  coalesce(q.name, u.first_name || ' ' || u.last_name) as "ownerName", i.state, i.refusal, i.matched_by as "matchedBy",
  i.width, i.height, i.byte_size as "byteSize", i.has_alpha as "hasAlpha", i.cut_out_state as "cutOut",
  u.primary_image_id is not distinct from i.id as "isPrimary", ${isPublished(now)} as "isPublished", i.withdrawn_at is not null as "isWithdrawn",
  i.position, i.taken_at as "takenAt", i.created_at as "uploadedAt", i.version,
  i.thumb_hash as "thumbHash", i.preview_hash as "previewHash", i.cut_out_hash as "cutOutHash"`

const tables = sql`from image_lookups i
  left join subjects u on u.studio_id = i.studio_id and u.id = i.subject_id
  left join groups q on q.studio_id = i.studio_id and q.id = i.group_id`

const isOfJob = ({ studioId, jobId }: JobKey) =>
  sql`i.studio_id = ${studioId} and i.job_id = ${jobId} and i.kind <> 'green-screen-background'`

/** The condition of each list, for images that are not replaced. */
const listConditions = (now: Date): Record<ImageListFilter, RawBuilder<unknown>> => ({
  all: sql`true`,
  unmatched: sql`(i.subject_id is null and i.group_id is null and i.kind = 'hosted-individual' and i.state <> 'refused')`,
  subjects: sql`i.subject_id is not null`,
  groups: sql`i.group_id is not null`,
  refused: sql`i.state = 'refused'`,
  processing: sql`i.state = 'processing'`,
  'cut-outs': sql`i.cut_out_state = 'proposed'`,
  unpublished: sql`(${waitsForPublication} and not ${isPublished(now)})`,
  withdrawn: sql`i.withdrawn_at is not null`,
})

const toImageLookup = (deps: UrlSigningDeps, { studioId }: JobKey, row: Row): ImageLookup => {
  const { thumbHash, previewHash, cutOutHash, takenAt, uploadedAt, ...rest } = row
  const urlOf = (variant: Variant, hash: string | null) =>
    hash && staffImageUrl(deps, { studioId, imageId: row.id, variant, hash })
  return {
    ...rest,
    takenAt: takenAt?.toISOString() ?? null,
    uploadedAt: uploadedAt.toISOString(),
    thumbnailUrl: urlOf('thumb', thumbHash),
    previewUrl: urlOf('preview', previewHash),
    cutOutUrl: urlOf('preview', cutOutHash),
  }
}

const sorts = {
  taken: sql`i.taken_at`,
  name: sql`lower(i.file_name)`,
  uploaded: sql`i.created_at`,
  person: sql`coalesce(u.last_key, q.name)`,
  position: sql`i.position`,
}

const matchesFilter = (filter: string): RawBuilder<unknown> => {
  const key = likePattern(searchKey(filter))
  return sql`(i.file_name ilike ${likePattern(filter)} or u.first_key || u.last_key like ${key} or u.last_key || u.first_key like ${key}
    or q.name ilike ${likePattern(filter)})`
}

/** The images of a job that match a query, by default in the order they were taken. */
export const listImagesOfJob = async (
  deps: Deps & UrlSigningDeps,
  job: JobKey,
  query: Infer<(typeof listImageLookups)['query']>,
): Promise<ImageLookup[] | Page<ImageLookup>> => {
  const { show = 'all', subjectId, groupId, filter, sort } = query
  const now = deps.clock()
  const from = sql`${tables} where ${isOfJob(job)} and ${isCurrent} and ${listConditions(now)[show]}
    and ${subjectId === undefined ? sql`true` : sql`i.subject_id = ${subjectId}`}
    and ${groupId === undefined ? sql`true` : sql`i.group_id = ${groupId}`}
    and ${filter?.trim() ? matchesFilter(filter.trim()) : sql`true`}`
  // The images of a subject or group come in the order customers see.
  const order = orderBy(sorts, sort ?? (subjectId || groupId ? 'position' : 'taken'), sql`i.position, i.id`)
  const result = await paginateQuery<Row>(deps.db, { columns: columns(now), from, order }, query)
  if (Array.isArray(result)) return result.map((row) => toImageLookup(deps, job, row))
  return { ...result, resultItems: result.resultItems.map((row) => toImageLookup(deps, job, row)) }
}

/** One image of a job; undefined if it does not exist. */
export const readImage = async (
  deps: Deps & UrlSigningDeps,
  { imageId, ...job }: ImageKey,
  tx: Db | Transaction = deps.db,
): Promise<ImageLookup | undefined> => {
  const { rows } =
    await sql<Row>`select ${columns(deps.clock())} ${tables} where ${isOfJob(job)} and i.id = ${imageId}`.execute(tx)
  return rows[0] && toImageLookup(deps, job, rows[0])
}

/** The number of refused files that became no image; they are listed with the refused images. */
const refusedUploadCount = ({ studioId, jobId }: JobKey) => sql`
  (select count(*) from uploads u where u.studio_id = ${studioId} and u.job_id = ${jobId}
      and u.purpose = 'image' and u.state = 'refused' and u.image_id is null)`

/** How many images each list shows; refused uploads are included in the list of refused images. */
export const countImagesOf = async (deps: Deps, job: JobKey): Promise<Record<ImageListFilter, number>> => {
  const conditions = listConditions(deps.clock())
  const counts = imageListFilters.map((name) => {
    const extraCount = name === 'refused' ? refusedUploadCount(job) : sql`0`
    return sql`count(*) filter (where ${conditions[name]}) + ${extraCount} as ${sql.ref(name)}`
  })
  const { rows } = await sql<Record<ImageListFilter, number>>`
    select ${sql.join(counts)} from image_lookups i where ${isOfJob(job)} and ${isCurrent}`.execute(deps.db)
  const [totals] = rows
  if (!totals) throw new Error('a query of counts has one row')
  return totals
}
