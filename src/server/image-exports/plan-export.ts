import { type RawBuilder, sql } from 'kysely'
import { type ExportedSubject, type ExportValues, exportValues } from '#domain/image-exports/export-fields.ts'
import { exportFileNames } from '#domain/image-exports/export-file-names.ts'
import { type ExportSettings, isNamedByStudentId } from '#domain/image-exports/export-settings.ts'
import type { PlacedCrop } from '#domain/image-exports/head-crop.ts'
import type { JobKey } from '../access/authorization/authorize.ts'
import type { Db, Transaction } from '../database/database.ts'
import { isPortrait } from '../images/store/image-conditions.ts'
import { matchesSubjectFilter } from '../subjects/store/subject-filter.ts'
import { exportedSubject, readExportedFiles } from './exported-files.ts'

type SubjectRow = { readonly subjectId: number; readonly subject: ExportedSubject }
type ImageRow = {
  readonly imageId: number
  readonly width: number
  readonly height: number
  readonly previewHash: string
  /** The crop of an order; null if there is none or the settings ignore it. */
  readonly ordered: PlacedCrop | null
}

/** A file of an export before it is made. */
export type PlannedFile = SubjectRow & ImageRow & { readonly values: ExportValues; readonly fileName: string }

export type ExportPlan = {
  readonly files: readonly PlannedFile[]
  readonly withoutImage: number
  /** Subjects without the student id that names the files. */
  readonly withoutId: number
}

const isChosen = sql`(i.id = (select c.image_id from year_book_poses c where c.studio_id = u.studio_id and c.subject_id = u.id))`
const isPrimary = sql`(i.id = u.primary_image_id)`
const byTime = sql`i.taken_at nulls last, i.position, i.id`

/** Which images `i` of subject `u` an export may have, and their order. */
const imageChoices: Record<ExportSettings['images'], { condition: RawBuilder<unknown>; order: RawBuilder<unknown> }> = {
  yearbook: { condition: isChosen, order: byTime },
  'yearbook-or-main': {
    condition: sql`true`,
    order: sql`${isChosen} desc nulls last, ${isPrimary} desc nulls last, ${byTime}`,
  },
  main: { condition: sql`true`, order: sql`${isPrimary} desc nulls last, ${byTime}` },
}

/** The crop of image `i` of subject `u` in its latest order, as a lateral `(placed)`. */
const orderedCrop = sql`lateral (
  select json_build_object('crop', n.node -> 'cropDimensions', 'rotation', coalesce((n.node ->> 'rotation')::integer, 0)) as placed
    from order_lines l
    join orders o on o.studio_id = l.studio_id and o.id = l.order_id
    cross join jsonb_path_query(l.content, '$[*].imageNodes[*]') as n (node)
   where l.studio_id = u.studio_id and l.subject_id = u.id and l.kind = 'package' and o.state <> 'cancelled'
     and coalesce(n.node ->> 'replacementImageId', n.node ->> 'subjectImageId') = i.id::text
     and jsonb_typeof(n.node -> 'cropDimensions') = 'object'
   order by o.placed_at desc, o.id desc, l.position limit 1)`

/** The subjects of a job by name, each with the image that an export with these settings has of it. */
const readSubjects = async (db: Db | Transaction, job: JobKey, { images, usesOrderCrops }: ExportSettings) => {
  const { condition, order } = imageChoices[images]
  const { rows } = await sql<SubjectRow & (ImageRow | { readonly imageId: null })>`
    select u.id as "subjectId", ${exportedSubject} as subject, i.id as "imageId", i.width, i.height,
           i.preview_hash as "previewHash", k.placed as ordered
      from subjects u
      left join lateral (
        select i.id, i.width, i.height, i.preview_hash from image_lookups i
         where i.studio_id = u.studio_id and i.subject_id = u.id and ${isPortrait} and ${condition}
         order by ${order} limit 1) i on true
      left join ${orderedCrop} k on ${usesOrderCrops}::boolean
     where ${matchesSubjectFilter(job, { visibility: 'shown' })}
     order by u.last_key, u.first_key, u.id`.execute(db)
  return rows
}

/** Plans the files of an export, in the order of the subjects' names. */
export const planExport = async (db: Db | Transaction, job: JobKey, settings: ExportSettings): Promise<ExportPlan> => {
  const { format, namePattern, fields, retakesOf } = settings
  const rows = await readSubjects(db, job, settings)
  const withImage = rows
    .flatMap((row) => (row.imageId === null ? [] : [row]))
    .map((row) => ({ ...row, values: exportValues(row.subject, fields) }))
  const named = isNamedByStudentId(format) ? withImage.filter(({ values }) => values.studentId !== '') : withImage
  const earlierFiles = retakesOf === null ? [] : await readExportedFiles(db, { ...job, exportId: retakesOf })
  const earlierImages = new Map(earlierFiles.map(({ subjectId, imageId }) => [subjectId, imageId]))
  const changed = named.filter(({ subjectId, imageId }) => earlierImages.get(subjectId) !== imageId)
  const fileNames = exportFileNames(namePattern, changed)
  return {
    files: changed.map((file, index) => ({ ...file, fileName: fileNames[index] ?? '' })),
    withoutImage: rows.length - withImage.length,
    withoutId: withImage.length - named.length,
  }
}
