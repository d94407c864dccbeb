import { type RawBuilder, sql } from 'kysely'
import type { Feature } from '#contract/shapes/call.ts'
import type { JobServices, OrderService } from '#domain/cart/order-service-types.ts'
import { personalizationPrice } from '#domain/cart/order-services.ts'
import { toDollars } from '#domain/pricing/money.ts'
import type { CustomField } from '#domain/subjects/custom-fields.ts'
import type { JobKey } from '#server/access/authorization/authorize.ts'
import type { Db } from '#server/database/database.ts'

/**
 * Whether the studio of job `j` has a feature (section 4). Without the feature, its parts are hidden from customers and its requests are
 * refused.
 */
export const hasFeature = (identifier: Feature): RawBuilder<boolean> => sql`exists (
  select from studio_features a join features f on f.id = a.feature_id
   where a.studio_id = j.studio_id and f.identifier = ${identifier})`

/** `priceCents` is null if the job sets no price. */
export type JobServicesRow = Omit<JobServices, 'services'> & {
  services: (Omit<OrderService, 'price'> & { priceCents: number | null })[]
}

/**
 * The services of job `j` as a JSON object: its own entries and, if none of them is a personalization, one with the default price and
 * `id` 0, which is offered only if the flags allow it (`servicesOnOffer`). Without the feature `orderServices` the list is empty.
 */
export const jobServices: RawBuilder<JobServicesRow> = sql`(
  select json_build_object(
    'allowRetouch', f.has and j.allow_retouch, 'allowNameOnAllPrints', f.has and j.allow_name_on_all_prints,
    'allowNameOnWallets', f.has and j.allow_name_on_wallets, 'imageLevelService', j.image_level_service,
    'services', (
      select coalesce(json_agg(json_build_object('id', x.id, 'orderServiceId', x.service, 'kind', x.kind, 'name', x.name,
               'description', x.description, 'level', x.level, 'priceCents', x.cents, 'enabled', x.enabled)
               order by x.position, x.service), '[]')
        from (select e.id, o.id as service, o.kind, o.name, o.description, o.level, e.price_cents as cents,
                     e.is_enabled as enabled, e.position
                from job_order_services e join order_services o on o.id = e.order_service_id
               where e.studio_id = j.studio_id and e.job_id = j.id and o.archived_at is null
              union all
              (select 0, o.id, o.kind, o.name, o.description, o.level, null, true, o.position
                 from order_services o
                where o.kind = 'personalization' and o.archived_at is null
                  and not exists (select from job_order_services e join order_services p on p.id = e.order_service_id
                                   where e.studio_id = j.studio_id and e.job_id = j.id and p.kind = 'personalization')
                order by o.position, o.id limit 1)) x
       where f.has))
    from (select ${hasFeature('orderServices')} as has) f)`

export const servicesOfRow = ({ services, ...flags }: JobServicesRow): JobServices => ({
  ...flags,
  services: services.map(({ priceCents, ...service }) => ({
    ...service,
    price: personalizationPrice(priceCents === null ? null : toDollars(priceCents)),
  })),
})

export const readJobServices = async (db: Db, { studioId, jobId }: JobKey): Promise<JobServices | undefined> => {
  const { rows } = await sql<{ services: JobServicesRow }>`
    select ${jobServices} as services from jobs j where j.studio_id = ${studioId} and j.id = ${jobId}`.execute(db)
  return rows[0] && servicesOfRow(rows[0].services)
}

/** The fields that job `j` asks about a subject before picture day, in the studio's order, as a JSON list. */
export const jobFields: RawBuilder<CustomField[]> = sql`(
  select coalesce(json_agg(json_build_object('id', x.id, 'name', x.name, 'label', x.label, 'inputType', x.input_type,
           'required', x.is_required, 'hasOptions', x.has_options, 'options', x.options, 'templateId', x.template_id)
           order by x.position, x.id), '[]')
    from job_fields x where x.studio_id = j.studio_id and x.job_id = j.id)`

export const readJobFields = async (db: Db, { studioId, jobId }: JobKey): Promise<CustomField[]> => {
  const { rows } = await sql<{ fields: CustomField[] }>`
    select ${jobFields} as fields from jobs j where j.studio_id = ${studioId} and j.id = ${jobId}`.execute(db)
  return rows[0]?.fields ?? []
}
