import { describe, expect, it } from 'vitest'
import type { Deps } from '#server/deps.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given, type JobKey } from '#support/server/given.ts'
import { staffClient } from '#support/server/staff-client.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { imageNode, packageItem } from '#tests/domain/cart/cart-fixtures.ts'
import { newUuid } from '../carts/cart-fixtures.ts'
import { addOrder } from '../discovery/job-fixtures.ts'

type StudioResource = {
  name: string
  /** The path below the studio. */
  base: (keys: { jobId: number; setId: number }) => string
  draft: Record<string, unknown>
  change: Record<string, unknown>
  /** A change that is refused. */
  invalid: Record<string, unknown>
  /** Makes something refer to a record. */
  use: (deps: Deps, job: JobKey, id: number) => Promise<void>
  /** What the deletion of a record in use answers. */
  whileUsed: Record<string, unknown>
}

const resources: readonly StudioResource[] = [
  {
    name: 'package-sets',
    base: () => 'package-sets',
    draft: { name: 'Fall', description: '' },
    change: { name: 'Winter' },
    invalid: { name: ' ' },
    use: async ({ db }, { jobId }, package_set_id) => {
      await db.updateTable('jobs').set({ package_set_id }).where('id', '=', jobId).execute()
    },
    whileUsed: { status: 200, data: { outcome: 'archived' } },
  },
  {
    name: 'packages',
    base: ({ setId }) => `package-sets/${setId}/packages`,
    draft: {
      ...{ name: 'Basic', retailCost: 20, altName: null, altDescription: null },
      ...{ offeredPrepay: true, offeredGallery: true, taxClass: 'standard' },
      items: [packageItem({ id: -1, imageNodes: [imageNode({ id: -2, name: 'Image 1' })] })],
      packageAddon: { type: 'standard', requiredMinPrice: null, requiresStandard: false, packageId: null },
    },
    change: { name: 'Deluxe' },
    invalid: { retailCost: -1 },
    use: async (deps, job, package_id) => {
      const order_id = await addOrder(deps, job)
      const line = {
        kind: 'package',
        position: 0,
        name: 'Basic',
        quantity: 1,
        unit_cents: 2000,
        amount_cents: 2000,
      } as const
      await deps.db
        .insertInto('order_lines')
        .values({ ...line, studio_id: job.studioId, order_id, package_id, package_version: 1, snapshot: '{}' })
        .execute()
    },
    whileUsed: { status: 200, data: { outcome: 'archived' } },
  },
  {
    name: 'groups',
    base: ({ jobId }) => `jobs/${jobId}/groups`,
    draft: { name: 'Room 4' },
    change: { name: 'Room 5' },
    invalid: { name: ' ' },
    use: async (deps, job, groupId) => {
      await given(deps).image(job, { groupId })
    },
    whileUsed: { status: 422 },
  },
  {
    name: 'promotions',
    base: () => 'promotions',
    draft: {
      ...{ code: 'SPRING', name: 'Spring', kind: 'percent', basisPoints: 1000, amountCents: null, minimumCents: 0 },
      ...{ packageIds: null, startsOn: null, endsOn: null, maximumUses: null, maximumUsesPerCustomer: null },
      ...{ isEnabled: true, hasSingleUseCodes: false, isAutomatic: false, isStackable: false },
    },
    change: { name: 'Summer', code: 'SUMMER' },
    invalid: { basisPoints: -5 },
    use: async (deps, job, promotion_id) => {
      const order_id = await addOrder(deps, job)
      const order = { studio_id: job.studioId, checkout_id: newUuid(), order_id }
      const columns = { ...order, email_key: 'a', amount_cents: 5, state: 'used' } as const
      await deps.db
        .insertInto('promotion_uses')
        .values({ ...columns, promotion_id })
        .execute()
    },
    whileUsed: { status: 200, data: { outcome: 'ended' } },
  },
]

const cases = enginesFor(import.meta.filename).flatMap((engine) =>
  resources.map((resource) => ({ engine, resource, title: `${resource.name} on ${engine.name}` })),
)

