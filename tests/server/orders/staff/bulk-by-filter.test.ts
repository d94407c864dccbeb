import type { KyselyPlugin } from 'kysely'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { maxBulkOrders } from '#domain/orders/order-states.ts'
import { moveManyOrders } from '#server/orders/staff/move-orders.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { createStaffOrderFixtures } from './staff-order-fixtures.ts'

/** Counts the statements sent to a database. */
const createStatementCounter = () => {
  let count = 0
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      count += 1
      return node
    },
    transformResult: async ({ result }) => result,
  }
  return { plugin, sentCount: () => count }
}

describe.each(enginesFor(import.meta.filename))('bulk actions by filter on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const staffOrders = await createStaffOrderFixtures(database())
    const { deps, staffRequest } = staffOrders
    const postBulk = async (path: string, body: object) => (await staffRequest('POST', `orders/${path}`, body)).data
    const setAllStates = (state: string) => sql`update orders set state = ${state}`.execute(deps.db)
    return { ...staffOrders, postBulk, setAllStates }
  }

  it('matching orders are moved even if many orders before them cannot be moved', async () => {
    const { order, copy, postBulk, setAllStates, deps } = await setUp()
    await copy(await order(), maxBulkOrders)
    await setAllStates('shipped')
    const last = await order()
    await deps.db.updateTable('orders').set({ state: 'inProduction' }).where('order_number', '=', last).execute()
    expect(await postBulk('move', { which: { matching: { view: 'submitted' } }, to: 'shipped' })).toEqual({
      moved: 1,
      refused: [],
      passed: [{ why: 'This order is shipped already', count: maxBulkOrders + 1 }],
      after: null,
    })
  })

  it('orders are moved in parts, and none is moved twice', async () => {
    const { order, copy, postBulk, setAllStates } = await setUp()
    await copy(await order(), maxBulkOrders)
    await setAllStates('submitted')
    const which = { matching: { view: 'submitted' } }
    const first = await postBulk('move', { which, to: 'inProduction' })
    expect(first).toEqual({ moved: maxBulkOrders, refused: [], passed: [], after: expect.any(Number) })
    expect(await postBulk('move', { which, to: 'inProduction', after: first.after })).toEqual({
      ...{ moved: 1, refused: [], passed: [], after: null },
    })
  })

  it('orders go to the lab even if many orders before them await images', async () => {
    const { order, copy, postBulk } = await setUp()
    await copy(await order({ method: 'prepay' }), maxBulkOrders)
    const readyOrder = await order()
    expect(await postBulk('submit-ready', { which: { matching: { view: 'individual' } } })).toMatchObject({
      packet: { orderNumbers: [readyOrder] },
      refused: [],
      passed: [{ why: 'Images not chosen yet', count: maxBulkOrders + 1 }],
      after: null,
    })
  })

  it('orders go to the lab in parts, and incomplete orders are skipped', async () => {
    const { order, copy, postBulk, deps } = await setUp()
    await copy(await order(), maxBulkOrders - 1)
    const emptied = sql`jsonb_set(content, '{0,imageNodes,0,subjectImageId}', 'null')`
    await sql`update order_lines set content = ${emptied}`.execute(deps.db)
    const readyOrder = await order()
    const which = { matching: { view: 'individual' } }
    const first = await postBulk('submit-ready', { which })
    expect(first).toMatchObject({ packet: null, passed: [], after: expect.any(Number) })
    expect(first.refused).toHaveLength(maxBulkOrders)
    expect(await postBulk('submit-ready', { which, after: first.after })).toMatchObject({
      packet: { orderNumbers: [readyOrder] },
      refused: [],
      after: null,
    })
  })

  it('primary images are placed in parts, and orders without images are skipped', async () => {
    const { fixtures, order, copy, postBulk } = await setUp()
    await copy(await order({ method: 'prepay', subjectId: await fixtures.addSubject('Bo') }), maxBulkOrders - 1)
    await order({ method: 'prepay' })
    const which = { matching: { waiting: 'poses' } }
    const first = await postBulk('place-images', { which })
    expect(first).toMatchObject({ placed: 0, after: expect.any(Number) })
    expect(first.refused).toHaveLength(maxBulkOrders)
    expect(await postBulk('place-images', { which, after: first.after })).toEqual({
      placed: 1,
      refused: [],
      after: null,
    })
  })

  it('moving many orders needs as many statements as moving one, and each move is recorded with its user', async () => {
    const { order, copy, setAllStates, deps, fixtures, userId } = await setUp()
    const sentFor = async () => {
      await setAllStates('submitted')
      const { plugin, sentCount } = createStatementCounter()
      const user = {
        id: userId,
        name: 'Sam',
        email: 'sam@riverside.test',
        permissions: [],
        studioId: fixtures.studioId,
      }
      const moveInput = { job: fixtures.job, which: { matching: {} }, to: 'inProduction', user } as const
      const { moved } = await moveManyOrders(
        { ...deps, db: deps.db.withPlugin(plugin) },
        { ...moveInput, recordResponse: async () => {} },
      )
      return { moved, sentCount: sentCount() }
    }
    const number = await order()
    const single = await sentFor()
    await copy(number, 40)
    expect(await sentFor()).toEqual({ moved: 41, sentCount: single.sentCount })
    const history = deps.db.selectFrom('order_moves').select(['from_state', 'to_state', 'moved_by'])
    const moves = await history.where('to_state', '=', 'inProduction').execute()
    expect(moves).toEqual(Array(42).fill({ from_state: 'submitted', to_state: 'inProduction', moved_by: userId }))
    const auditQuery = deps.db
      .selectFrom('audit_log')
      .select(['entity', 'detail', 'user_id'])
      .where('action', '=', 'order.moved')
    const detail = { from: 'submitted', to: 'inProduction', reason: null }
    expect(await auditQuery.execute()).toEqual(Array(42).fill({ entity: 'order', detail, user_id: userId }))
  })

  it('a bulk action runs once, because its result is recorded in the same transaction', async () => {
    const { order, staffRequest, deps } = await setUp()
    const which = { orderNumbers: [await order({ method: 'prepay' })] }
    const change = async (path: string, body: object) => {
      const { status, data } = await staffRequest('POST', path, body, { idempotencyKey: path })
      const { rows } = await sql<{ together: boolean }>`
        select k.xmin = o.xmin as together from idempotency_keys k cross join orders o where k.key = ${path}`.execute(
        deps.db,
      )
      expect([status, rows]).toEqual([200, [{ together: true }]])
      expect((await staffRequest('POST', path, body, { idempotencyKey: path })).data).toEqual(data)
      return data
    }
    await change('orders/place-images', { which })
    const { packet } = await change('orders/submit-ready', { which })
    await change(`packets/${packet.id}/take-back`, {})
    await staffRequest('POST', 'orders/submit-ready', { which })
    await change('orders/move', { which, to: 'inProduction' })
  })
})
