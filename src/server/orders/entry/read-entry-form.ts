import { type RawBuilder, sql } from 'kysely'
import type { EntryForm, EntryImage, EntryPackage, EntrySubject } from '#contract/studio/order-entry.ts'
import { servicesOnOffer } from '#domain/cart/order-services.ts'
import { isDigital, type OrderMethod } from '#domain/catalogue/catalogue.ts'
import type { Page, PageQuery } from '#domain/shared/paging.ts'
import { normaliseAccessCode } from '#domain/subjects/subject-draft.ts'
import { searchKey } from '#domain/subjects/subject-search.ts'
import type { JobKey } from '#server/access/authorization/authorize.ts'
import type { Deps } from '#server/deps.ts'
import { likePattern, orderBy, paginateQuery } from '#server/http/paging/paginate-query.ts'
import type { UrlSigningDeps } from '#server/http/sign-url.ts'
import { isCurrent } from '#server/images/store/image-conditions.ts'
import { staffImageUrl } from '#server/images/store/staff-image-url.ts'
import { hasFeature, servicesOfRow } from '#server/jobs/store/job-services.ts'
import { type SaleTermsRow, saleTermsColumns } from '../sale/sale-terms.ts'

type FormRow = SaleTermsRow & {
  job_name: string
  organization_type: EntryForm['organizationType']
  digital: boolean
  has_images: boolean
  packages: Omit<EntryPackage, 'number'>[]
}

/** The data of an empty entry form; undefined if the studio has no such job. */
export const readEntryForm = async (
  { db, clock }: Deps,
  { studioId, jobId }: JobKey,
): Promise<EntryForm | undefined> => {
  const orderMethod: OrderMethod = 'prepay'
  const { rows } = await sql<FormRow>`
    select ${saleTermsColumns({ orderMethod, packageIds: [], now: clock() })}, j.name as job_name, ${hasFeature('digitalDownloads')} as digital,
           coalesce((select o.type from organizations o where o.studio_id = j.studio_id and o.id = j.organization_id), 'school') as organization_type,
           exists (select from image_lookups i where i.studio_id = j.studio_id and i.job_id = j.id and i.state = 'ready'
                      and ${isCurrent} and i.kind in ('hosted-individual', 'hosted-group')) as has_images,
           (select coalesce(json_agg(json_build_object('prepay', p.offered_prepay, 'gallery', p.offered_gallery,
                     'package', v.content || jsonb_build_object('id', p.id, 'version', v.version)) order by p.position, p.id), '[]')
              from packages p
              join package_versions v on v.studio_id = p.studio_id and v.package_id = p.id and v.version = p.current_version
             where p.studio_id = j.studio_id and p.package_set_id = j.package_set_id and p.archived_at is null) as packages
      from jobs j join studios s on s.id = j.studio_id
     where j.studio_id = ${studioId} and j.id = ${jobId}`.execute(db)
  const [row] = rows
  if (!row) return undefined
  const services = servicesOfRow(row.services)
  const packages = row.packages
    .map((offer, index) => ({ number: index + 1, ...offer }))
    .filter((offer) => row.digital || !offer.package.items.some((item) => isDigital(item.productCode)))
  return {
    jobName: row.job_name,
    organizationType: row.organization_type,
    packages,
    services: { ...services, services: servicesOnOffer(services) },
    shippingOptions: row.shipping
      .filter(({ shipsTo }) => shipsTo === 'home' && row.ships_home)
      .map((option) => ({ code: option.code, name: option.label, priceCents: option.priceCents })),
    delivery: { batch: row.ships_batch, home: row.ships_home },
    takesCodes: row.takes_codes,
    hasImages: row.has_images,
  }
}

const imagesWhere = (condition: RawBuilder<boolean>): RawBuilder<unknown> => sql`
  select i.id, i.file_name, i.width, i.height, i.thumb_hash, i.preview_hash, i.kind, i.taken_at, i.position from image_lookups i
   where i.studio_id = u.studio_id and i.job_id = u.job_id and i.state = 'ready' and ${isCurrent} and ${condition}`

