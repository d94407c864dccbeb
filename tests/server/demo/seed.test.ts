import { verify } from '@node-rs/argon2'
import { array, assert } from 'superstruct'
import { describe, expect, it } from 'vitest'
import { getAvailability, listImages, listPackages } from '#contract/customer/discovery-calls.ts'
import { searchSubjects } from '#contract/customer/find-subjects.ts'
import { redeemCode } from '#contract/customer/session-calls.ts'
import { Package } from '#contract/shapes/catalogue-structs.ts'
import type * as domain from '#domain/catalogue/catalogue.ts'
import { seedDemo } from '#server/demo/seed.ts'
import type { Deps } from '#server/deps.ts'
import { engines, freshDatabase, type TestDatabase } from '#support/database/test-database.ts'
import { demoServices } from '#support/server/demo-services.ts'
import { manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import { customerClient } from '../discovery/customer-client.ts'

const seed = (deps: Deps): Promise<boolean> => seedDemo(deps, { services: demoServices(deps.settings.dataDir) })

/** A database that fails on the first statement that inserts into this table. */
const failAtTable = (database: TestDatabase, table: string): Deps['db'] =>
  database.db.withPlugin({
    transformQuery: ({ node }) => {
      if (node.kind === 'InsertQueryNode' && JSON.stringify(node.into).includes(table))
        throw new Error('the power is cut')
      return node
    },
    transformResult: async ({ result }) => result,
  })

// The demo's code is the same for both engines, so only the long run tests both.
const testedEngines = process.env.LONG === '1' ? engines : engines.slice(-1)

// Two of the tests render every image of the demo, which takes seconds on an idle machine and longer on a busy one.
describe.each(testedEngines)('the demo on $name', { timeout: 120_000 }, (engine) => {
  const database = freshDatabase(engine)
  const seedAndStart = async () => {
    const deps = testDeps(database(), manualClock())
    expect(await seed(deps)).toBe(true)
    const app = await testApp(deps)
    const enter = async (slug: string, code: string) => {
      const customer = customerClient(app)
      const { data } = await customer.request(redeemCode, { params: { slug }, query: { code } })
      return { customer, opened: data, params: { jobId: data.jobId } }
    }
    return { deps, enter }
  }

  it('the demo has the jobs, images, packages and users that the tests rely on', async () => {
    const { deps, enter } = await seedAndStart()
    const { db } = deps

    const ada = await enter('riverside', 'adalvl')
    expect(ada.opened).toMatchObject({
      jobName: 'Spring Portraits 2027',
      subject: { firstName: 'Ada', lastName: 'Lovelace' },
    })
    const images = (
      await ada.customer.request(listImages, { params: { ...ada.params, subjectId: ada.opened.subject.id } })
    ).data
    expect(images.map(({ type }: { type: string }) => type).sort()).toEqual([
      'hosted-group',
      ...Array(4).fill('hosted-individual'),
    ])
    for (const image of images) {
      expect((await ada.customer.get(image.thumbnailUrl)).statusCode).toBe(200)
      expect((await ada.customer.get(image.previewUrl)).headers['content-type']).toBe('image/jpeg')
    }
    const searchResult = await ada.customer.request(searchSubjects, {
      params: ada.params,
      query: { firstName: 'a', lastName: 'lovelace' },
    })
    expect(searchResult.data).toMatchObject([{ firstName: 'Ada' }])

    // Summit is not verified yet, so it sells nothing.
    for (const [slug, code, method, available] of [
      ['riverside', 'SPRING', 'gallery', true],
      ['riverside', 'PREPAY', 'prepay', true],
      ['riverside', 'RAPIDS', 'gallery', true],
      ['summit', 'HAWKS', 'gallery', false],
    ] as const) {
      const { customer, params } = await enter(slug, code)
      const { data } = await customer.request(getAvailability, { params })
      expect(data).toMatchObject({ published: true, archived: false, codeGiven: true, [method]: { available } })
      const packages = (await customer.request(listPackages, { params, query: { orderMethod: method } })).data
      expect(packages.length).toBeGreaterThan(0)
      assert(packages, array(Package))
    }

    const spring = (await ada.customer.request(listPackages, { params: ada.params, query: { orderMethod: 'gallery' } }))
      .data
    const addonTypes = spring.map((springPackage: domain.Package) => springPackage.packageAddon.type)
    const count = (kind: string) => addonTypes.filter((type: string) => type === kind).length
    expect([count('standard'), count('addon_standard'), count('addon_price')]).toEqual([8, 2, 2])
    const ids = spring.flatMap((springPackage: domain.Package) =>
      springPackage.items.flatMap((item) => [
        item.id,
        ...[...item.imageNodes, ...item.textNodes].map((node) => node.id),
      ]),
    )
    expect(new Set(ids).size).toBe(ids.length)

    const imageCounts = await db
      .selectFrom('image_lookups')
      .select(({ fn }) => ['subject_id', fn.countAll<number>().as('images')])
      .where('kind', '=', 'hosted-individual')
      .where('state', '=', 'ready')
      .groupBy('subject_id')
      .execute()
    expect(imageCounts.length).toBeGreaterThanOrEqual(24)
    for (const { images: imageCount } of imageCounts) expect(imageCount >= 2 && imageCount <= 5).toBe(true)
    expect(await db.selectFrom('green_screens').select('name').execute()).toHaveLength(4)
    expect(await db.selectFrom('promotions').select('code').orderBy('code').execute()).toEqual([
      { code: 'HELPER' },
      { code: 'SAVE10' },
      { code: 'TAKE5' },
    ])

    const users = await db.selectFrom('users').select(['email', 'role', 'password_hash']).orderBy('id').execute()
    expect(users.map(({ email, role }) => [email, role])).toEqual([
      ['admin@fieldproof.test', 'administrator'],
      ['owner@riverside.test', 'owner'],
      ['staff@riverside.test', 'staff'],
      ['owner@summit.test', 'owner'],
    ])
    for (const { password_hash } of users) expect(await verify(password_hash ?? '', 'fieldproof-demo')).toBe(true)
  })

  it('the demo is created only in an empty database', async () => {
    const deps = testDeps(database())
    await deps.db.insertInto('studios').values({ slug: 'mine', name: 'Mine' }).execute()
    expect(await seed(deps)).toBe(false)
    expect(await deps.db.selectFrom('studios').select('slug').execute()).toEqual([{ slug: 'mine' }])
  })

  it('the demo is created completely or not at all, and a second attempt leaves no extra files', async () => {
    const deps = testDeps(database())
    await expect(seed({ ...deps, db: failAtTable(database(), 'ledger') })).rejects.toThrow('the power is cut')
    for (const table of ['studios', 'users', 'features', 'image_lookups', 'orders'] as const) {
      expect(await deps.db.selectFrom(table).select('id').execute()).toEqual([])
    }
    const files = async (): Promise<number> => {
      let count = 0
      for await (const _ of deps.files.list('demo/')) count += 1
      return count
    }
    const before = await files()
    expect(await seed(deps)).toBe(true)
    expect(await files()).toBe(before)
    expect(await seed(deps)).toBe(false)
  })
})
