import { sql } from 'kysely'
import { type ClosedReason, closedReason } from '../../domain/availability.ts'
import type { Cart } from '../../domain/cart.ts'
import { isDigital, type Package } from '../../domain/catalogue.ts'
import type { Mutation } from '../../domain/mutation.ts'
import { type OpeningRow, openingColumns, openingOf } from '../admission/opening.ts'
import {
  idsIn,
  type PersonFact,
  type PictureFact,
  peopleFacts,
  pictureFacts,
} from '../cart-store/people-and-pictures.ts'
import type { CartOf } from '../cart-store/read-cart.ts'
import type { Db, Transaction } from '../database/database.ts'

/** What is true on the server of everything some mutations speak of. */
export type Facts = {
  readonly closed: ClosedReason | null
  /** The package of an id in one version; in its current one where there is no such version; undefined when it is not on offer. */
  readonly package: (id: number, version: number) => Package | undefined
  readonly person: (owner: { subjectId: number | null; personId: string | null }) => PersonFact | undefined
  readonly picture: (id: number) => PictureFact | undefined
  readonly hasScreen: (id: number) => boolean
}

type FactsRow = OpeningRow & {
  digital: boolean
  packages: { isCurrent: boolean; content: Package }[]
  people: PersonFact[]
  pictures: PictureFact[]
  screens: number[]
}

const picturesOf = (mutation: Mutation): number[] =>
  'imageNodes' in mutation
    ? mutation.imageNodes
        .flatMap((node) => [node.subjectImageId, node.groupImageId, node.replacementImageId])
        .filter((id) => id !== null)
    : []

const named = (mutations: readonly Mutation[], cart: Cart) => {
  const adds = mutations.filter((one) => one.do === 'line.add')
  return {
    packages: [...adds.map((one) => one.packageId), ...cart.cartPackages.map((line) => line.packageId)],
    versions: mutations.flatMap((one) => ('packageVersion' in one ? one.packageVersion : [])),
    subjects: [...adds.map((one) => one.subjectId ?? 0), ...cart.cartPackages.map((line) => line.subjectId ?? 0)],
    persons: adds.flatMap((one) => one.personId ?? []),
    pictures: mutations.flatMap(picturesOf),
    screens: mutations.flatMap((one) => ('greenScreenBackgroundId' in one ? (one.greenScreenBackgroundId ?? []) : [])),
  }
}

/** Everything the server holds against a batch of mutations, in one statement for the whole batch. */
export const readFacts = async (
  db: Db | Transaction,
  whose: CartOf,
  { mutations, cart, now }: { mutations: readonly Mutation[]; cart: Cart; now: Date },
): Promise<Facts> => {
  const { job, session, orderMethod } = whose
  const wanted = named(mutations, cart)
  const people = sql`
    select w.id from ${idsIn(wanted.subjects)} as w (id)
    union select q.id from subjects q
     where q.studio_id = ${job.studioId} and q.job_id = ${job.jobId} and q.person_session_id = ${session.id}
       and q.person_id in (select value::uuid from jsonb_array_elements_text(${JSON.stringify(wanted.persons)}::jsonb))`
  const { rows } = await sql<FactsRow>`
    select ${openingColumns(now)},
           exists (select from studio_features a join features f on f.id = a.feature_id
                    where a.studio_id = j.studio_id and f.identifier = 'digitalDownloads') as digital,
           (select coalesce(json_agg(json_build_object('isCurrent', v.version = p.current_version,
                     'content', v.content || jsonb_build_object('id', p.id, 'version', v.version))), '[]')
              from packages p join package_versions v on v.studio_id = p.studio_id and v.package_id = p.id
             where p.studio_id = j.studio_id and p.package_set_id = j.package_set_id and p.archived_at is null
               and p.id in ${idsIn(wanted.packages)}
               and (v.version = p.current_version or v.version in ${idsIn(wanted.versions)})
               and case ${orderMethod}::text when 'prepay' then p.offered_prepay else p.offered_gallery end) as packages,
           ${peopleFacts(whose, now, people)} as people,
           ${pictureFacts(now, sql`select * from ${idsIn(wanted.pictures)} as w`)} as pictures,
           (select coalesce(json_agg(g.id), '[]') from green_screens g
             where g.studio_id = j.studio_id and g.job_id = j.id and g.is_enabled and g.id in ${idsIn(wanted.screens)}) as screens
      from jobs j join studios s on s.id = j.studio_id
     where j.studio_id = ${job.studioId} and j.id = ${job.jobId}`.execute(db)
  const [row] = rows
  if (!row) throw new Error(`job ${job.jobId} was let in and is not there`)
  return factsOf(row, { orderMethod, now })
}

const factsOf = (row: FactsRow, { orderMethod, now }: { orderMethod: CartOf['orderMethod']; now: Date }): Facts => {
  const sold = row.packages.filter(
    ({ content }) => row.digital || !content.items.some((one) => isDigital(one.productCode)),
  )
  const screens = new Set(row.screens)
  const pictures = new Map(row.pictures.map((one) => [one.id, one]))
  return {
    closed: closedReason(openingOf(row, now), orderMethod),
    package: (id, version) => {
      const versions = sold.filter(({ content }) => content.id === id)
      return (versions.find(({ content }) => content.version === version) ?? versions.find((one) => one.isCurrent))
        ?.content
    },
    person: ({ subjectId, personId }) =>
      row.people.find((one) => (subjectId === null ? one.personId === personId : one.id === subjectId)),
    picture: (id) => pictures.get(id),
    hasScreen: (id) => screens.has(id),
  }
}
