import { type RawBuilder, sql } from 'kysely'
import type { Image } from '#contract/shapes/image-structs.ts'
import { grantToSubject, type JobSession } from '#server/access/grants/grants.ts'
import type { Db } from '#server/database/database.ts'
import { areImagesVisibleTo } from '#server/jobs/store/order-availability.ts'
import { isCurrent } from './image-conditions.ts'
import { imageUrl } from './image-urls.ts'

type ImageRow = {
  id: number
  kind: Image['type']
  group_id: number | null
  group_name: string | null
  file_name: string
  width: number
  height: number
  has_alpha: boolean
  thumb_hash: string
  preview_hash: string
}

type SubjectImagesRow = { published: boolean; exists: boolean; grant_id: string | null; images: ImageRow[] }

const toImage = (grantId: string, row: ImageRow): Image => {
  const urlParts = { grantId, imageId: row.id }
  return {
    id: row.id,
    type: row.kind,
    groupId: row.group_id,
    groupName: row.group_name,
    name: row.file_name.replace(/\.[^.]+$/, ''),
    width: row.width,
    height: row.height,
    hasAlpha: row.has_alpha,
    thumbnailUrl: imageUrl({ ...urlParts, variant: 'thumb', hash: row.thumb_hash }),
    previewUrl: imageUrl({ ...urlParts, variant: 'preview', hash: row.preview_hash }),
  }
}

/** Whether image `i` was not replaced, or is in an open cart of this session, which still shows it. */
const isCurrentOrInCart = ({ session }: JobSession): RawBuilder<boolean> => sql`(${isCurrent} or exists (
  select from carts c
    join cart_packages l on l.studio_id = c.studio_id and l.cart_id = c.id
    join cart_image_nodes x on x.studio_id = l.studio_id and x.cart_package_id = l.id
   where c.studio_id = i.studio_id and c.session_id = ${session.id} and c.state = 'open'
     and i.id in (x.subject_image_id, x.group_image_id, x.replacement_image_id)))`

/** The subject, the time, and whether replacement images are included. */
export type SubjectImagesQuery = { readonly subjectId: number; readonly now: Date; readonly replacements: boolean }

/**
 * The published images of a subject and of their groups, in the order they were taken. `grant-needed` if this session has no grant for
 * the subject; `not-found` if the job is not published or has no such subject. It is one statement, because every customer waits for it.
 */
export const listSubjectImages = async (
  db: Db,
  jobSession: JobSession,
  { subjectId, now, replacements }: SubjectImagesQuery,
): Promise<Image[] | 'grant-needed' | 'not-found'> => {
  const { studioId, jobId } = jobSession.job
  const isVisible = areImagesVisibleTo(now, { sessionId: jobSession.session.id, subjectId: sql`u.id` })
  const { rows } = await sql<SubjectImagesRow>`
    select j.published_at <= ${now}::timestamptz and j.archived_at is null as published,
           u.hidden_at is null and u.state = 'listed' as exists, granted.grant_id,
           (select coalesce(json_agg(i order by i.kind = 'replacement', i.taken_at nulls last, i.position, i.id), '[]') from (
              select i.id, i.kind, i.group_id, q.name as group_name, i.file_name, i.width, i.height, i.has_alpha,
                     i.thumb_hash, i.preview_hash, i.taken_at, i.position
                from image_lookups i left join groups q on q.studio_id = i.studio_id and q.id = i.group_id
               where granted.grant_id is not null and ${isCurrentOrInCart(jobSession)} and ${isVisible} and i.studio_id = u.studio_id and i.job_id = u.job_id
                 and i.state = 'ready' and i.published_at <= ${now}::timestamptz
                 and ((i.kind = 'hosted-individual' and i.subject_id = u.id)
                   or (i.kind = 'hosted-group' and i.group_id in (
                        select m.group_id from subject_groups m where m.studio_id = u.studio_id and m.subject_id = u.id))
                   or (${replacements}::boolean and i.kind = 'replacement' and (i.subject_id is null or i.subject_id = u.id)))
           ) i) as images
      from subjects u
      join jobs j on j.studio_id = u.studio_id and j.id = u.job_id
      join studios s on s.id = u.studio_id
      left join ${grantToSubject(jobSession, now)} granted on true
     where u.studio_id = ${studioId} and u.job_id = ${jobId} and u.id = ${subjectId}`.execute(db)
  const [row] = rows
  if (!row?.published) return 'not-found'
  const { grant_id: grantId } = row
  if (grantId !== null) return row.images.map((image) => toImage(grantId, image))
  return row.exists ? 'grant-needed' : 'not-found'
}
