import { describe, expect, it } from 'vitest'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { checkoutDriver, readyToPay } from '#tests/server/payments/checkout-driver.ts'
import { addLine, cartClient } from '../cart-fixtures.ts'

describe.each(enginesFor(import.meta.filename))('live carts of a session on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const deps = testDeps(database())
    const app = await testApp(deps)
    const checkout = await readyToPay(deps, app)
    const listCarts = async (driver = checkout.driver) => (await driver.request('GET', 'carts')).data
    return { ...checkout, deps, app, listCarts }
  }

  it('each live cart is listed with its order method, id and version', async () => {
    const { driver, offeredPackage, fixtures, listCarts } = await setUp()
    const readCartEntry = async (orderMethod: string) => {
      const { id, version } = await driver.cart(orderMethod)
      return { orderMethod, id, version }
    }
    expect(await listCarts()).toEqual([await readCartEntry('gallery')])
    await driver.sync([addLine(offeredPackage, fixtures.adaId)], 'prepay')
    await driver.sync([addLine(offeredPackage, fixtures.adaId)])
    expect(await listCarts()).toEqual([await readCartEntry('gallery'), await readCartEntry('prepay')])
  })

  it('ordered carts are not listed, listing creates none, and the next cart has another id', async () => {
    const { driver, submitBody, offeredPackage, fixtures, listCarts } = await setUp()
    const [ordered] = await listCarts()
    expect(await driver.submit(submitBody())).toMatchObject({ status: 200 })
    expect(await listCarts()).toEqual([])
    expect((await driver.cart()).id).toBeNull()
    await driver.sync([addLine(offeredPackage, fixtures.adaId)])
    const [next] = await listCarts()
    expect([next.id === ordered.id, next.version]).toEqual([false, 2])
  })

  it('another session’s carts are not listed', async () => {
    const { app, fixtures, listCarts } = await setUp()
    expect(await listCarts(checkoutDriver(app, fixtures, await fixtures.enter()))).toEqual([])
  })

  it('cart ids are random, so that a restored backup does not reuse an earlier id', async () => {
    const { deps, app, fixtures, offeredPackage } = await setUp()
    const ids: number[] = []
    for (let session = 0; session < 5; session += 1) {
      const { cart } = await cartClient(app, fixtures, await fixtures.enter()).sync([
        addLine(offeredPackage, fixtures.adaId),
      ])
      ids.push(cart.id ?? 0)
    }
    expect(ids.every((id) => id > 0 && id <= 2 ** 48)).toBe(true)
    // Five random ids of 48 bits are practically never all in the lowest millionth of their range.
    expect(Math.max(...ids)).toBeGreaterThan(2 ** 28)
    expect(new Set(ids).size).toBe(5)
    const stored = await deps.db.selectFrom('carts').select('id').where('id', 'in', ids).execute()
    expect(stored).toHaveLength(5)
  })
})
