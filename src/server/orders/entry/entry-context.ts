import { sql } from 'kysely'
import type { Address } from '#contract/shapes/order-structs.ts'
import type { EntryDraft } from '#contract/studio/order-entry.ts'
import type { AutofillSubject } from '#domain/catalogue/autofill.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import { normalisePromotionCode } from '#domain/pricing/promotion.ts'
import type { JobKey } from '#server/access/authorization/authorize.ts'
import { type ImageRecord, idsIn, type SubjectRecord } from '#server/carts/store/subject-and-image-queries.ts'
import type { Db } from '#server/database/database.ts'
import { isCurrent } from '#server/images/store/image-conditions.ts'
import { hasFeature } from '#server/jobs/store/job-services.ts'
import {
  automaticPromotionsJson,
  type CheckoutPromotion,
  type PromotionRow,
  promotionJson,
  promotionOf,
  promotionsWithCode,
} from '../sale/checkout-promotion.ts'
import { type SaleTerms, type SaleTermsRow, saleTermsColumns, saleTermsOf } from '../sale/sale-terms.ts'

export type EntrySubjectRecord = SubjectRecord & Pick<AutofillSubject, 'fields'>

type Row = SaleTermsRow & {
  archived: boolean
  job_version: string
  shipping_code: string | null
  studio_address: Partial<Address> | null
  packages: Package[]
  people: EntrySubjectRecord[]
  image_records: ImageRecord[]
  promotion: PromotionRow | null
  automatic: PromotionRow[]
}

/** The records that a form refers to, with the terms of its sale. */
export type EntryContext = {
  readonly terms: SaleTerms
  readonly isArchived: boolean
  readonly jobVersion: string
  readonly shippingCode: string | null
  readonly studioAddress: Partial<Address> | null
  readonly packages: ReadonlyMap<number, Package>
  readonly subjects: ReadonlyMap<number, EntrySubjectRecord>
  readonly images: ReadonlyMap<number, ImageRecord>
  readonly promotion: CheckoutPromotion | null
  readonly automaticPromotions: readonly CheckoutPromotion[]
}

const byId = <Item extends { id: number }>(items: readonly Item[]): Map<number, Item> =>
  new Map(items.map((item) => [item.id, item]))

/** Reads the context of a form in one statement; undefined if the studio has no such job. */
export const readEntryContext = async (
  db: Db,
  { studioId, jobId }: JobKey,
  { draft, entryKey, now }: { draft: EntryDraft; entryKey: string; now: Date },
): Promise<EntryContext | undefined> => {
  const { orderMethod, lines, services, shippingOption, promoCode, customer } = draft
  const packageIds = lines.map((line) => line.packageId)
  const subjectIds = [...lines, ...services].map(({ subjectId }) => subjectId)
  const imageIds = [
    ...[...lines, ...services].map(({ imageId }) => imageId),
    ...lines.map(({ groupImageId }) => groupImageId ?? null),
  ].filter((id) => id !== null)
  const checkout = sql`select ${entryKey}::uuid as id,
    json_build_object('customer', json_build_object('email', nullif(${customer.email.trim()}::text, '')))::jsonb as details`
  const withCode = promotionsWithCode(normalisePromotionCode(promoCode))
  const { rows } = await sql<Row>`
    select ${saleTermsColumns({ orderMethod, packageIds, now })}, j.version_major || '.' || j.version_minor as job_version,
           s.address as studio_address,
           case when ${shippingOption === null}
                then (select o.code from shipping_options o where o.ships_to = 'studio' and o.archived_at is null order by o.position, o.id limit 1)
                else (select o.code from shipping_options o where o.code = ${shippingOption}) end as shipping_code,
           (select coalesce(json_agg(v.content || jsonb_build_object('id', p.id, 'version', v.version)), '[]')
              from packages p
              join package_versions v on v.studio_id = p.studio_id and v.package_id = p.id and v.version = p.current_version
             where p.studio_id = j.studio_id and p.package_set_id = j.package_set_id and p.archived_at is null
               and p.id in ${idsIn(packageIds)}) as packages,
           (select coalesce(json_agg(json_build_object('id', u.id, 'personId', null, 'firstName', u.first_name, 'lastName', u.last_name,
                     'grantId', null, 'imageId', null, 'hash', null,
                     'groupIds', (select coalesce(json_agg(m.group_id), '[]') from subject_groups m
                                   where m.studio_id = u.studio_id and m.subject_id = u.id),
                     'fields', (select coalesce(json_agg(json_build_object('name', f.name, 'value', f.value) order by f.id), '[]')
                                  from subject_fields f where f.studio_id = u.studio_id and f.subject_id = u.id))), '[]')
              from subjects u where u.studio_id = j.studio_id and u.job_id = j.id and u.state = 'listed'
               and u.id in ${idsIn(subjectIds)}) as people,
           (select coalesce(json_agg(json_build_object('id', i.id, 'kind', i.kind, 'subjectId', i.subject_id, 'groupId', i.group_id,
                     'width', i.width, 'height', i.height, 'hash', i.thumb_hash, 'hasAlpha', i.has_alpha)), '[]')
              from image_lookups i where i.studio_id = j.studio_id and i.job_id = j.id and i.state = 'ready'
               and ${isCurrent} and i.id in ${idsIn(imageIds)}) as image_records,
           (select ${promotionJson} from ${withCode.from}
              left join lateral (${checkout}) k on true
             where q.studio_id = j.studio_id and ${withCode.condition} and (q.job_id is null or q.job_id = j.id)
               and q.is_enabled and ${hasFeature('promotions')}
             order by q.job_id nulls last limit 1) as promotion,
           ${automaticPromotionsJson(now, checkout)} as automatic
      from jobs j join studios s on s.id = j.studio_id
     where j.studio_id = ${studioId} and j.id = ${jobId}`.execute(db)
  const [row] = rows
  if (!row) return undefined
  return {
    terms: saleTermsOf(row, { studioId, orderMethod, now }),
    isArchived: row.archived,
    jobVersion: row.job_version,
    shippingCode: row.shipping_code,
    studioAddress: row.studio_address,
    packages: byId(row.packages),
    subjects: byId(row.people),
    images: byId(row.image_records),
    promotion: row.promotion && promotionOf(row.promotion),
    automaticPromotions: row.automatic.map(promotionOf),
  }
}