const subjectImages = sql`(
  select coalesce(json_agg(json_build_object('imageId', x.id, 'number', x.number, 'fileName', x.file_name, 'isGroup', x.is_group,
           'width', x.width, 'height', x.height, 'thumbHash', x.thumb_hash, 'previewHash', x.preview_hash)
           order by x.number), '[]')
    from (select p.id, p.file_name, p.width, p.height, p.thumb_hash, p.preview_hash, p.kind = 'hosted-group' as is_group,
                 row_number() over (order by p.kind desc, p.taken_at nulls last, p.position, p.id) as number
            from (${imagesWhere(sql`i.kind = 'hosted-individual' and i.subject_id = u.id`)}
                  union all
                  ${imagesWhere(sql`i.kind = 'hosted-group' and i.group_id in (select m.group_id from subject_groups m
                                   where m.studio_id = u.studio_id and m.subject_id = u.id)`)}) p) x)`

const columns = sql`
  u.id as "subjectId", u.first_name as "firstName", u.last_name as "lastName", u.reference,
  (select a.code from access_codes a where a.studio_id = u.studio_id and a.subject_id = u.id order by a.created_at limit 1) as code,
  (select coalesce(json_agg(g.name order by g.position, lower(g.name)), '[]') from subject_groups m
     join groups g on g.studio_id = m.studio_id and g.id = m.group_id
    where m.studio_id = u.studio_id and m.subject_id = u.id) as groups,
  (select coalesce(json_agg(json_build_object('name', f.name, 'value', f.value) order by f.id), '[]') from subject_fields f
    where f.studio_id = u.studio_id and f.subject_id = u.id) as fields,
  ${subjectImages} as images`

const matchesFilter = (filter: string): RawBuilder<boolean> => {
  const key = searchKey(filter)
  const matchesName =
    key === ''
      ? sql`false`
      : sql`(u.first_key || u.last_key like ${likePattern(key)} or u.last_key || u.first_key like ${likePattern(key)})`
  const hasCode = sql`exists (select from access_codes a where a.studio_id = u.studio_id and a.subject_id = u.id and a.code = ${normaliseAccessCode(filter)})`
  return sql`(${matchesName} or u.reference ilike ${likePattern(filter.trim())} or ${hasCode})`
}

type Row = Omit<EntrySubject, 'images'> & {
  images: (EntryImage & { thumbHash: string | null; previewHash: string | null })[]
}

const createSubjectMapper =
  (deps: UrlSigningDeps, studioId: number) =>
  ({ images, ...subject }: Row): EntrySubject => ({
    ...subject,
    images: images.map(({ thumbHash, previewHash, ...image }) => {
      const urlOf = (variant: 'thumb' | 'preview', hash: string) =>
        staffImageUrl(deps, { studioId, imageId: image.imageId, variant, hash })
      return {
        ...image,
        ...(thumbHash && { thumbnailUrl: urlOf('thumb', thumbHash) }),
        ...(previewHash && { previewUrl: urlOf('preview', previewHash) }),
      }
    }),
  })

/** The subjects that staff may enter an order for: all listed subjects of the job, filtered by name, code or reference. */
export const listEntrySubjects = async (
  deps: Deps & UrlSigningDeps,
  { studioId, jobId }: JobKey,
  query: PageQuery & { sort?: string | undefined },
): Promise<EntrySubject[] | Page<EntrySubject>> => {
  const { filter = '' } = query
  const search = filter.trim() === '' ? sql`true` : matchesFilter(filter)
  const from = sql`from subjects u
    where u.studio_id = ${studioId} and u.job_id = ${jobId} and u.state = 'listed' and ${search}`
  const sorts = { name: sql`u.last_key`, firstName: sql`u.first_key` }
  const order = orderBy(sorts, query.sort, sql`u.last_key, u.first_key, u.id`)
  const page = await paginateQuery<Row>(deps.db, { columns, from, order }, query)
  const toSubject = createSubjectMapper(deps, studioId)
  return Array.isArray(page) ? page.map(toSubject) : { ...page, resultItems: page.resultItems.map(toSubject) }
}
