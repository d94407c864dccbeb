import { describe, expect, it } from 'vitest'
import { listPackages } from '#contract/customer/discovery-calls.ts'
import { redeemCode } from '#contract/customer/session-calls.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import { countSoldPackages } from '#server/catalogue/count-sold-packages.ts'
import { schoolSet } from '#server/demo/seed-package-sets.ts'
import { insertPackageSet } from '#server/demo/seed-packages.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { customerClient } from '../discovery/customer-client.ts'
import { addOrder, seedJobs } from '../discovery/job-fixtures.ts'

const yearMs = 366 * 86_400_000

describe.each(enginesFor(import.meta.filename))('the most popular package on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    let now = Date.parse('2027-04-15T10:00:00Z')
    const deps = testDeps(database(), { clock: () => new Date(now) })
    const pass = (ms: number) => {
      now += ms
    }
    const app = await testApp(deps)
    const { spring } = await seedJobs(deps)
    const setId = await deps.db.transaction().execute((tx) => insertPackageSet(tx, spring.studioId, schoolSet))
    await deps.db.updateTable('jobs').set({ package_set_id: setId }).where('id', '=', spring.jobId).execute()
    const customer = customerClient(app)
    await customer.request(redeemCode, { params: { slug: 'riverside' }, query: { code: 'SPRING' } })
    const list = async (): Promise<Package[]> =>
      (await customer.request(listPackages, { params: { jobId: spring.jobId } })).data
    const popularNames = async () => (await list()).filter(({ mostPopular }) => mostPopular).map(({ name }) => name)
    let orders = 0
    /** Orders a package of the set by the start of its name. */
    const sell = async (name: string, quantity: number, state: 'placed' | 'cancelled' = 'placed') => {
      orders += 1
      const orderId = await addOrder(deps, spring, { order_number: `FP-0000000${orders}`, state })
      const { id } = (await list()).find((offer) => offer.name.startsWith(name)) ?? { id: 0 }
      await deps.db
        .insertInto('order_lines')
        .values({
          ...{ studio_id: spring.studioId, order_id: orderId, package_id: id, package_version: 1, snapshot: '{}' },
          ...{ kind: 'package', position: 0, name, unit_cents: 100, amount_cents: 100 * quantity, quantity },
        })
        .execute()
    }
    return { deps, pass, sell, list, popularNames }
  }

  it('is the one that the studio recommends, until ten of another are ordered', async () => {
    const { deps, sell, popularNames } = await setUp()
    expect(await popularNames()).toEqual(['Package B · Classic'])
    await sell('Package C', 9)
    await countSoldPackages(deps)
    expect(await popularNames()).toEqual(['Package B · Classic'])
    await sell('Package C', 1)
    await countSoldPackages(deps)
    expect(await popularNames()).toEqual(['Package C · Grandparents'])
  })

  it('does not count cancelled orders, nor those of more than a year ago', async () => {
    const { deps, pass, sell, popularNames } = await setUp()
    await sell('Package D', 50, 'cancelled')
    await sell('Package C', 12)
    await countSoldPackages(deps)
    expect(await popularNames()).toEqual(['Package C · Grandparents'])
    pass(yearMs)
    await countSoldPackages(deps)
    expect(await popularNames()).toEqual(['Package B · Classic'])
  })

  it('shows customers no figures', async () => {
    const { deps, sell, list } = await setUp()
    await sell('Package C', 12)
    await countSoldPackages(deps)
    expect(JSON.stringify(await list())).not.toMatch(/sold|recommended/i)
  })
})
