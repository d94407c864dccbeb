import { sql } from 'kysely'
import type { Infer } from 'superstruct'
import { type listUploads, type Upload, type UploadProgress, uploadStates } from '#contract/studio/uploads.ts'
import type { Page } from '#domain/shared/paging.ts'
import type { JobKey } from '#server/access/authorization/authorize.ts'
import type { Db, Transaction } from '#server/database/database.ts'
import { likePattern, orderBy, paginateQuery } from '#server/http/paging/paginate-query.ts'

type Row = Omit<Upload, 'at'> & { at: Date }

const columns = sql`u.id, u.upload_key as key, u.file_name as "fileName", u.byte_size as "byteSize",
  u.received_bytes as "receivedBytes", u.state, u.refusal, u.image_id as "imageId", u.created_at as at`

const toUpload = ({ at, ...row }: Row): Upload => ({ ...row, at: at.toISOString() })

/** The uploads with these keys, in the order of the keys. */
export const readUploads = async (
  tx: Db | Transaction,
  { studioId, jobId }: JobKey,
  keys: readonly string[],
): Promise<Upload[]> => {
  const { rows } = await sql<Row>`
    select ${columns} from uploads u
     where u.studio_id = ${studioId} and u.job_id = ${jobId}
       and u.upload_key in (select value from json_array_elements_text(${JSON.stringify(keys)}::json))`.execute(tx)
  const byKey = new Map(rows.map((row) => [row.key, row]))
  return keys.flatMap((key) => {
    const row = byKey.get(key)
    return row ? [toUpload(row)] : []
  })
}

/** The uploads with these ids, in no particular order. */
export const readUploadsById = async (
  db: Db,
  { studioId, jobId }: JobKey,
  ids: readonly number[],
): Promise<Upload[]> => {
  const { rows } = await sql<Row>`
    select ${columns} from uploads u
     where u.studio_id = ${studioId} and u.job_id = ${jobId} and u.purpose = 'image'
       and u.id in (select value::bigint from json_array_elements_text(${JSON.stringify(ids)}::json))`.execute(db)
  return rows.map(toUpload)
}

const sorts = { at: sql`u.created_at`, name: sql`lower(u.file_name)`, state: sql`u.state` }

/** The uploads of a job that match a query, by default the newest first. */
export const listUploadsOf = async (
  db: Db,
  { studioId, jobId }: JobKey,
  query: Infer<(typeof listUploads)['query']>,
): Promise<Upload[] | Page<Upload>> => {
  const { state, filter, sort = '-at' } = query
  const hasState =
    state === undefined ? sql`true` : state === 'open' ? sql`u.state <> 'processed'` : sql`u.state = ${state}`
  const matchesName = filter ? sql`u.file_name ilike ${likePattern(filter)}` : sql`true`
  const from = sql`from uploads u where u.studio_id = ${studioId} and u.job_id = ${jobId}
    and u.purpose = 'image' and ${hasState} and ${matchesName}`
  const uploads = await paginateQuery<Row>(db, { columns, from, order: orderBy(sorts, sort, sql`u.id desc`) }, query)
  return Array.isArray(uploads) ? uploads.map(toUpload) : { ...uploads, resultItems: uploads.resultItems.map(toUpload) }
}

/** The progress of a job's uploads. */
export const readUploadProgress = async (db: Db, { studioId, jobId }: JobKey): Promise<UploadProgress> => {
  const counts = uploadStates.map((state) => sql`count(*) filter (where u.state = ${state}) as ${sql.ref(state)}`)
  const { rows } = await sql<Record<(typeof uploadStates)[number], number> & { makingPictures: number }>`
    select ${sql.join(counts)},
           (select count(*) from image_lookups i
             where i.studio_id = ${studioId} and i.job_id = ${jobId} and i.state = 'processing') as "makingPictures"
      from uploads u where u.studio_id = ${studioId} and u.job_id = ${jobId} and u.purpose = 'image'`.execute(db)
  const { receiving = 0, received = 0, processed = 0, refused = 0, abandoned = 0, makingPictures = 0 } = rows[0] ?? {}
  return { receiving, received, processed, refused, abandoned, makingPictures }
}