describe.each(cases)('the generic calls of a studio for $title', ({ engine, resource }) => {
  const database = freshDatabase(engine)
  const { draft, change, invalid, use, whileUsed } = resource
  const changed = { ...draft, ...change }

  const setUp = async () => {
    const deps = testDeps(database())
    const app = await testApp(deps)
    const addStudio = async (slug: string) => {
      const studioId = await given(deps).studio({ slug })
      const job = await given(deps).job(studioId)
      await given(deps).feature(studioId, 'promotions')
      const setId = await given(deps).packageSet(studioId)
      const { staffRequest } = await staffClient(deps, app, studioId)
      return { job, request: staffRequest, base: resource.base({ ...job, setId }) }
    }
    const product = { code: '8x10', name: '8×10 print', width_inches: 8, height_inches: 10 }
    await deps.db.insertInto('products').values(product).execute()
    const own = await addStudio('riverside')
    const { data: record, ...made } = await own.request('POST', own.base, draft)
    if (!record) throw new Error(JSON.stringify(made))
    const other = await addStudio('lakeside')
    return { deps, ...own, record, url: `${own.base}/${record.id}`, other }
  }

  it('create, get, list, replace and delete a record', async () => {
    const { request, base, url, record } = await setUp()
    expect(record).toMatchObject({ id: expect.any(Number), version: 1 })
    expect((await request('GET', url)).data).toEqual(record)
    const listed = (await request('GET', `${base}?currentPage=1`)).data.resultItems
    expect(listed).toContainEqual(expect.objectContaining({ id: record.id }))
    expect((await request('GET', `${base}?currentPage=1&filter=nothing`)).data.resultItems).toEqual([])
    const replaced = await request('PUT', url, { ...changed, version: 1 })
    expect(replaced).toMatchObject({ status: 200, data: { id: record.id, version: 2 } })
    expect(JSON.stringify(replaced.data)).toContain(change.name)
    expect((await request('DELETE', url)).status).toBe(200)
    expect((await request('GET', url)).status).toBe(404)
  })

  it('answer 404 for an unknown record, and for a record of another studio', async () => {
    const { request, base, url, record, job, other } = await setUp()
    const changes = [['GET'], ['PUT', changed], ['DELETE']] as const
    for (const [method, body] of changes) {
      expect((await request(method, `${base}/999`, body)).status).toBe(404)
      expect((await other.request(method, `${other.base}/${record.id}`, body)).status).toBe(404)
      expect((await other.request(method, `/api/studioadmin/studios/${job.studioId}/${url}`, body)).status).toBe(404)
    }
    expect((await request('GET', url)).data).toEqual(record)
  })

  it('answer 409 to a replacement of an earlier version, and change nothing', async () => {
    const { request, url } = await setUp()
    const { data: current } = await request('PUT', url, { ...changed, version: 1 })
    expect((await request('PUT', url, { ...draft, version: 1 })).status).toBe(409)
    expect((await request('GET', url)).data).toEqual(current)
  })

  it('answer 400 or 422 to what is invalid, and store nothing', async () => {
    const { request, base, url, record } = await setUp()
    const count = async () => (await request('GET', `${base}?currentPage=1`)).data.totalRecords
    const countBefore = await count()
    for (const [method, target] of [
      ['POST', base],
      ['PUT', url],
    ] as const) {
      expect([400, 422]).toContain((await request(method, target, { ...draft, ...invalid })).status)
      expect((await request(method, target, { ...draft, surprise: 1 })).status).toBe(400)
    }
    expect((await request('GET', `${base}/none`)).status).toBe(400)
    expect(await count()).toBe(countBefore)
    expect((await request('GET', url)).data).toEqual(record)
  })

  it('keep a record that is in use', async () => {
    const { deps, request, job, url, record } = await setUp()
    await use(deps, job, record.id)
    expect(await request('DELETE', url)).toMatchObject(whileUsed)
    expect((await request('GET', url)).status).toBe(200)
  })
})
