import { sql } from 'kysely'
import type { Cart, CartPackage } from '#domain/cart/cart.ts'
import type { Mutation } from '#domain/cart/mutation.ts'
import type { AutofillSubject } from '#domain/catalogue/autofill.ts'
import { isDigital, type Package } from '#domain/catalogue/catalogue.ts'
import { closedReason } from '#domain/catalogue/job-availability.ts'
import type { CustomField } from '#domain/subjects/custom-fields.ts'
import { mayChoosePose } from '#domain/subjects/year-book-pose.ts'
import { visibleSubjectFields } from '#server/access/grants/grants.ts'
import type { Db, Transaction } from '#server/database/database.ts'
import { isCurrent } from '#server/images/store/image-conditions.ts'
import {
  hasFeature,
  type JobServicesRow,
  jobFields,
  jobServices,
  servicesOfRow,
} from '#server/jobs/store/job-services.ts'
import {
  type OrderAvailabilityRow,
  orderAvailabilityColumns,
  orderAvailabilityOf,
} from '#server/jobs/store/order-availability.ts'
import { type CartRef, type NewCartDetails, newCartDetails } from '../store/read-cart.ts'
import {
  type ImageRecord,
  idsIn,
  imageRecords,
  type SubjectRecord,
  subjectRecords,
} from '../store/subject-and-image-queries.ts'
import type { MutationContext } from './mutation-context.ts'
import { imagesNamedBy, subjectsNamedBy } from './mutation-handlers.ts'

type MutationContextRow = OrderAvailabilityRow & {
  digital: boolean
  packages: { isCurrent: boolean; content: Package }[]
  subjects: SubjectRecord[]
  subjects_with_fields: Pick<AutofillSubject & SubjectRecord, 'id' | 'fields'>[]
  fixed_texts: { packageId: number; nodeId: number; value: string }[]
  image_records: ImageRecord[]
  green_screens: number[]
  services: JobServicesRow
  fields: CustomField[]
  prepay_imported_data: boolean
  typed_subjects: number
  pose: { enabled: boolean; expired: boolean; counts: { subjectId: number; images: number }[] }
  new_cart: NewCartDetails | null
}

const isCustomised = ({ lineId }: CartPackage, mutations: readonly Mutation[]): boolean =>
  mutations.some((mutation) => mutation.do === 'line.customise' && mutation.lineId === lineId)

/** The ids of everything that the mutations and the cart refer to. */
const collectRefs = (mutations: readonly Mutation[], cart: Cart) => {
  const additions = mutations.filter((mutation) => mutation.do === 'line.add')
  const owners = mutations.flatMap(subjectsNamedBy)
  return {
    packages: [...additions.map(({ packageId }) => packageId), ...cart.cartPackages.map(({ packageId }) => packageId)],
    changedPackages: [...additions, ...cart.cartPackages.filter((line) => isCustomised(line, mutations))].map(
      ({ packageId }) => packageId,
    ),
    versions: mutations.flatMap((mutation) => ('packageVersion' in mutation ? mutation.packageVersion : [])),
    subjects: [
      ...owners.map(({ subjectId }) => subjectId ?? 0),
      ...cart.cartPackages.map(({ subjectId }) => subjectId ?? 0),
    ],
    personIds: owners.flatMap(({ personId }) => personId ?? []),
    poseSubjects: mutations.flatMap((mutation) => (mutation.do === 'pose.set' ? mutation.subjectId : [])),
    images: mutations.flatMap(imagesNamedBy),
    greenScreens: mutations.flatMap((mutation) =>
      'greenScreenBackgroundId' in mutation ? (mutation.greenScreenBackgroundId ?? []) : [],
    ),
  }
}

