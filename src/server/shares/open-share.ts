import { type RawBuilder, sql } from 'kysely'
import type { SharedImages } from '#contract/customer/shared-images.ts'
import { isLiveGrant } from '../access/grants/grants.ts'
import type { Deps } from '../deps.ts'
import { hashOf } from '../http/hash.ts'
import { isCurrent } from '../images/store/image-conditions.ts'
import { type FoundVariant, hasVariant, type ImageRequest, variantHash } from '../images/store/image-requests.ts'
import { areImagesVisibleTo } from '../jobs/store/order-availability.ts'

/** The secret part of a link, and the slug of the studio before it. */
export type ShareLink = { readonly slug: string; readonly token: string }

/** The session that made share `x`, and the subject of the share. */
const maker = { sessionId: sql<number>`x.session_id`, subjectId: sql<number>`x.subject_id` }

/** SQL: share `x` of job `j`, studio `s` and subject `u`, made by session `v`. */
export const shareTables: RawBuilder<unknown> = sql`image_shares x
  join jobs j on j.studio_id = x.studio_id and j.id = x.job_id
  join studios s on s.id = x.studio_id
  join subjects u on u.studio_id = x.studio_id and u.id = x.subject_id
  join customer_sessions v on v.id = x.session_id`

/**
 * SQL: whether share `x` works. It never shows more than the session that made it may see now, and ends with that session, because it
 * could not be stopped afterwards.
 */
export const isLiveShare = (now: Date): RawBuilder<boolean> => sql`(
  x.revoked_at is null and x.expires_at > ${now}::timestamptz and s.is_sharing_enabled
  and v.finished_at is null and v.expires_at > ${now}::timestamptz
  and u.hidden_at is null and (u.state = 'listed' or u.person_session_id = x.session_id)
  and ${areImagesVisibleTo(now, maker)}
  and exists (
    select from session_grants g
     where g.studio_id = x.studio_id and g.session_id = x.session_id and g.job_id = x.job_id and ${isLiveGrant(now)}
       and (g.kind = 'subject' and g.subject_id = x.subject_id or g.kind = 'gallery' and j.gallery_is_public)))`

/** SQL: whether image `i` of a subject may be shown. Images of groups show others too, so they are never shared. */
export const isShareable = (now: Date, subjectId: RawBuilder<unknown>): RawBuilder<boolean> => sql`(
  i.kind = 'hosted-individual' and i.subject_id = ${subjectId} and i.state = 'ready'
  and i.published_at <= ${now}::timestamptz and ${isCurrent})`

/** SQL: the images `i` of share `x` that may be shown. */
export const sharedImages = (now: Date): RawBuilder<unknown> => sql`image_share_items e
  join image_lookups i on i.studio_id = e.studio_id and i.id = e.image_id
 where e.studio_id = x.studio_id and e.share_id = x.id and ${isShareable(now, sql`x.subject_id`)}`

/** SQL: whether share `x` is the one of a link that works. A former slug of the studio is valid too. */
const isOfLink = (now: Date, { slug, token }: ShareLink): RawBuilder<boolean> => sql`(
  x.token_hash = ${hashOf(token)} and x.studio_id = (select k.studio_id from studio_slugs k where k.slug = ${slug})
  and ${isLiveShare(now)})`

/** SQL: the last day of share `x`. */
export const shareExpiryDay = sql<string>`to_char(x.expires_at at time zone s.time_zone, 'YYYY-MM-DD')`

type Row = Omit<SharedImages, 'images'> & {
  studioId: number
  shareId: number
  images: { id: number; width: number; height: number; hash: string }[]
}

const sharedImagePath = ({ slug, token }: ShareLink, { id, hash }: Row['images'][number]): string =>
  `/photos/shared/${slug}/${token}/${id}/preview-${hash}`

type OpenedShare = { readonly studioId: number; readonly shareId: number; readonly shared: SharedImages }

/** Opens a share; undefined if the link does not work or nothing of it may be shown, for any reason. */
export const openShare = async (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  link: ShareLink,
): Promise<OpenedShare | undefined> => {
  const now = clock()
  const { rows } = await sql<Row>`
    select x.studio_id as "studioId", x.id as "shareId", s.slug as "studioSlug", s.name as "studioName",
           ${shareExpiryDay} as "expiresOn",
           case when coalesce((j.preferences ->> 'namesOnThumbnails')::boolean, true) then u.first_name end as "firstName",
           (select coalesce(json_agg(json_build_object('id', i.id, 'width', i.width, 'height', i.height, 'hash', i.preview_hash)
                            order by i.taken_at nulls last, i.position, i.id), '[]')
              from ${sharedImages(now)}) as images
      from ${shareTables} where ${isOfLink(now, link)}`.execute(db)
  const [row] = rows
  if (!row || row.images.length === 0) return undefined
  const { studioId, shareId, images, ...details } = row
  const shared = {
    ...details,
    images: images.map((image) => ({
      id: image.id,
      width: image.width,
      height: image.height,
      previewUrl: sharedImagePath({ slug: details.studioSlug, token: link.token }, image),
    })),
  }
  return { studioId, shareId, shared }
}

/** Counts a view of a share. */
export const countView = async ({ db }: Pick<Deps, 'db'>, { studioId, shareId }: OpenedShare): Promise<void> => {
  await db
    .updateTable('image_shares')
    .set(({ eb }) => ({ view_count: eb('view_count', '+', 1) }))
    .where('studio_id', '=', studioId)
    .where('id', '=', shareId)
    .execute()
}

/** The preview that a link may show now; undefined otherwise. It is evaluated at every request. */
export const findSharedPreview = async (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  link: ShareLink,
  request: ImageRequest,
): Promise<FoundVariant | undefined> => {
  const now = clock()
  const { rows } = await sql<FoundVariant>`
    select found.* from ${shareTables}
      join lateral (
        select i.original_key as "originalKey", ${variantHash(request.variant)} as hash
          from ${sharedImages(now)} and i.id = ${request.imageId} and ${hasVariant(request)}) found on true
     where ${isOfLink(now, link)}`.execute(db)
  return rows[0]
}
