import { sql } from 'kysely'
import { servicesOnOffer } from '#domain/cart/order-services.ts'
import type { PublishCheckInput } from '#domain/studio/publish-checks.ts'
import type { JobKey } from '../access/authorization/authorize.ts'
import type { Db, Transaction } from '../database/database.ts'
import { isoTimestamp } from '../database/timestamps.ts'
import type { Deps } from '../deps.ts'
import { closingDayOf, codeOfJob } from './job-columns.ts'
import { joinJobCounts } from './store/job-counts.ts'
import { type JobServicesRow, jobServices, servicesOfRow } from './store/job-services.ts'
import { acceptsCards, canTax, hasPublishedImages, latePriceJson } from './store/order-availability.ts'

const dayAt = (at: string) => sql`to_char(${sql.ref(at)} at time zone s.time_zone, 'YYYY-MM-DD')`

const offeredPackageCount = (method: 'prepay' | 'gallery') => sql`(
  select count(*) from packages p where p.studio_id = j.studio_id and p.package_set_id = j.package_set_id
     and p.archived_at is null and ${sql.ref(`p.offered_${method}`)})`

/** The input of the checks before publication, in one statement; undefined if the studio has no such job. */
export const readPublishChecks = async (
  db: Db | Transaction,
  { studioId, jobId }: JobKey,
  { now, deps }: { now: Date; deps: Pick<Deps, 'payment' | 'settings'> },
): Promise<PublishCheckInput | undefined> => {
  const { rows } = await sql<{ input: PublishCheckInput; services: JobServicesRow }>`
    select json_build_object(
      'now', ${now.toISOString()}::text,
      'today', to_char(${now}::timestamptz at time zone s.time_zone, 'YYYY-MM-DD'),
      'hasOrganization', j.organization_id is not null,
      'code', ${codeOfJob},
      'eventDate', j.event_date,
      -- A job with a late price sells on after that day.
      'orderBy', case when ${latePriceJson} is null then j.order_by end,
      'packages', case when t.id is not null
        then json_build_object('prepay', ${offeredPackageCount('prepay')}, 'gallery', ${offeredPackageCount('gallery')}) end,
      'subjectCount', k.subjects,
      'fieldCount', (select count(*) from job_fields f where f.studio_id = j.studio_id and f.job_id = j.id),
      'hasPublishedImages', ${hasPublishedImages(now)},
      'prepay', json_build_object(
        'enabled', j.prepay_enabled, 'opensAt', ${isoTimestamp(sql`j.prepay_opens_at`)},
        'closesAt', ${isoTimestamp(sql`j.prepay_closes_at`)}, 'closesOn', ${dayAt('j.prepay_closes_at')},
        'importedData', j.prepay_imported_data),
      'gallery', json_build_object(
        'enabled', j.gallery_enabled, 'isSettable', s.is_millers_verified, 'opensAt', ${isoTimestamp(sql`j.gallery_opens_at`)},
        'opensOn', ${dayAt('j.gallery_opens_at')}, 'closesAt', ${isoTimestamp(sql`j.gallery_closes_at`)},
        'expiresOn', j.gallery_expires_on, 'poseSelection', j.enable_year_book_pose_selection,
        'poseExpiresAt', ${isoTimestamp(sql`j.year_book_pose_expires_at`)}),
      'shipping', json_build_object(
        'home', j.ships_home, 'batch', j.ships_batch,
        'batchClosesOn', ${closingDayOf(sql`j.batch_closes_at`)}),
      'money', json_build_object(
        'acceptsCards', ${acceptsCards(deps)}, 'sells', coalesce((
          select bool_or(v.retail_cost_cents > 0)
            from packages p join package_versions v
              on v.studio_id = p.studio_id and v.package_id = p.id and v.version = p.current_version
           where p.studio_id = j.studio_id and p.package_set_id = j.package_set_id and p.archived_at is null), false),
        'taxes', ${canTax(deps.settings)},
        'mustTax', ${deps.settings.mode === 'production'}::boolean)
    ) as input, ${jobServices} as services
      from jobs j join studios s on s.id = j.studio_id ${joinJobCounts}
      left join package_sets t on t.studio_id = j.studio_id and t.id = j.package_set_id and t.archived_at is null
     where j.studio_id = ${studioId} and j.id = ${jobId}`.execute(db)
  const [row] = rows
  if (!row) return undefined
  const { input, services } = row
  const sells = input.money.sells || servicesOnOffer(servicesOfRow(services)).some(({ price }) => price > 0)
  return { ...input, money: { ...input.money, sells } }
}
