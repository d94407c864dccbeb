import { sql } from 'kysely'
import type { Cart, CartPackage } from '#domain/cart/cart.ts'
import type { LineContent, Mutation, SubjectKey } from '#domain/cart/mutation.ts'
import { dispatchByKind, type MutationTable } from '#domain/cart/mutation-kinds.ts'
import type { JobServices } from '#domain/cart/order-service-types.ts'
import type { AutofillSubject } from '#domain/catalogue/autofill.ts'
import { isDigital, type Package } from '#domain/catalogue/catalogue.ts'
import { type ClosedReason, closedReason } from '#domain/catalogue/job-availability.ts'
import type { CustomField } from '#domain/subjects/custom-fields.ts'
import { mayChoosePose } from '#domain/subjects/year-book-pose.ts'
import { visibleSubjectFields } from '#server/access/grants/subject-fields.ts'
import type { Db, Transaction } from '#server/database/database.ts'
import { isCurrent } from '#server/images/store/current-images.ts'
import { jobFields } from '#server/jobs/store/job-fields.ts'
import { type JobServicesRow, jobServices, servicesOfRow } from '#server/jobs/store/job-services.ts'
import {
  type OrderAvailabilityRow,
  orderAvailabilityColumns,
  orderAvailabilityOf,
} from '#server/jobs/store/order-availability.ts'
import { hasFeature } from '#server/jobs/store/studio-feature.ts'
import type { CartRef } from '../store/read-cart.ts'
import {
  type ImageRecord,
  idsIn,
  imageRecords,
  type SubjectRecord,
  subjectRecords,
} from '../store/subject-and-image-queries.ts'

/** The server's data about everything that a batch of mutations refers to. */
export type MutationContext = {
  readonly closed: ClosedReason | null
  /** A package in one version, or in its current one where that version does not exist; undefined when it is not on offer. */
  readonly package: (id: number, version: number) => Package | undefined
  /** Whether a fixed text has, or had, this value in some version of its package. */
  readonly isFixedText: (packageId: number, nodeId: number, value: string) => boolean
  readonly subject: (owner: { subjectId: number | null; personId: string | null }) => SubjectRecord | undefined
  /** The fields from which texts of a subject of this job may be autofilled: only those this session may read. */
  readonly known: (person: SubjectRecord) => AutofillSubject
  readonly image: (id: number) => ImageRecord | undefined
  readonly hasGreenScreen: (id: number) => boolean
  readonly services: JobServices
  /** What the job asks about a subject before the picture day; empty in a gallery. */
  readonly fields: readonly CustomField[]
  /** Whether the job's subjects come from the studio alone, so that customers cannot add any (for prepay, as its prepay settings say). */
  readonly subjectsAreListed: boolean
  /** How many subjects this session typed in here, without those of these mutations. */
  readonly typedSubjects: number
  readonly mayChoosePose: (subjectId: number) => boolean
}

type MutationContextRow = OrderAvailabilityRow & {
  digital: boolean
  packages: { isCurrent: boolean; content: Package }[]
  people: SubjectRecord[]
  known: Pick<AutofillSubject & SubjectRecord, 'id' | 'fields'>[]
  fixed_texts: { packageId: number; nodeId: number; value: string }[]
  pictures: ImageRecord[]
  screens: number[]
  services: JobServicesRow
  fields: CustomField[]
  prepay_imported_data: boolean
  typed_people: number
  pose: { enabled: boolean; expired: boolean; counts: { subjectId: number; images: number }[] }
}

const noIds = (): number[] => []

const ofNodes = ({ imageNodes }: LineContent): number[] =>
  imageNodes
    .flatMap((node) => [node.subjectImageId, node.groupImageId, node.replacementImageId])
    .filter((id) => id !== null)

/** The images that a mutation of each kind names. */
const picturesOf: MutationTable<Mutation, [], number[]> = {
  'line.add': ofNodes,
  'line.customise': ofNodes,
  'line.quantity': noIds,
  'line.remove': noIds,
  'line.accept': noIds,
  'cart.clear': noIds,
  'service.set': ({ imageLookupId }) => (imageLookupId === null ? [] : [imageLookupId]),
  'service.remove': noIds,
  'person.set': noIds,
  'pose.set': ({ imageId }) => [imageId],
}

