import { sql } from 'kysely'
import type { Download } from '#contract/customer/download-calls.ts'
import { downloadDays } from '#domain/catalogue/downloads.ts'
import type { Db } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { isCurrent, isDeliverable } from '../images/store/image-conditions.ts'
import {
  type OrderAvailabilityRow,
  orderAvailabilityColumns,
  orderAvailabilityOf,
} from '../jobs/store/order-availability.ts'
import {
  type BackgroundRow,
  type DownloadFile,
  deliverableFiles,
  type FileRow,
  type MissingComposition,
  withFileNames,
} from './download-files.ts'

/** A download link with its state. Only a ready link has files. */
export type DownloadLinkDetails = {
  readonly studioId: number
  readonly id: number
  readonly orderId: number
  readonly linkId: string
  readonly orderNumber: string
  readonly emailKey: string
  readonly publicDetails: Omit<Download, 'files' | 'zipUrl' | 'missingCount'>
  readonly files: readonly DownloadFile[]
  readonly missing: readonly MissingComposition[]
}

type Row = OrderAvailabilityRow & {
  studio_id: number
  id: number
  order_id: number
  job_id: number
  subject_id: number | null
  kind: Download['kind']
  expires_at: Date
  good_until: string
  order_number: string
  email_key: string
  job_name: string
  studio_name: string
  slug: string
  first_name: string | null
  last_name: string | null
  files: FileRow[]
  backgrounds: BackgroundRow[]
}

/** The subject whose prints the job sells now; undefined if it does not. */
const printsOf = (row: Row, now: Date): Download['printsOf'] =>
  row.subject_id !== null && orderAvailabilityOf(row, now).gallery.available
    ? { jobId: row.job_id, subjectId: row.subject_id }
    : undefined

const stateOf = ({ expires_at: expiresAt, files }: Row, readyCount: number, now: Date): Download['state'] => {
  // The validity period of a link starts with its first file.
  if (files.length === 0) return 'waiting'
  if (expiresAt <= now) return 'expired'
  return readyCount > 0 ? 'ready' : 'waiting'
}

type PublicDetails = DownloadLinkDetails['publicDetails']

const publicDetailsOf = (
  row: Row,
  { state, subjectName, now }: Pick<PublicDetails, 'state' | 'subjectName'> & { now: Date },
): PublicDetails => {
  const prints = state === 'ready' ? printsOf(row, now) : undefined
  return {
    state,
    kind: row.kind,
    jobName: row.job_name,
    studioName: row.studio_name,
    studioSlug: row.slug,
    subjectName,
    expiresAt: row.expires_at.toISOString(),
    goodUntil: row.good_until,
    ...(prints && { printsOf: prints }),
  }
}

/**
 * Finds the download of a link; undefined if the link is unknown or revoked, its order cancelled, its subject hidden,
 * or its only image withdrawn. Evaluated at every read, so that withdrawn images are no longer delivered (section 8).
 * Cut-outs are delivered on the background of their package; those of "all images" on each background that the customer
 * chose for that subject in the order.
 */
