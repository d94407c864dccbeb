import type { KyselyPlugin } from 'kysely'
import { describe, expect, it } from 'vitest'
import { listOrders } from '#server/orders/staff/list-orders.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { createStaffOrderFixtures } from './staff-order-fixtures.ts'

/** Records the maximum number of rows with order lines in one result. */
const createRowCounter = () => {
  let maxRows = 0
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (result.rows.some((row) => 'lines' in row)) maxRows = Math.max(maxRows, result.rows.length)
      return result
    },
  }
  return { plugin, maxRowsAtOnce: () => maxRows }
}

describe.each(enginesFor(import.meta.filename))('listing all orders of a job on $name', (engine) => {
  const database = freshDatabase(engine)

  it('orders are listed without all lines in memory at once', async () => {
    const { deps, fixtures, order, copy } = await createStaffOrderFixtures(database())
    await copy(await order({ method: 'prepay' }), 450)
    const newest = await order()
    const { plugin, maxRowsAtOnce } = createRowCounter()
    const rows = await listOrders(deps.db.withPlugin(plugin), fixtures.job, {})
    if (!Array.isArray(rows)) throw new Error('a page was returned, although none was requested')
    expect(new Set(rows.map(({ orderNumber }) => orderNumber)).size).toBe(452)
    expect(rows[0]).toMatchObject({ orderNumber: newest, why: null })
    expect(rows.slice(1).every(({ why }) => why === 'Images not chosen yet')).toBe(true)
    expect(maxRowsAtOnce()).toBeLessThanOrEqual(100)
  })
})
