import { sql } from 'kysely'
import type { StudioSubject, SubjectImage } from '#contract/studio/subjects.ts'
import type { JobKey } from '../access/authorization/authorize.ts'
import type { Db, Transaction } from '../database/database.ts'
import { isoTimestamp } from '../database/timestamps.ts'
import type { Deps } from '../deps.ts'
import { qrCodeSvg } from '../http/markup.ts'
import type { UrlSigningDeps } from '../http/sign-url.ts'
import { isCurrent } from '../images/store/image-conditions.ts'
import { staffImageUrl } from '../images/store/staff-image-url.ts'

export type SubjectKey = JobKey & { readonly subjectId: number }

type ImageRow = Omit<SubjectImage, 'thumbnailUrl' | 'previewUrl'> & {
  thumbHash: string | null
  previewHash: string | null
}

type Row = Omit<StudioSubject, 'code' | 'images' | 'imageThumbnailUrl' | 'checkedInAt' | 'hiddenAt' | 'createdAt'> & {
  code: string | null
  slug: string
  images: ImageRow[]
  checkedInAt: Date | null
  hiddenAt: Date | null
  createdAt: Date
}

const subjectImages = sql`(
  select coalesce(json_agg(json_build_object(
           'id', i.id, 'type', i.kind, 'name', regexp_replace(i.file_name, '\\.[^.]+$', ''), 'groupName', g.name, 'state', i.state,
           'refusal', i.refusal, 'width', i.width, 'height', i.height, 'isPublished', i.published_at is not null,
           'isPrimary', i.id is not distinct from u.primary_image_id, 'thumbHash', i.thumb_hash, 'previewHash', i.preview_hash)
         order by array_position(array['hosted-individual', 'hosted-group', 'replacement'], i.kind), i.taken_at nulls last,
                  i.position, i.id), '[]')
    from image_lookups i left join groups g on g.studio_id = i.studio_id and g.id = i.group_id
   where i.studio_id = u.studio_id and i.job_id = u.job_id and ${isCurrent}
     and (i.subject_id = u.id and i.kind in ('hosted-individual', 'replacement')
       or i.kind = 'hosted-group' and i.group_id in (
            select m.group_id from subject_groups m where m.studio_id = u.studio_id and m.subject_id = u.id)))`

const subjectOrders = sql`(
  select coalesce(json_agg(json_build_object('orderNumber', o.order_number, 'state', o.state, 'totalCents', o.total_cents,
           'customerName', o.first_name || ' ' || o.last_name,
           'placedAt', ${isoTimestamp(sql`o.placed_at`)}) order by o.placed_at desc, o.id desc), '[]')
    from orders o where o.studio_id = u.studio_id and exists (
      select from order_lines l where l.studio_id = o.studio_id and l.order_id = o.id and l.subject_id = u.id))`

const knownFields = sql`(
  select coalesce(json_agg(json_build_object('name', x.name, 'label', x.label, 'options', case when x.has_options then (
           select coalesce(json_agg(o ->> 'value' order by place), '[]')
             from jsonb_array_elements(x.options) with ordinality as choice (o, place)) else '[]' end) order by x.position, x.id), '[]')
    from job_fields x where x.studio_id = u.studio_id and x.job_id = u.job_id)`

const readRow = async (db: Db | Transaction, { studioId, jobId, subjectId }: SubjectKey): Promise<Row | undefined> => {
  const { rows } = await sql<Row>`
    select u.id, u.job_id as "jobId", u.first_name as "firstName", u.last_name as "lastName", u.reference, u.version, s.slug,
           u.hidden_at is not null as "isHidden", u.hidden_at as "hiddenAt", u.created_at as "createdAt",
           (select coalesce(json_agg(json_build_object('id', f.id, 'name', f.name, 'value', f.value, 'hasOptions', f.has_options,
                     'templateId', f.template_id, 'optionId', f.option_id) order by f.id), '[]')
              from subject_fields f where f.studio_id = u.studio_id and f.subject_id = u.id) as fields,
           (select coalesce(json_agg(json_build_object('id', g.id, 'name', g.name) order by g.position, g.id), '[]')
              from subject_groups m join groups g on g.studio_id = m.studio_id and g.id = m.group_id
             where m.studio_id = u.studio_id and m.subject_id = u.id) as groups,
           (select c.code from access_codes c
             where c.studio_id = u.studio_id and c.job_id = u.job_id and c.subject_id = u.id) as code,
           (select max(c.checked_in_at) from check_ins c
             where c.studio_id = u.studio_id and c.subject_id = u.id and c.undone_at is null) as "checkedInAt",
           ${subjectImages} as images, ${subjectOrders} as orders, ${knownFields} as "knownFields"
      from subjects u join studios s on s.id = u.studio_id
     where u.studio_id = ${studioId} and u.job_id = ${jobId} and u.id = ${subjectId} and u.state = 'listed'`.execute(db)
  return rows[0]
}

type SubjectDeps = UrlSigningDeps & Pick<Deps, 'address'>

const toSubjectImage = (
  deps: SubjectDeps,
  { studioId }: JobKey,
  { thumbHash, previewHash, ...row }: ImageRow,
): SubjectImage => {
  const urlOf = (variant: 'thumb' | 'preview', hash: string | null) =>
    hash && staffImageUrl(deps, { studioId, imageId: row.id, variant, hash })
  return { ...row, thumbnailUrl: urlOf('thumb', thumbHash), previewUrl: urlOf('preview', previewHash) }
}

/** The URL of an access code and its QR code. */
const toSubjectCode = ({ address }: SubjectDeps, slug: string, code: string): NonNullable<StudioSubject['code']> => {
  const url = `${address()}/${slug}/code/${code}`
  return { code, address: url, qr: qrCodeSvg(url) }
}

/** Reads a subject of a job with all its data; undefined if there is none, or if only a customer typed it in. */
export const readSubject = async (
  deps: SubjectDeps & { readonly db: Db | Transaction },
  key: SubjectKey,
): Promise<StudioSubject | undefined> => {
  const row = await readRow(deps.db, key)
  if (!row) return undefined
  const { slug, code, checkedInAt, hiddenAt, createdAt, ...rest } = row
  const allImages = row.images.map((image) => toSubjectImage(deps, key, image))
  const ownImages = allImages.filter(({ type, thumbnailUrl }) => type === 'hosted-individual' && thumbnailUrl !== null)
  const primary = ownImages.find(({ isPrimary }) => isPrimary) ?? ownImages[0]
  return {
    ...rest,
    images: allImages,
    imageThumbnailUrl: primary?.thumbnailUrl ?? null,
    code: code === null ? null : toSubjectCode(deps, slug, code),
    checkedInAt: checkedInAt?.toISOString() ?? null,
    hiddenAt: hiddenAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  }
}