export const findDownload = async (
  { db, clock }: { db: Db; clock: Deps['clock'] },
  linkId: string,
): Promise<DownloadLinkDetails | undefined> => {
  const now = clock()
  const { rows } = await sql<Row>`
    select d.studio_id, d.id, d.order_id, o.job_id, d.subject_id, d.kind, ends.at as expires_at,
           to_char(ends.at at time zone s.time_zone, 'YYYY-MM-DD') as good_until,
           o.order_number, o.email_key, j.name as job_name, s.name as studio_name, s.slug, u.first_name, u.last_name,
           ${orderAvailabilityColumns(now)},
           (select coalesce(json_agg(json_build_object('id', i.id, 'key', i.original_key,
                     'contentType', i.content_type, 'contentHash', i.content_hash, 'bytes', i.byte_size, 'width', i.width,
                     'height', i.height, 'hasAlpha', i.has_alpha, 'thumbHash', i.thumb_hash, 'thumbWidth', i.thumb_width,
                     'thumbHeight', i.thumb_height, 'madeAt', coalesce(i.taken_at, i.created_at), 'compositions', (
                       select coalesce(json_agg(json_build_object('backgroundId', c.background_id, 'sources', c.sources,
                                'key', c.file_key, 'contentHash', c.content_hash, 'bytes', c.byte_size, 'width', c.width,
                                'height', c.height, 'thumbHash', c.thumb_hash, 'thumbWidth', c.thumb_width,
                                'thumbHeight', c.thumb_height)), '[]')
                         from compositions c where c.studio_id = i.studio_id and c.image_id = i.id))
                     order by i.kind = 'hosted-group', i.position, i.id), '[]')
              from image_lookups i
             where i.studio_id = d.studio_id and i.job_id = o.job_id and i.state = 'ready'
               and case d.kind when 'single' then i.id = d.image_id else ${isCurrent} and i.published_at <= ${now}::timestamptz and (
                     i.kind = 'hosted-individual' and i.subject_id = d.subject_id
                     or i.kind = 'hosted-group' and exists (
                          select from subject_groups m
                           where m.studio_id = i.studio_id and m.subject_id = d.subject_id and m.group_id = i.group_id)) end) as files,
           (select coalesce(json_agg(json_build_object('id', b.id, 'name', g.name, 'key', b.original_key,
                     'contentHash', b.content_hash) order by chosen.first, b.id), '[]')
              from (select (x ->> 'imageId')::bigint as image_id, l.green_screen_id, min(l.position) as first
                      from order_lines l cross join lateral jsonb_array_elements(l.snapshot -> 'images') x
                     where l.studio_id = d.studio_id and l.order_id = d.order_id and l.kind = 'package'
                       and (x ->> 'greenScreenId')::bigint = l.green_screen_id
                       and case d.kind when 'single' then l.id = d.order_line_id else l.subject_id = d.subject_id end
                     group by 1, 2) chosen
              join image_lookups b on b.studio_id = d.studio_id and b.job_id = o.job_id and b.id = chosen.image_id
              left join green_screens g on g.studio_id = d.studio_id and g.id = chosen.green_screen_id) as backgrounds
      from download_links k
      join downloads d on d.studio_id = k.studio_id and d.link_id = k.link_id
      join orders o on o.studio_id = d.studio_id and o.id = d.order_id
      join jobs j on j.studio_id = o.studio_id and j.id = o.job_id
      join studios s on s.id = d.studio_id
      left join subjects u on u.studio_id = d.studio_id and u.id = d.subject_id
      left join lateral (
        select min(i.published_at) as since from image_lookups i
         where d.kind = 'all' and i.studio_id = d.studio_id and i.subject_id = d.subject_id and i.kind = 'hosted-individual'
           and ${isCurrent} and i.state = 'ready' and i.published_at <= ${now}::timestamptz) seen on true
      cross join lateral (select greatest(d.expires_at, seen.since + ${downloadDays} * interval '1 day') as at) ends
     where k.link_id = ${linkId} and d.revoked_at is null and o.state <> 'cancelled' and u.hidden_at is null
       and ${isDeliverable}`.execute(db)
  const [row] = rows
  if (!row) return undefined
  const deliverables = row.files.map((file) => deliverableFiles(file, row.backgrounds))
  const subjectName = `${row.first_name ?? ''} ${row.last_name ?? ''}`.trim()
  const files = withFileNames(
    deliverables.map(({ ready }) => ready),
    { subjectName, studioSlug: row.slug },
  )
  const state = stateOf(row, files.length, now)
  return {
    studioId: row.studio_id,
    id: row.id,
    orderId: row.order_id,
    linkId,
    orderNumber: row.order_number,
    emailKey: row.email_key,
    publicDetails: publicDetailsOf(row, { state, subjectName, now }),
    files: state === 'ready' ? files : [],
    missing: state === 'expired' ? [] : deliverables.flatMap(({ missing }) => missing),
  }
}
