import type { KyselyPlugin } from 'kysely'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { maxBulkOrders } from '#domain/orders/order-views.ts'
import { moveManyOrders } from '#server/orders/staff/move-orders.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { createStaffOrderFixtures } from './staff-order-fixtures.ts'

/** Counts the statements sent to a database. */
const counting = () => {
  let count = 0
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      count += 1
      return node
    },
    transformResult: async ({ result }) => result,
  }
  return { plugin, sent: () => count }
}

describe.each(enginesFor(import.meta.filename))('bulk actions by filter on $name', (engine) => {
  const database = freshDatabase(engine)

  const begin = async () => {
    const desk = await createStaffOrderFixtures(database())
    const { deps, tell } = desk
    const all = async (path: string, body: object) => (await tell('POST', `orders/${path}`, body)).data
    const put = (state: string) => sql`update orders set state = ${state}`.execute(deps.db)
    return { ...desk, all, put }
  }

  it('matching orders are moved, however many precede them that cannot move', async () => {
    const { order, copy, all, put, deps } = await begin()
    await copy(await order(), maxBulkOrders)
    await put('shipped')
    const last = await order()
    await deps.db.updateTable('orders').set({ state: 'inProduction' }).where('order_number', '=', last).execute()
    expect(await all('move', { which: { matching: { view: 'submitted' } }, to: 'shipped' })).toEqual({
      moved: 1,
      refused: [],
      passed: [{ why: 'This order is shipped already', count: maxBulkOrders + 1 }],
      after: null,
    })
  })

  it('orders are moved in parts, none of them twice', async () => {
    const { order, copy, all, put } = await begin()
    await copy(await order(), maxBulkOrders)
    await put('submitted')
    const which = { matching: { view: 'submitted' } }
    const first = await all('move', { which, to: 'inProduction' })
    expect(first).toEqual({ moved: maxBulkOrders, refused: [], passed: [], after: expect.any(Number) })
    expect(await all('move', { which, to: 'inProduction', after: first.after })).toEqual({
      ...{ moved: 1, refused: [], passed: [], after: null },
    })
  })

  it('orders go to the lab, however many precede them that await images', async () => {
    const { order, copy, all } = await begin()
    await copy(await order({ method: 'prepay' }), maxBulkOrders)
    const ready = await order()
    expect(await all('submit-ready', { which: { matching: { view: 'individual' } } })).toMatchObject({
      packet: { orderNumbers: [ready] },
      refused: [],
      passed: [{ why: 'Pictures are still to be chosen', count: maxBulkOrders + 1 }],
      after: null,
    })
  })

  it('orders go to the lab in parts, past incomplete ones', async () => {
    const { order, copy, all, deps } = await begin()
    await copy(await order(), maxBulkOrders - 1)
    const emptied = sql`jsonb_set(content, '{0,imageNodes,0,subjectImageId}', 'null')`
    await sql`update order_lines set content = ${emptied}`.execute(deps.db)
    const ready = await order()
    const which = { matching: { view: 'individual' } }
    const first = await all('submit-ready', { which })
    expect(first).toMatchObject({ packet: null, passed: [], after: expect.any(Number) })
    expect(first.refused).toHaveLength(maxBulkOrders)
    expect(await all('submit-ready', { which, after: first.after })).toMatchObject({
      packet: { orderNumbers: [ready] },
      refused: [],
      after: null,
    })
  })

  it('orders get their images in parts, past those without images', async () => {
    const { shop, order, copy, all } = await begin()
    await copy(await order({ method: 'prepay', who: await shop.giveSubject('Bo') }), maxBulkOrders - 1)
    await order({ method: 'prepay' })
    const which = { matching: { waiting: 'poses' } }
    const first = await all('place-pictures', { which })
    expect(first).toMatchObject({ placed: 0, after: expect.any(Number) })
    expect(first.refused).toHaveLength(maxBulkOrders)
    expect(await all('place-pictures', { which, after: first.after })).toEqual({ placed: 1, refused: [], after: null })
  })

  it('many orders are moved with as many statements as a few', async () => {
    const { order, copy, put, deps, shop, userId } = await begin()
    const sentFor = async () => {
      await put('submitted')
      const { plugin, sent } = counting()
      const user = { id: userId, name: 'Sam', email: 'sam@riverside.test', permissions: [], studioId: shop.studioId }
      const asked = { job: shop.job, which: { matching: {} }, to: 'inProduction', user } as const
      const { moved } = await moveManyOrders(
        { ...deps, db: deps.db.withPlugin(plugin) },
        { ...asked, recordIn: async () => {} },
      )
      return { moved, sent: sent() }
    }
    const number = await order()
    const one = await sentFor()
    await copy(number, 40)
    expect(await sentFor()).toEqual({ moved: 41, sent: one.sent })
    const history = deps.db.selectFrom('order_moves').select(['from_state', 'to_state', 'moved_by'])
    const moves = await history.where('to_state', '=', 'inProduction').execute()
    expect(moves).toEqual(Array(42).fill({ from_state: 'submitted', to_state: 'inProduction', moved_by: userId }))
    const trail = deps.db
      .selectFrom('audit_log')
      .select(['entity', 'detail', 'user_id'])
      .where('action', '=', 'order.moved')
    const detail = { from: 'submitted', to: 'inProduction', reason: null }
    expect(await trail.execute()).toEqual(Array(42).fill({ entity: 'order', detail, user_id: userId }))
  })

  it('a bulk action runs once: its result is recorded with the work', async () => {
    const { order, tell, deps } = await begin()
    const which = { orderNumbers: [await order({ method: 'prepay' })] }
    const change = async (path: string, body: object) => {
      const { status, data } = await tell('POST', path, body, { idempotencyKey: path })
      const { rows } = await sql<{ together: boolean }>`
        select k.xmin = o.xmin as together from idempotency_keys k cross join orders o where k.key = ${path}`.execute(
        deps.db,
      )
      expect([status, rows]).toEqual([200, [{ together: true }]])
      expect((await tell('POST', path, body, { idempotencyKey: path })).data).toEqual(data)
      return data
    }
    await change('orders/place-pictures', { which })
    const { packet } = await change('orders/submit-ready', { which })
    await change(`packets/${packet.id}/take-back`, {})
    await tell('POST', 'orders/submit-ready', { which })
    await change('orders/move', { which, to: 'inProduction' })
  })
})