/** Reads the context for a whole batch of mutations in one statement. */
export const readMutationContext = async (
  db: Db | Transaction,
  cartRef: CartRef,
  { mutations, cart, now }: { mutations: readonly Mutation[]; cart: Cart; now: Date },
): Promise<MutationContext> => {
  const { job, session, orderMethod } = cartRef
  const refs = collectRefs(mutations, cart)
  const subjectIdsQuery = sql`
    select w.id from ${idsIn(refs.subjects)} as w (id)
    union select q.id from subjects q
     where q.studio_id = ${job.studioId} and q.job_id = ${job.jobId} and q.person_session_id = ${session.id}
       and q.person_id in (select value::uuid from jsonb_array_elements_text(${JSON.stringify(refs.personIds)}::jsonb))`
  const { rows } = await sql<MutationContextRow>`
    select ${orderAvailabilityColumns(now)},
           ${hasFeature('digitalDownloads')} as digital,
           (select coalesce(json_agg(json_build_object('isCurrent', v.version = p.current_version,
                     'content', v.content || jsonb_build_object('id', p.id, 'version', v.version))), '[]')
              from packages p join package_versions v on v.studio_id = p.studio_id and v.package_id = p.id
             where p.studio_id = j.studio_id and p.package_set_id = j.package_set_id and p.archived_at is null
               and p.id in ${idsIn(refs.packages)}
               and (v.version = p.current_version or v.version in ${idsIn(refs.versions)})
               and case ${orderMethod}::text when 'prepay' then p.offered_prepay else p.offered_gallery end) as packages,
           (select coalesce(jsonb_agg(distinct jsonb_build_object('packageId', v.package_id, 'nodeId', n -> 'id', 'value', n -> 'value')), '[]')
              from package_versions v cross join jsonb_path_query(v.content, '$.items[*].textNodes[*] ? (@.editable == false)') as n
             where v.studio_id = j.studio_id and v.package_id in ${idsIn(refs.changedPackages)}) as fixed_texts,
           ${subjectRecords(cartRef, now, subjectIdsQuery)} as subjects,
           (select coalesce(json_agg(json_build_object('id', u.id, 'fields', ${visibleSubjectFields(cartRef)})), '[]')
              from subjects u where u.studio_id = j.studio_id and u.job_id = j.id and u.id in (${subjectIdsQuery})) as subjects_with_fields,
           ${imageRecords(now, sql`select * from ${idsIn(refs.images)} as w`)} as image_records,
           (select coalesce(json_agg(g.id), '[]') from green_screens g
             where g.studio_id = j.studio_id and g.job_id = j.id and g.is_enabled and g.id in ${idsIn(refs.greenScreens)}
               and ${hasFeature('greenscreens')}) as green_screens,
           ${jobServices} as services, ${jobFields} as fields, j.prepay_imported_data,
           (select count(*) from subjects u where u.studio_id = j.studio_id and u.job_id = j.id and u.state = 'pending'
               and u.person_session_id = ${session.id}) as typed_subjects,
           json_build_object('enabled', j.enable_year_book_pose_selection and ${hasFeature('yearbookPose')},
             'expired', coalesce(j.year_book_pose_expires_at <= ${now}::timestamptz, false),
             'counts', (select coalesce(json_agg(json_build_object('subjectId', x.subject_id, 'images', x.images)), '[]') from (
                select i.subject_id, count(*) as images from image_lookups i
                 where i.studio_id = j.studio_id and i.subject_id in ${idsIn(refs.poseSubjects)} and i.kind = 'hosted-individual'
                   and ${isCurrent} and i.state = 'ready' and i.published_at <= ${now}::timestamptz
                 group by i.subject_id) x)) as pose,
           ${cart.id === null ? newCartDetails(cartRef, now, subjectIdsQuery) : sql`null::json`} as new_cart
      from jobs j join studios s on s.id = j.studio_id
     where j.studio_id = ${job.studioId} and j.id = ${job.jobId}`.execute(db)
  const [row] = rows
  if (!row) throw new Error(`job ${job.jobId} was authorized, but no longer exists`)
  return toContext(row, { orderMethod, now })
}

const toContext = (
  row: MutationContextRow,
  { orderMethod, now }: { orderMethod: CartRef['orderMethod']; now: Date },
): MutationContext => {
  const soldPackages = row.packages.filter(
    ({ content }) => row.digital || !content.items.some((item) => isDigital(item.productCode)),
  )
  const greenScreenIds = new Set(row.green_screens)
  const fixedTexts = new Set(
    row.fixed_texts.map(({ packageId, nodeId, value }) => JSON.stringify([packageId, nodeId, value])),
  )
  const imageById = new Map(row.image_records.map((image) => [image.id, image]))
  return {
    closed: closedReason(orderAvailabilityOf(row, now), orderMethod),
    package: (id, version) => {
      const versions = soldPackages.filter(({ content }) => content.id === id)
      return (
        versions.find(({ content }) => content.version === version) ?? versions.find((candidate) => candidate.isCurrent)
      )?.content
    },
    isFixedText: (...text) => fixedTexts.has(JSON.stringify(text)),
    subject: ({ subjectId, personId }) =>
      row.subjects.find((subject) => (subjectId === null ? subject.personId === personId : subject.id === subjectId)),
    autofillSubject: ({ id, firstName, lastName }) => {
      const fields = row.subjects_with_fields.find((subject) => subject.id === id)?.fields ?? []
      return { firstName, lastName, fields }
    },
    image: (id) => imageById.get(id),
    hasGreenScreen: (id) => greenScreenIds.has(id),
    services: servicesOfRow(row.services),
    fields: orderMethod === 'prepay' ? row.fields : [],
    subjectsAreListed: orderMethod === 'gallery' || row.prepay_imported_data,
    typedSubjects: row.typed_subjects,
    mayChoosePose: (subjectId) => {
      const imageCount = row.pose.counts.find((count) => count.subjectId === subjectId)?.images ?? 0
      return mayChoosePose({ enabled: row.pose.enabled, expired: row.pose.expired, imageCount })
    },
    newCart: row.new_cart,
  }
}