const noOwner = (): SubjectKey[] => []
const ownerIn = ({ subjectId, personId }: SubjectKey): SubjectKey[] => [{ subjectId, personId }]

/** The owner that a mutation of each kind names, in addition to that of the line it changes. */
const ownersOf: MutationTable<Mutation, [], SubjectKey[]> = {
  'line.add': ownerIn,
  'line.customise': noOwner,
  'line.quantity': noOwner,
  'line.remove': noOwner,
  'line.accept': noOwner,
  'cart.clear': noOwner,
  'service.set': ownerIn,
  'service.remove': ownerIn,
  'person.set': ({ personId }) => [{ subjectId: null, personId }],
  'pose.set': ({ subjectId }) => [{ subjectId, personId: null }],
}

const isRewritten = ({ lineId }: CartPackage, mutations: readonly Mutation[]): boolean =>
  mutations.some((one) => one.do === 'line.customise' && one.lineId === lineId)

const named = (mutations: readonly Mutation[], cart: Cart) => {
  const adds = mutations.filter((one) => one.do === 'line.add')
  const owners = mutations.flatMap((one) => dispatchByKind(ownersOf, one))
  return {
    packages: [...adds.map((one) => one.packageId), ...cart.cartPackages.map((line) => line.packageId)],
    written: [...adds, ...cart.cartPackages.filter((line) => isRewritten(line, mutations))].map((one) => one.packageId),
    versions: mutations.flatMap((one) => ('packageVersion' in one ? one.packageVersion : [])),
    subjects: [...owners.map((one) => one.subjectId ?? 0), ...cart.cartPackages.map((line) => line.subjectId ?? 0)],
    persons: owners.flatMap((one) => one.personId ?? []),
    posing: mutations.flatMap((one) => (one.do === 'pose.set' ? one.subjectId : [])),
    pictures: mutations.flatMap((one) => dispatchByKind(picturesOf, one)),
    screens: mutations.flatMap((one) => ('greenScreenBackgroundId' in one ? (one.greenScreenBackgroundId ?? []) : [])),
  }
}

