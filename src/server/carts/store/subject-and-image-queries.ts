import { type RawBuilder, sql } from 'kysely'
import type { LineSnapshot, SnapshotImage } from '#domain/cart/cart.ts'
import { grantToImages, grantToSubject, type JobSession } from '#server/access/grants/grants.ts'
import { isCurrent } from '#server/images/store/image-conditions.ts'
import { imageUrl } from '#server/images/store/image-urls.ts'
import { isVerifiedOrPaid } from '#server/jobs/store/order-availability.ts'

/** A subject as a cart shows it. `grantId` is the session's live grant; null without one. */
export type SubjectRecord = {
  id: number
  personId: string | null
  firstName: string
  lastName: string
  grantId: string | null
  isHidden: boolean
  imageId: number | null
  hash: string | null
  groupIds: number[]
}

export type ImageRecord = {
  id: number
  kind: 'hosted-individual' | 'hosted-group' | 'green-screen-background' | 'replacement'
  subjectId: number | null
  groupId: number | null
  width: number
  height: number
  hash: string
  hasAlpha: boolean
}

/** The background of a line. `grantId` is the session's live grant that shows it; null without one. */
export type BackgroundRecord = {
  id: number
  imageId: number
  width: number
  height: number
  hash: string
  grantId: string | null
}

/** Passes ids as one parameter, so that the statement's text stays the same for any number of them. */
export const idsIn = (ids: Iterable<number>): RawBuilder<number> => {
  const safeIds = [...new Set(ids)].filter(Number.isSafeInteger)
  return sql`(select value::bigint from jsonb_array_elements_text(${JSON.stringify(safeIds)}::jsonb))`
}

/** Subjects of job `j`, studio `s`, selected by `subquery`, as one JSON list. */
export const subjectRecords = (
  jobSession: JobSession,
  now: Date,
  subquery: RawBuilder<unknown>,
): RawBuilder<SubjectRecord[]> => sql`(
  select coalesce(json_agg(json_build_object(
           'id', u.id, 'personId', u.person_id, 'firstName', u.first_name, 'lastName', u.last_name,
           'grantId', shown.grant_id, 'isHidden', u.hidden_at is not null, 'imageId', t.id, 'hash', t.thumb_hash,
           'groupIds', (select coalesce(json_agg(m.group_id), '[]') from subject_groups m
                         where m.studio_id = u.studio_id and m.subject_id = u.id))), '[]')
    from subjects u
    left join ${grantToSubject(jobSession, now)} shown on true
    left join lateral (
      select i.id, i.thumb_hash from image_lookups i
       where shown.grant_id is not null and ${isVerifiedOrPaid(now, { sessionId: jobSession.session.id, subjectId: sql`u.id` })} and i.studio_id = u.studio_id and i.subject_id = u.id
         and i.kind = 'hosted-individual' and ${isCurrent} and ${isPublished(now)}
       order by (i.id = u.primary_image_id) desc nulls last, i.taken_at nulls last, i.position, i.id limit 1) t on true
   where u.studio_id = j.studio_id and u.job_id = j.id and u.id in (${subquery}))`

/** Published images of job `j`, studio `s`, selected by `subquery`, as one JSON list. */
export const imageRecords = (now: Date, subquery: RawBuilder<unknown>): RawBuilder<ImageRecord[]> => sql`(
  select coalesce(json_agg(json_build_object(
           'id', i.id, 'kind', i.kind, 'subjectId', i.subject_id, 'groupId', i.group_id,
           'width', i.width, 'height', i.height, 'hash', i.thumb_hash, 'hasAlpha', i.has_alpha)), '[]')
    from image_lookups i
   where i.studio_id = j.studio_id and i.job_id = j.id and i.id in (${subquery}) and ${isPublished(now)})`

/**
 * Backgrounds of job `j`, studio `s`, selected by `subquery`, as one JSON list, including those that are no longer
 * offered.
 */
export const backgroundRecords = (
  jobSession: JobSession,
  now: Date,
  subquery: RawBuilder<unknown>,
): RawBuilder<BackgroundRecord[]> => sql`(
  select coalesce(json_agg(json_build_object(
           'id', q.id, 'imageId', i.id, 'width', i.width, 'height', i.height, 'hash', i.thumb_hash,
           'grantId', ${grantToImages(jobSession, now)})), '[]')
    from green_screens q
    join image_lookups i on i.studio_id = q.studio_id and i.id = q.image_id
   where q.studio_id = j.studio_id and q.job_id = j.id and q.id in (${subquery}) and ${isPublished(now)})`

/**
 * Whether image `i` is published, even where the job currently shows no images: a cart keeps the URLs while its job is
 * closed, so that a device can show what it has cached. The files are not served during that time.
 */
const isPublished = (now: Date): RawBuilder<boolean> => sql`i.state = 'ready' and i.published_at <= ${now}::timestamptz`

const thumbnailUrlOf = (grantId: string | null, imageId: number | null, hash: string | null): string | null =>
  grantId === null || imageId === null || hash === null ? null : imageUrl({ grantId, imageId, variant: 'thumb', hash })

/** A subject's name and image for a line's snapshot. */
export const subjectSnapshot = ({
  firstName,
  lastName,
  grantId,
  imageId,
  hash,
}: SubjectRecord): LineSnapshot['subject'] => ({
  firstName,
  lastName,
  imageThumbnailUrl: thumbnailUrlOf(grantId, imageId, hash),
})

/** The images of a line's snapshot; empty if the session has no access to the subject. */
export const snapshotImages = ({ grantId }: SubjectRecord, images: readonly ImageRecord[]): SnapshotImage[] =>
  images.flatMap(({ id, width, height, hash, hasAlpha }) => {
    const thumbnailUrl = thumbnailUrlOf(grantId, id, hash)
    return thumbnailUrl === null ? [] : [{ imageId: id, width, height, thumbnailUrl, hasAlpha }]
  })

/** The background of a line's snapshot; empty if the session has no access to it. */
export const snapshotBackground = ({
  id,
  imageId,
  width,
  height,
  hash,
  grantId,
}: BackgroundRecord): SnapshotImage[] => {
  const thumbnailUrl = thumbnailUrlOf(grantId, imageId, hash)
  return thumbnailUrl === null ? [] : [{ imageId, width, height, thumbnailUrl, greenScreenId: id }]
}
