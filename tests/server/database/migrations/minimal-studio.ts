import type { Package } from '#domain/catalogue/catalogue.ts'
import type { Db, Transaction } from '#server/database/database.ts'

const content: Package = {
  id: 1,
  version: 1,
  name: 'Basic',
  retailCost: 20,
  altName: null,
  altDescription: null,
  items: [],
  packageAddon: { type: 'standard', requiredMinPrice: null, requiresStandard: false, packageId: null },
}

const insertPackage = async (tx: Transaction, studioId: number): Promise<number> => {
  const set = await tx
    .insertInto('package_sets')
    .values({ studio_id: studioId, name: 'Spring' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const row = await tx
    .insertInto('packages')
    .values({ studio_id: studioId, package_set_id: set.id })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('package_versions')
    .values({
      studio_id: studioId,
      package_id: row.id,
      version: 1,
      name: content.name,
      retail_cost_cents: 2000,
      addon_type: 'standard',
      content: JSON.stringify(content),
    })
    .execute()
  return row.id
}

export type MinimalStudio = Awaited<ReturnType<typeof insertMinimalStudio>>

/** The minimum for a cart: a studio, a job, a subject, a package, a customer's session and their open cart. */
export const insertMinimalStudio = (db: Db, slug: string) =>
  db.transaction().execute(async (tx) => {
    const studio = await tx.insertInto('studios').values({ slug, name: slug }).returning('id').executeTakeFirstOrThrow()
    const studioId = studio.id
    const job = await tx
      .insertInto('jobs')
      .values({ studio_id: studioId, name: 'Spring', event_date: '2027-04-15' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const subject = await tx
      .insertInto('subjects')
      .values({
        studio_id: studioId,
        job_id: job.id,
        first_name: 'Ada',
        last_name: 'Lovelace',
        first_key: 'ada',
        last_key: 'lovelace',
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const packageId = await insertPackage(tx, studioId)
    const session = await tx
      .insertInto('customer_sessions')
      .values({ expires_at: '2028-01-01T00:00:00Z' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const cart = await tx
      .insertInto('carts')
      .values({ studio_id: studioId, session_id: session.id, job_id: job.id, order_method: 'gallery' })
      .returning('id')
      .executeTakeFirstOrThrow()
    return { studioId, jobId: job.id, subjectId: subject.id, packageId, sessionId: session.id, cartId: cart.id }
  })
