import { type RawBuilder, sql } from 'kysely'
import type { JobSettings } from '#contract/studio/job-settings.ts'
import { toDollars } from '#domain/pricing/money.ts'
import type { JobKey } from '../access/authorization/authorize.ts'
import { isoTimestamp } from '../database/timestamps.ts'
import type { Deps } from '../deps.ts'
import { closingDayOf, codeOfJob } from './job-columns.ts'

type FieldColumns = { required: RawBuilder<unknown>; templateId: RawBuilder<unknown> }

/** The list of the fields in a table, which is called `field`. */
const listFields = ({ required, templateId }: FieldColumns) => sql`coalesce(json_agg(json_build_object(
  'id', field.id, 'name', field.name, 'label', field.label, 'inputType', field.input_type, 'hasOptions', field.has_options,
  'options', field.options, 'required', ${required}, 'templateId', ${templateId}) order by field.position, field.id), '[]')`

/** The platform's order services, archived ones only if job `j` has them, with whether the job offers each and at which price in cents. */
const services = sql`(
  select coalesce(json_agg(json_build_object(
           'id', offer.id, 'orderServiceId', service.id, 'kind', service.kind, 'name', service.name,
           'description', service.description, 'level', service.level,
           'price', coalesce(offer.price_cents, service.price_cents), 'usualPrice', service.price_cents,
           'enabled', coalesce(offer.is_enabled, false)) order by service.position, service.id), '[]')
    from order_services service
    left join job_order_services offer
      on offer.studio_id = j.studio_id and offer.job_id = j.id and offer.order_service_id = service.id
   where service.archived_at is null or offer.id is not null)`

type Row = { settings: JobSettings }

/** Reads all settings of a job, in one statement. Undefined if the studio has no such job. */
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
        'lateBasisPoints', j.late_basis_points, 'lateCents', j.late_cents,
        'organizationId', j.organization_id, 'code', ${codeOfJob}, 'ownCodeOnly', j.own_code_only, 'contact', j.checkout_contact, 'preferences', j.preferences),
      'standard', json_build_object(
        'allowRetouch', j.allow_retouch, 'allowNameOnAllPrints', j.allow_name_on_all_prints,
        'allowNameOnWallets', j.allow_name_on_wallets, 'imageLevelService', j.image_level_service, 'services', ${services}),
      'preorder', json_build_object(
        'enabled', j.prepay_enabled, 'opensAt', ${isoTimestamp(sql`j.prepay_opens_at`)},
        'closesAt', ${isoTimestamp(sql`j.prepay_closes_at`)}, 'importedData', j.prepay_imported_data,
        'shipsHome', j.ships_home, 'shipsBatch', j.ships_batch,
        'batchClosesOn', ${closingDayOf(sql`j.batch_closes_at`)}, 'freeShippingUntil', j.free_shipping_until,
        'deliveryDaysFrom', j.delivery_days_from, 'deliveryDaysTo', j.delivery_days_to, 'handedOutOn', j.handed_out_on),
      'prefields', (select ${listFields({ required: sql`field.is_required`, templateId: sql`field.template_id` })}
                      from job_fields field where field.studio_id = j.studio_id and field.job_id = j.id),
      'gallery', json_build_object(
        'enabled', j.gallery_enabled, 'isPublic', j.gallery_is_public, 'opensAt', ${isoTimestamp(sql`j.gallery_opens_at`)},
        'closesAt', ${isoTimestamp(sql`j.gallery_closes_at`)}, 'expiresOn', j.gallery_expires_on,
        'importedData', j.imported_data, 'enableYearBookPoseSelection', j.enable_year_book_pose_selection,
        'yearBookPoseExpiresAt', ${isoTimestamp(sql`j.year_book_pose_expires_at`)},
        'isYearBookPoseSelectionExpired', coalesce(j.year_book_pose_expires_at <= ${clock()}::timestamptz, false),
        'watermarkId', j.watermark_id),
      'watermarks', (select coalesce(json_agg(json_build_object('id', watermark.id, 'name', watermark.name)
                                              order by lower(watermark.name), watermark.id), '[]')
                       from watermarks watermark
                      where coalesce(watermark.studio_id, j.studio_id) = j.studio_id
                        and (watermark.archived_at is null or watermark.id = j.watermark_id)),
      'templates', (select ${listFields({ required: sql`false`, templateId: sql`field.id` })} from defined_fields field where field.archived_at is null)
    ) as settings
      from jobs j join studios s on s.id = j.studio_id
     where j.studio_id = ${studioId} and j.id = ${jobId}`.execute(db)
  const [row] = rows
  if (!row) return undefined
  const { settings } = row
  const pricedServices = settings.standard.services.map((service) => ({
    ...service,
    price: toDollars(service.price),
    usualPrice: toDollars(service.usualPrice),
  }))
  return { ...settings, standard: { ...settings.standard, services: pricedServices } }
}
