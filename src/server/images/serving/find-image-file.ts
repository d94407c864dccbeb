import { type RawBuilder, sql } from 'kysely'
import { isLiveGrant } from '#server/access/grants/grants.ts'
import type { Session } from '#server/access/sessions/sessions.ts'
import type { Db } from '#server/database/database.ts'
import { areImagesVisibleTo, isVerifiedOrPaid } from '#server/jobs/store/order-availability.ts'
import { isCurrent } from '../store/image-conditions.ts'
import {
  type FoundVariant,
  hasVariant,
  type ImageRequest,
  parseImageRequest,
  variantHash,
} from '../store/image-requests.ts'
import type { StaffImage } from '../store/staff-image-url.ts'

export type GrantedImageRequest = ImageRequest & { grantId: string }

/** Parses the image and its grant from a customer's URL. */
export const parseImageUrl = (params: {
  grantId: string
  imageId: string
  file: string
}): GrantedImageRequest | undefined => {
  const image = parseImageRequest(params)
  return image && /^[\w-]{22,64}$/.test(params.grantId) ? { ...image, grantId: params.grantId } : undefined
}

/** Parses the image and its studio from a URL for staff. */
export const parseStaffImageUrl = (params: {
  studioId: string
  imageId: string
  file: string
}): StaffImage | undefined => {
  const image = parseImageRequest(params)
  return image && /^\d{1,15}$/.test(params.studioId) ? { ...image, studioId: Number(params.studioId) } : undefined
}

/** The variant that staff request; undefined if the studio does not have the image, or no longer has it. */
export const findStaffImageFile = async (
  db: Db,
  { studioId, imageId, variant, hash }: StaffImage,
): Promise<FoundVariant | undefined> => {
  const { rows } = await sql<FoundVariant>`
    select i.original_key as "originalKey",
           case when i.cut_out_hash = ${hash} then i.cut_out_hash else ${variantHash(variant)} end as hash
      from image_lookups i
     where i.studio_id = ${studioId} and i.id = ${imageId} and (${hasVariant({ variant, hash })} or i.cut_out_hash = ${hash})`.execute(
    db,
  )
  return rows[0]
}

/** The session of grant `g`, and its subject. */
const viewer = { sessionId: sql<number>`g.session_id`, subjectId: sql<number>`g.subject_id` }

/**
 * The variant that a session may see under a grant; undefined otherwise. It is evaluated at every request, so that a
 * revoked grant, a hidden subject or an unpublished image takes effect immediately.
 */
export const findImageFile = async (
  db: Db,
  sessionHash: string,
  { request, now }: { request: GrantedImageRequest; now: Date },
): Promise<FoundVariant | undefined> => {
  const { rows } = await sql<FoundVariant>`
    select i.original_key as "originalKey", ${variantHash(request.variant)} as hash
      from grant_links l
      join session_grants g on g.studio_id = l.studio_id and g.grant_id = l.grant_id
      join customer_sessions v on v.id = g.session_id
      join session_keys k on k.session_id = v.id
      join jobs j on j.studio_id = g.studio_id and j.id = g.job_id
      join studios s on s.id = g.studio_id
      join image_lookups i on i.studio_id = g.studio_id and i.job_id = g.job_id and i.id = ${request.imageId}
     where l.grant_id = ${request.grantId} and ${isLiveGrant(now)}
       and k.token_hash = ${sessionHash} and k.ended_at is null and v.expires_at > ${now}::timestamptz and v.finished_at is null
       and ${areImagesVisibleTo(now, viewer)} and ${hasVariant(request)} and ${isImageShown(now)}`.execute(db)
  return rows[0]
}

/**
 * Which of these images a session may no longer see although their jobs are open. It checks images under the session's grants and under
 * grants that no longer exist.
 */
export const findWithdrawn = async (
  db: Db,
  session: Session,
  { paths, now }: { paths: readonly string[]; now: Date },
): Promise<string[]> => {
  const requestedImages = paths.flatMap((path) => {
    const [, root, grantId = '', imageId = '', file = ''] = path.split('/')
    const image = root === 'photos' ? parseImageUrl({ grantId, imageId, file }) : undefined
    return image ? [{ path, ...image }] : []
  })
  const { rows } = await sql<{ path: string }>`
    select a.path
      from jsonb_to_recordset(${JSON.stringify(requestedImages)}::jsonb)
           as a (path text, "grantId" text, "imageId" bigint, variant text, hash text)
      left join grant_links l on l.grant_id = a."grantId"
      left join session_grants g on g.studio_id = l.studio_id and g.grant_id = l.grant_id
     where g.id is null or g.session_id = ${session.id} and not (${isLiveGrant(now)} and exists (
       select from image_lookups i
         join jobs j on j.studio_id = i.studio_id and j.id = i.job_id
         join studios s on s.id = i.studio_id
        where i.studio_id = g.studio_id and i.job_id = g.job_id and i.id = a."imageId"
          and case a.variant when 'thumb' then a.hash = i.thumb_hash
              else a.hash = i.preview_hash or i.former_preview_hashes @> to_jsonb(a.hash) end and ${isImageShown(now)}
          and ${isVerifiedOrPaid(now, viewer)}))`.execute(db)
  return rows.map(({ path }) => path)
}

/** Whether the image and its subject allow that image `i` of job `j` is shown to the session of grant `g`. */
const isImageShown = (now: Date): RawBuilder<boolean> => sql`(
  i.state = 'ready' and i.published_at <= ${now}::timestamptz and (${isCurrent} or ${isInCart})
  and case g.kind when 'subject' then ${isInSubjectGrant} when 'gallery' then j.gallery_is_public and ${isInGalleryGrant} else false end)`

/** A replaced image stays visible to sessions that have it in a cart or an order. */
const isInCart = sql`exists (
  select from carts c
    join cart_packages p on p.studio_id = c.studio_id and p.cart_id = c.id
    join cart_image_nodes x on x.studio_id = p.studio_id and x.cart_package_id = p.id
   where c.studio_id = g.studio_id and c.session_id = g.session_id
     and i.id in (x.subject_image_id, x.group_image_id, x.replacement_image_id))`

/**
 * A subject's grant shows the subject's images, the images of their groups, their own and shared replacement images,
 * and the job's backgrounds.
 */
const isInSubjectGrant = sql`exists (
  select from subjects u
   where u.studio_id = g.studio_id and u.id = g.subject_id and u.hidden_at is null
     and (u.state = 'listed' or u.person_session_id = g.session_id)
     and (i.subject_id = u.id and i.kind in ('hosted-individual', 'replacement')
       or i.subject_id is null and i.kind = 'replacement'
       or i.kind = 'green-screen-background'
       or i.kind = 'hosted-group' and exists (
            select from subject_groups m where m.studio_id = u.studio_id and m.subject_id = u.id and m.group_id = i.group_id)))`

/** A public gallery's grant shows the images of every subject who is not hidden. */
const isInGalleryGrant = sql`(
  i.kind in ('hosted-group', 'green-screen-background')
  or i.subject_id is null and i.kind = 'replacement'
  or i.kind in ('hosted-individual', 'replacement') and exists (
       select from subjects u
        where u.studio_id = i.studio_id and u.id = i.subject_id and u.hidden_at is null and u.state = 'listed'))`
