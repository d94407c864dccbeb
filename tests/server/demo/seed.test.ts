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
import { manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import { customerClient } from '../discovery/customer-client.ts'

/** A database that fails on the first statement that writes to this table. */
const failingAt = (database: TestDatabase, table: string): Deps['db'] =>
  database.db.withPlugin({
    transformQuery: ({ node }) => {
      if (node.kind === 'InsertQueryNode' && JSON.stringify(node.into).includes(table))
        throw new Error('the power is cut')
      return node
    },
    transformResult: async ({ result }) => result,
  })

// Both engines run the same code, so only the long run takes both.
const seen = process.env.LONG === '1' ? engines : engines.slice(-1)

// Each test makes previews of forty images: seconds on an idle machine, more on a busy one.
describe.each(seen)('the demo on $name', { timeout: 120_000 }, (engine) => {
  const database = freshDatabase(engine)
  const seeded = async () => {
    const deps = testDeps(database(), manualClock())
    expect(await seedDemo(deps)).toBe(true)
    const app = await testApp(deps)
    const enter = async (slug: string, code: string) => {
      const parent = customerClient(app)
      const { data } = await parent.ask(redeemCode, { params: { slug }, query: { code } })
      return { parent, opened: data, params: { jobId: data.jobId } }
    }
    return { deps, enter }
  }

  it('has what every visitor and every test relies on', async () => {
    const { deps, enter } = await seeded()
    const { db } = deps

    const ada = await enter('riverside', 'adalvl')
    expect(ada.opened).toMatchObject({
      jobName: 'Spring Portraits 2027',
      subject: { firstName: 'Ada', lastName: 'Lovelace' },
    })
    const images = (await ada.parent.ask(listImages, { params: { ...ada.params, subjectId: ada.opened.subject.id } }))
      .data
    expect(images.map(({ type }: { type: string }) => type).sort()).toEqual([
      'hosted-group',
      ...Array(4).fill('hosted-individual'),
    ])
    for (const image of images) {
      expect((await ada.parent.get(image.thumbnailUrl)).statusCode).toBe(200)
      expect((await ada.parent.get(image.previewUrl)).headers['content-type']).toBe('image/jpeg')
    }
    const found = await ada.parent.ask(searchSubjects, {
      params: ada.params,
      query: { firstName: 'a', lastName: 'lovelace' },
    })
    expect(found.data).toMatchObject([{ firstName: 'Ada' }])

    // Summit is not verified yet, and sells nothing until then.
    for (const [slug, code, method, available] of [
      ['riverside', 'SPRING', 'gallery', true],
      ['riverside', 'PREPAY', 'prepay', true],
      ['riverside', 'RAPIDS', 'gallery', true],
      ['summit', 'HAWKS', 'gallery', false],
    ] as const) {
      const { parent, params } = await enter(slug, code)
      const { data } = await parent.ask(getAvailability, { params })
      expect(data).toMatchObject({ published: true, archived: false, codeGiven: true, [method]: { available } })
      const packages = (await parent.ask(listPackages, { params, query: { orderMethod: method } })).data
      expect(packages.length).toBeGreaterThan(0)
      assert(packages, array(Package))
    }

    const spring = (await ada.parent.ask(listPackages, { params: ada.params, query: { orderMethod: 'gallery' } })).data
    const kinds = spring.map((one: domain.Package) => one.packageAddon.type)
    const count = (kind: string) => kinds.filter((one: string) => one === kind).length
    expect([count('standard'), count('addon_standard'), count('addon_price')]).toEqual([8, 2, 2])
    const ids = spring.flatMap((one: domain.Package) =>
      one.items.flatMap((item) => [item.id, ...[...item.imageNodes, ...item.textNodes].map((node) => node.id)]),
    )
    expect(new Set(ids).size).toBe(ids.length)

    const people = await db
      .selectFrom('image_lookups')
      .select(({ fn }) => ['subject_id', fn.countAll<number>().as('images')])
      .where('kind', '=', 'hosted-individual')
      .where('state', '=', 'ready')
      .groupBy('subject_id')
      .execute()
    expect(people.length).toBeGreaterThanOrEqual(24)
    for (const { images: taken } of people) expect(taken >= 2 && taken <= 5).toBe(true)
    expect(await db.selectFrom('green_screens').select('name').execute()).toHaveLength(4)
    expect(await db.selectFrom('promotions').select('code').orderBy('code').execute()).toEqual([
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

  it('is made only in an empty database', async () => {
    const deps = testDeps(database())
    await deps.db.insertInto('studios').values({ slug: 'mine', name: 'Mine' }).execute()
    expect(await seedDemo(deps)).toBe(false)
    expect(await deps.db.selectFrom('studios').select('slug').execute()).toEqual([{ slug: 'mine' }])
  })

  it('is there whole or not at all, and leaves no files behind when made again', async () => {
    const deps = testDeps(database())
    await expect(seedDemo({ ...deps, db: failingAt(database(), 'users') })).rejects.toThrow('the power is cut')
    for (const table of ['studios', 'users', 'features', 'image_lookups'] as const) {
      expect(await deps.db.selectFrom(table).select('id').execute()).toEqual([])
    }
    const files = async (): Promise<number> => {
      let count = 0
      for await (const _ of deps.files.list('demo/')) count += 1
      return count
    }
    const before = await files()
    expect(await seedDemo(deps)).toBe(true)
    expect(await files()).toBe(before)
    expect(await seedDemo(deps)).toBe(false)
  })
})