/** Reads the context for a whole batch of mutations in one statement. */
export const readMutationContext = async (
  db: Db | Transaction,
  whose: CartRef,
  { mutations, cart, now }: { mutations: readonly Mutation[]; cart: Cart; now: Date },
): Promise<MutationContext> => {
  const { job, session, orderMethod } = whose
  const wanted = named(mutations, cart)
  const people = sql`
    select w.id from ${idsIn(wanted.subjects)} as w (id)
    union select q.id from subjects q
     where q.studio_id = ${job.studioId} and q.job_id = ${job.jobId} and q.person_session_id = ${session.id}
       and q.person_id in (select value::uuid from jsonb_array_elements_text(${JSON.stringify(wanted.persons)}::jsonb))`
  const { rows } = await sql<MutationContextRow>`
    select ${orderAvailabilityColumns(now)},
           ${hasFeature('digitalDownloads')} as digital,
           (select coalesce(json_agg(json_build_object('isCurrent', v.version = p.current_version,
                     'content', v.content || jsonb_build_object('id', p.id, 'version', v.version))), '[]')
              from packages p join package_versions v on v.studio_id = p.studio_id and v.package_id = p.id
             where p.studio_id = j.studio_id and p.package_set_id = j.package_set_id and p.archived_at is null
               and p.id in ${idsIn(wanted.packages)}
               and (v.version = p.current_version or v.version in ${idsIn(wanted.versions)})
               and case ${orderMethod}::text when 'prepay' then p.offered_prepay else p.offered_gallery end) as packages,
           (select coalesce(jsonb_agg(distinct jsonb_build_object('packageId', v.package_id, 'nodeId', n -> 'id', 'value', n -> 'value')), '[]')
              from package_versions v cross join jsonb_path_query(v.content, '$.items[*].textNodes[*] ? (@.editable == false)') as n
             where v.studio_id = j.studio_id and v.package_id in ${idsIn(wanted.written)}) as fixed_texts,
           ${subjectRecords(whose, now, people)} as people,
           (select coalesce(json_agg(json_build_object('id', u.id, 'fields', ${visibleSubjectFields(whose)})), '[]')
              from subjects u where u.studio_id = j.studio_id and u.job_id = j.id and u.id in (${people})) as known,
           ${imageRecords(now, sql`select * from ${idsIn(wanted.pictures)} as w`)} as pictures,
           (select coalesce(json_agg(g.id), '[]') from green_screens g
             where g.studio_id = j.studio_id and g.job_id = j.id and g.is_enabled and g.id in ${idsIn(wanted.screens)}
               and ${hasFeature('greenscreens')}) as screens,
           ${jobServices} as services, ${jobFields} as fields, j.prepay_imported_data,
           (select count(*) from subjects u where u.studio_id = j.studio_id and u.job_id = j.id and u.state = 'pending'
               and u.person_session_id = ${session.id}) as typed_people,
           json_build_object('enabled', j.enable_year_book_pose_selection and ${hasFeature('yearbookPose')},
             'expired', coalesce(j.year_book_pose_expires_at <= ${now}::timestamptz, false),
             'counts', (select coalesce(json_agg(json_build_object('subjectId', x.subject_id, 'images', x.images)), '[]') from (
                select i.subject_id, count(*) as images from image_lookups i
                 where i.studio_id = j.studio_id and i.subject_id in ${idsIn(wanted.posing)} and i.kind = 'hosted-individual'
                   and ${isCurrent} and i.state = 'ready' and i.published_at <= ${now}::timestamptz
                 group by i.subject_id) x)) as pose
      from jobs j join studios s on s.id = j.studio_id
     where j.studio_id = ${job.studioId} and j.id = ${job.jobId}`.execute(db)
  const [row] = rows
  if (!row) throw new Error(`job ${job.jobId} was let in and is not there`)
  return factsOf(row, { orderMethod, now })
}

const factsOf = (
  row: MutationContextRow,
  { orderMethod, now }: { orderMethod: CartRef['orderMethod']; now: Date },
): MutationContext => {
  const sold = row.packages.filter(
    ({ content }) => row.digital || !content.items.some((one) => isDigital(one.productCode)),
  )
  const screens = new Set(row.screens)
  const fixedTexts = new Set(
    row.fixed_texts.map(({ packageId, nodeId, value }) => JSON.stringify([packageId, nodeId, value])),
  )
  const pictures = new Map(row.pictures.map((one) => [one.id, one]))
  return {
    closed: closedReason(orderAvailabilityOf(row, now), orderMethod),
    package: (id, version) => {
      const versions = sold.filter(({ content }) => content.id === id)
      return (versions.find(({ content }) => content.version === version) ?? versions.find((one) => one.isCurrent))
        ?.content
    },
    isFixedText: (...asked) => fixedTexts.has(JSON.stringify(asked)),
    subject: ({ subjectId, personId }) =>
      row.people.find((one) => (subjectId === null ? one.personId === personId : one.id === subjectId)),
    known: ({ id, firstName, lastName }) => {
      const fields = row.known.find((one) => one.id === id)?.fields ?? []
      return { firstName, lastName, fields }
    },
    image: (id) => pictures.get(id),
    hasGreenScreen: (id) => screens.has(id),
    services: servicesOfRow(row.services),
    fields: orderMethod === 'prepay' ? row.fields : [],
    subjectsAreListed: orderMethod === 'gallery' || row.prepay_imported_data,
    typedSubjects: row.typed_people,
    mayChoosePose: (subjectId) => {
      const imageCount = row.pose.counts.find((one) => one.subjectId === subjectId)?.images ?? 0
      return mayChoosePose({ enabled: row.pose.enabled, expired: row.pose.expired, imageCount })
    },
  }
}
