import { sql } from 'kysely'
import type { ExportedSubject } from '#domain/image-exports/export-fields.ts'
import type { JobKey } from '../access/authorization/authorize.ts'
import type { Db, Transaction } from '../database/database.ts'
import { isPortrait } from '../images/store/image-conditions.ts'

export type ExportKey = JobKey & { readonly exportId: number }

/** The data of subject `u` as JSON. */
export const exportedSubject = sql<ExportedSubject>`json_build_object(
  'firstName', u.first_name, 'lastName', u.last_name, 'reference', u.reference,
  'groups', (select coalesce(json_agg(g.name order by g.position, g.id), '[]') from subject_groups m
               join groups g on g.studio_id = m.studio_id and g.id = m.group_id
              where m.studio_id = u.studio_id and m.subject_id = u.id),
  'fields', (select coalesce(json_agg(json_build_object('name', f.name, 'value', f.value) order by f.id), '[]')
               from subject_fields f where f.studio_id = u.studio_id and f.subject_id = u.id))`

/** Whether file `f` may be delivered: neither its subject `u` was hidden since, nor its image `i` withdrawn, replaced or moved. */
export const isStillShown = sql<boolean>`(u.state = 'listed' and u.hidden_at is null and ${isPortrait} and i.subject_id = u.id)`

/** The subject and the image of file `f`. */
export const withSubjectAndImage = sql`
  join subjects u on u.studio_id = f.studio_id and u.id = f.subject_id
  join image_lookups i on i.studio_id = f.studio_id and i.id = f.image_id`

/** A file of an export that was made. */
export type ExportedFile = {
  readonly subjectId: number
  readonly imageId: number
  readonly subject: ExportedSubject
  readonly fileName: string
  readonly bytes: number
  readonly contentHash: string
  /** The volume of the export that has the file. */
  readonly volume: string
  readonly exportId: number
}

/**
 * The files of an export and, if it has only retakes, of the earlier exports that it adds to: the latest one of each
 * subject, by name. Files of subjects and images that are not shown any more are left out.
 */
export const readExportedFiles = async (
  db: Db | Transaction,
  { studioId, jobId, exportId }: ExportKey,
): Promise<ExportedFile[]> => {
  const { rows } = await sql<ExportedFile>`
    with recursive chain (id, depth, volume, retakes_of) as (
      select e.id, 0, e.settings ->> 'volume', (e.settings ->> 'retakesOf')::bigint from image_exports e
       where e.studio_id = ${studioId} and e.job_id = ${jobId} and e.id = ${exportId}
      union all
      select e.id, c.depth + 1, e.settings ->> 'volume', (e.settings ->> 'retakesOf')::bigint from chain c
        join image_exports e on e.studio_id = ${studioId} and e.job_id = ${jobId} and e.id = c.retakes_of),
    latest as (
      select distinct on (f.subject_id) f.*, c.volume from chain c
        join image_export_files f on f.studio_id = ${studioId} and f.export_id = c.id and f.byte_size is not null
       order by f.subject_id, c.depth)
    select f.subject_id as "subjectId", f.image_id as "imageId", ${exportedSubject} as subject, f.file_name as "fileName",
           f.byte_size as bytes, f.content_hash as "contentHash", f.volume, f.export_id as "exportId"
      from latest f ${withSubjectAndImage}
     where ${isStillShown} order by u.last_key, u.first_key, u.id`.execute(db)
  return rows
}
