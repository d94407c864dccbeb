import { describe, expect, it } from 'vitest'
import { inTransaction } from '#server/database/database.ts'
import { insertPlatform } from '#server/demo/seed-platform.ts'
import { initializePlatform } from '#server/platform/initialize-platform.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { testDeps } from '#support/server/test-app.ts'

const catalogueTables = [
  'products',
  'shipping_options',
  'order_services',
  'defined_fields',
  'workflows',
  'features',
] as const

describe.each(enginesFor(import.meta.filename))('initializing a platform on $name', (engine) => {
  const database = freshDatabase(engine)

  const countRows = async (table: (typeof catalogueTables)[number] | 'tax_rates' | 'studios'): Promise<number> =>
    (await database().db.selectFrom(table).select('id').execute()).length

  it('a new platform gets, only once, everything that its first studio needs to sell, except tax rates', async () => {
    const deps = testDeps(database())
    const results = await Promise.all([initializePlatform(deps), initializePlatform(deps)])
    expect(results.toSorted()).toEqual([false, true])
    const counts = await Promise.all(catalogueTables.map(countRows))
    expect(Math.min(...counts)).toBeGreaterThan(0)
    expect(await initializePlatform(deps)).toBe(false)
    expect(await Promise.all(catalogueTables.map(countRows))).toEqual(counts)
    expect(await countRows('tax_rates')).toBe(0)
    expect(await countRows('studios')).toBe(0)
  })

  it('a catalogue that administrators emptied stays empty', async () => {
    const deps = testDeps(database())
    await initializePlatform(deps)
    await deps.db.insertInto('studios').values({ slug: 'first', name: 'First' }).execute()
    await deps.db.deleteFrom('products').execute()
    await deps.db.deleteFrom('shipping_options').execute()
    expect(await initializePlatform(deps)).toBe(false)
    expect(await countRows('products')).toBe(0)
  })

  it('the demo is seeded on top of the initial catalogue', async () => {
    const deps = testDeps(database())
    await initializePlatform(deps)
    const products = await countRows('products')
    const { services } = await inTransaction(deps.db, insertPlatform)
    expect(services).toHaveLength(await countRows('order_services'))
    expect(await countRows('products')).toBe(products)
    expect(await countRows('tax_rates')).toBeGreaterThan(0)
  })
})
