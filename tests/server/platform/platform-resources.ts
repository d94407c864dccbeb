import { sql } from 'kysely'
import type { Deps } from '#server/deps.ts'
import { given } from '#support/server/given.ts'
import { createCartFixtures, onePrint } from '../carts/cart-fixtures.ts'
import { addOrder } from '../discovery/job-fixtures.ts'

/** A kind of record with the generic calls (section 7), for the table test over all of them. */
export type TestedResource = {
  /** The path below `/api/admin`. */
  name: string
  draft: Record<string, unknown>
  /** A change that makes a different record. */
  change: Record<string, unknown>
  /** A change that is refused, and the field that says why. */
  invalid: readonly [change: Record<string, unknown>, field: string]
  /** The message for a second record with the values of the first, if there may be only one. */
  duplicate?: string
  /** Makes something refer to a record. */
  use?: (deps: Deps, id: number) => Promise<void>
  /** What the deletion of a record in use answers; by default it is archived. */
  whileUsed?: { status: 409; message: string }
  /** A filter of the list by kind, if there are kinds. */
  type?: string
}

/** A job of a studio that uses a record. */
const addJob = async (deps: Deps) => await given(deps).job(await given(deps).studio({ slug: 'user' }))

export const testedResources: readonly TestedResource[] = [
  {
    name: 'workflows',
    draft: { name: 'Sports', steps: [{ name: 'Print', dueDays: 7 }] },
    change: { name: 'Teams' },
    invalid: [{ name: ' ' }, 'name'],
    use: async (deps, workflow_id) => {
      const { studioId, jobId } = await addJob(deps)
      const workflow = { studio_id: studioId, job_id: jobId, workflow_id, name: 'Sports', steps: '[]' }
      await deps.db.insertInto('job_workflows').values(workflow).execute()
    },
    type: 'current',
  },
  {
    name: 'taxes',
    draft: { region: 'IL', postalPrefix: '', taxClass: 'standard', rateMillionths: 62_500, validFrom: '2027-01-01' },
    change: { postalPrefix: '606' },
    invalid: [{ region: 'ZZ' }, 'region'],
    duplicate: 'There is already a rate for this place from this day on',
    type: 'standard',
  },
  {
    name: 'shipping-options',
    draft: {
      ...{ code: 'courier', label: 'Courier', description: 'By bike', shipsTo: 'home' },
      ...{ priceCents: 1995, eachMoreCents: 100, position: 4 },
    },
    change: { code: 'van', label: 'Van' },
    invalid: [{ code: 'By bike' }, 'code'],
    duplicate: 'Another shipping option has this code',
    use: async (deps, id) => {
      const orderId = await addOrder(deps, await addJob(deps))
      const { code } = await deps.db
        .selectFrom('shipping_options')
        .select('code')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      await deps.db.updateTable('orders').set({ shipping_option_code: code }).where('id', '=', orderId).execute()
    },
    type: 'current',
  },
  {
    name: 'order-services',
    draft: { kind: 'retouch', name: 'Soft', description: 'Light', level: 'basic', priceCents: 800, position: 4 },
    change: { name: 'Strong', level: 'premium' },
    invalid: [{ level: null }, 'level'],
    duplicate: 'Another service has this name',
    use: async (deps, order_service_id) => {
      const { studioId, jobId } = await addJob(deps)
      const offer = { studio_id: studioId, job_id: jobId, order_service_id, price_cents: 900 }
      await deps.db.insertInto('job_order_services').values(offer).execute()
    },
    type: 'retouch',
  },
  {
    name: 'products',
    draft: {
      ...{ code: '11x14', name: '11×14 print', description: '', isDigital: false, widthInches: 11, heightInches: 14 },
      ...{ taxClass: 'standard', allowCrop: true, labSku: '', costCents: 500, suggestedPriceCents: null, tagIds: [] },
    },
    change: { code: '16x20', widthInches: 16, heightInches: 20 },
    invalid: [{ heightInches: null }, 'heightInches'],
    duplicate: 'Another product has this code',
    use: async (deps) => {
      await (await createCartFixtures(deps)).offer(onePrint(25))
      await sql`update package_versions set content = replace(content::text, '"8x10"', '"11x14"')::jsonb`.execute(
        deps.db,
      )
    },
    type: 'print',
  },
  {
    name: 'features',
    draft: { identifier: 'albums', name: 'Albums', description: 'Bound books', isDefault: true },
    change: { identifier: 'posters', name: 'Posters' },
    invalid: [{ identifier: 'Big albums' }, 'identifier'],
    duplicate: 'Another feature has this identifier',
    use: async (deps, feature_id) => {
      const studio_id = await given(deps).studio({ slug: 'user', name: 'Lakeside' })
      await deps.db.insertInto('studio_features').values({ studio_id, feature_id }).execute()
    },
    whileUsed: { status: 409, message: 'This feature is in use: Lakeside' },
  },
  {
    name: 'tags',
    draft: { name: 'Sports' },
    change: { name: 'School' },
    invalid: [{ name: ' ' }, 'name'],
    duplicate: 'Another tag has this name',
    use: async ({ db }, tag_id) => {
      const product = { code: '8x10', name: '8×10 print' }
      const { id } = await db.insertInto('products').values(product).returning('id').executeTakeFirstOrThrow()
      await db.insertInto('product_tags').values({ product_id: id, tag_id }).execute()
    },
    whileUsed: { status: 409, message: 'This tag is in use: 8×10 print' },
  },
  {
    name: 'defined-fields',
    draft: {
      ...{ name: 'Homeroom', label: 'Homeroom', inputType: 'text', hasOptions: false, options: [], aliases: ['HR'] },
      ...{ dataClass: 'ordinary', retentionMonths: null, position: 1 },
    },
    change: { name: 'Section', aliases: [] },
    invalid: [{ hasOptions: true }, 'options'],
    duplicate: 'Another field has this name',
    use: async (deps, template_id) => {
      const { studioId, jobId } = await addJob(deps)
      const field = { studio_id: studioId, job_id: jobId, name: 'Homeroom', label: 'Homeroom', template_id }
      await deps.db.insertInto('job_fields').values(field).execute()
    },
    type: 'current',
  },
  {
    name: 'watermarks',
    draft: {
      ...{ name: 'Proof', kind: 'text', text: 'Proof only', imageHash: null, opacityPercent: 40 },
      ...{ placement: 'tile', studioId: null, isDefault: false },
    },
    change: { name: 'Center', placement: 'center' },
    invalid: [{ opacityPercent: 4 }, 'opacityPercent'],
    use: async (deps, watermark_id) => {
      const { jobId } = await addJob(deps)
      await deps.db.updateTable('jobs').set({ watermark_id }).where('id', '=', jobId).execute()
    },
    type: 'current',
  },
]
