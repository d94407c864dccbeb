import { sql } from 'kysely'
import type { JobSettings } from '#contract/studio/job-settings.ts'
import { toDollars } from '#domain/pricing/money.ts'
import type { JobKey } from '../access/authorization/authorize.ts'
import type { Deps } from '../deps.ts'
import { asInstant, codeOfJob } from './job-columns.ts'

const field = sql`json_build_object(
  'id', f.id, 'name', f.name, 'label', f.label, 'inputType', f.input_type, 'hasOptions', f.has_options, 'options', f.options`

const services = sql`(
  select coalesce(json_agg(json_build_object(
           'id', e.id, 'orderServiceId', v.id, 'kind', v.kind, 'name', v.name, 'description', v.description, 'level', v.level,
           'price', coalesce(e.price_cents, v.price_cents), 'usualPrice', v.price_cents,
           'enabled', coalesce(e.is_enabled, false)) order by v.position, v.id), '[]')
    from order_services v
    left join job_order_services e on e.studio_id = j.studio_id and e.job_id = j.id and e.order_service_id = v.id
   where v.archived_at is null or e.id is not null)`

type Row = { settings: JobSettings }

/** All settings of a job, in one statement; undefined if the studio has no such job. */
export const readJobSettings = async (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { studioId, jobId }: JobKey,
): Promise<JobSettings | undefined> => {
  const { rows } = await sql<Row>`
    select json_build_object(
      'version', j.version,
      'timeZone', s.time_zone,
      'general', json_build_object(
        'name', j.name, 'description', j.description, 'eventDate', j.event_date, 'orderBy', j.order_by,
        'organizationId', j.organization_id, 'code', ${codeOfJob}, 'ownCodeOnly', j.own_code_only, 'contact', j.checkout_contact, 'preferences', j.preferences),
      'standard', json_build_object(
        'allowRetouch', j.allow_retouch, 'allowNameOnAllPrints', j.allow_name_on_all_prints,
        'allowNameOnWallets', j.allow_name_on_wallets, 'imageLevelService', j.image_level_service, 'services', ${services}),
      'preorder', json_build_object(
        'enabled', j.prepay_enabled, 'opensAt', ${asInstant(sql`j.prepay_opens_at`)},
        'closesAt', ${asInstant(sql`j.prepay_closes_at`)}, 'importedData', j.prepay_imported_data,
        'shipsHome', j.ships_home, 'shipsBatch', j.ships_batch,
        'batchClosesOn', to_char(j.batch_closes_at at time zone s.time_zone - interval '1 microsecond', 'YYYY-MM-DD')),
      'prefields', (select coalesce(json_agg(${field}, 'required', f.is_required, 'templateId', f.template_id)
                                   order by f.position, f.id), '[]')
                      from job_fields f where f.studio_id = j.studio_id and f.job_id = j.id),
      'gallery', json_build_object(
        'enabled', j.gallery_enabled, 'isPublic', j.gallery_is_public, 'opensAt', ${asInstant(sql`j.gallery_opens_at`)},
        'closesAt', ${asInstant(sql`j.gallery_closes_at`)}, 'expiresOn', j.gallery_expires_on,
        'importedData', j.imported_data, 'enableYearBookPoseSelection', j.enable_year_book_pose_selection,
        'yearBookPoseExpiresAt', ${asInstant(sql`j.year_book_pose_expires_at`)},
        'isYearBookPoseSelectionExpired', coalesce(j.year_book_pose_expires_at <= ${clock()}::timestamptz, false),
        'watermarkId', j.watermark_id),
      'watermarks', (select coalesce(json_agg(json_build_object('id', w.id, 'name', w.name) order by lower(w.name), w.id), '[]')
                       from watermarks w),
      'templates', (select coalesce(json_agg(${field}, 'required', false, 'templateId', f.id)
                                   order by f.position, f.id), '[]')
                      from defined_fields f)
    ) as settings
      from jobs j join studios s on s.id = j.studio_id
     where j.studio_id = ${studioId} and j.id = ${jobId}`.execute(db)
  const [row] = rows
  if (!row) return undefined
  const { settings } = row
  const offered = settings.standard.services.map((one) => ({
    ...one,
    price: toDollars(one.price),
    usualPrice: toDollars(one.usualPrice),
  }))
  return { ...settings, standard: { ...settings.standard, services: offered } }
}
