import { sql } from 'kysely'
import { type Mutation, mutationVersion, type ServiceKey } from '#domain/cart/mutation.ts'
import type { PersonalizationChoice } from '#domain/cart/order-service-types.ts'
import type { Deps } from '#server/deps.ts'
import { type CartFixtures, newUuid } from './cart-fixtures.ts'

const at = '2027-04-15T09:00:00.000Z'

/** Enables features of the fixtures' studio by their identifiers. */
export const addFeatures = async (
  { db }: Deps,
  { studioId }: CartFixtures,
  identifiers: readonly string[],
): Promise<void> => {
  for (const identifier of identifiers) {
    const { id } = await db
      .insertInto('features')
      .values({ identifier, name: identifier })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db.insertInto('studio_features').values({ studio_id: studioId, feature_id: id }).execute()
  }
}

export const removeFeatures = async ({ db }: Deps): Promise<void> => {
  await db.deleteFrom('studio_features').execute()
}

/** Creates the platform's services and their settings in the job, with every flag set. */
export const seedOrderServices = async (deps: Deps, fixtures: CartFixtures) => {
  const { db } = deps
  await addFeatures(deps, fixtures, ['orderServices', 'yearbookPose', 'greenscreens'])
  await db
    .updateTable('jobs')
    .set({ allow_retouch: true, allow_name_on_all_prints: true, allow_name_on_wallets: true })
    .where('id', '=', fixtures.jobId)
    .execute()
  const services = await db
    .insertInto('order_services')
    .values([
      { kind: 'retouch', name: 'Basic', level: 'basic', price_cents: 700, position: 1 },
      { kind: 'retouch', name: 'Premium', level: 'premium', price_cents: 1400, position: 2 },
      { kind: 'personalization', name: 'Name and year', price_cents: 900, position: 3 },
      { kind: 'service', name: 'Gift box', price_cents: 300, position: 4 },
    ])
    .returning('id')
    .execute()
  const [basic = 0, premium = 0, personal = 0, box = 0] = services.map(({ id }) => id)
  const setServicePrice = (orderServiceId: number, cents: number) =>
    sql`insert into job_order_services (studio_id, job_id, order_service_id, price_cents)
        values (${fixtures.studioId}, ${fixtures.jobId}, ${orderServiceId}, ${cents})
        on conflict (studio_id, job_id, order_service_id) do update set price_cents = excluded.price_cents`.execute(db)
  await setServicePrice(basic, 800)
  await setServicePrice(premium, 1500)
  await setServicePrice(box, 325)
  return { basic, premium, personal, box, setServicePrice }
}

export const setService = (
  orderServiceId: number,
  subjectId: number,
  overrides: Partial<ServiceKey & { personalization: PersonalizationChoice; price: number | null }> = {},
): Mutation => ({
  id: newUuid(),
  v: mutationVersion,
  at,
  do: 'service.set',
  orderServiceId,
  subjectId,
  personId: null,
  imageLookupId: null,
  personalization: null,
  price: null,
  ...overrides,
})

export const removeService = (
  orderServiceId: number,
  subjectId: number,
  overrides: Partial<ServiceKey> = {},
): Mutation => ({
  id: newUuid(),
  v: mutationVersion,
  at,
  do: 'service.remove',
  orderServiceId,
  subjectId,
  personId: null,
  imageLookupId: null,
  ...overrides,
})

export const setTypedSubject = (
  personId: string,
  firstName: string,
  overrides: Partial<Mutation & { do: 'person.set' }> = {},
) => ({
  id: newUuid(),
  v: mutationVersion,
  at,
  do: 'person.set' as const,
  personId,
  firstName,
  lastName: 'Ek',
  dataFields: [],
  ...overrides,
})

export const choosePose = (subjectId: number, imageId: number): Mutation => ({
  id: newUuid(),
  v: mutationVersion,
  at,
  do: 'pose.set',
  subjectId,
  imageId,
})
