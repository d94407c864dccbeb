import { describe, expect, it } from 'vitest'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { checkoutDriver, readyToPay } from '../../payments/checkout-driver.ts'
import { add, cartClient } from '../cart-fixtures.ts'

describe.each(enginesFor(import.meta.filename))('live carts of a session on $name', (engine) => {
  const database = freshDatabase(engine)

  const begin = async () => {
    const deps = testDeps(database())
    const app = await testApp(deps)
    const ready = await readyToPay(deps, app)
    const carts = async (till = ready.till) => (await till.ask('GET', 'carts')).data
    return { ...ready, deps, app, carts }
  }

  it('each live cart is listed with its state, the same as in the cart itself', async () => {
    const { till, made, shop, carts } = await begin()
    const ofCart = async (orderMethod: string) => {
      const { id, version } = await till.cart(orderMethod)
      return { orderMethod, id, version }
    }
    expect(await carts()).toEqual([await ofCart('gallery')])
    await till.sync([add(made, shop.adaId)], 'prepay')
    await till.sync([add(made, shop.adaId)])
    expect(await carts()).toEqual([await ofCart('gallery'), await ofCart('prepay')])
  })

  it('ordered carts are not listed, and listing creates none', async () => {
    const { till, paying, made, shop, carts } = await begin()
    const [ordered] = await carts()
    expect(await till.submit(paying())).toMatchObject({ status: 200 })
    expect(await carts()).toEqual([])
    expect((await till.cart()).id).toBeNull()
    await till.sync([add(made, shop.adaId)])
    const [next] = await carts()
    expect([next.id === ordered.id, next.version]).toEqual([false, 2])
  })

  it('another session’s carts are not listed', async () => {
    const { app, shop, carts } = await begin()
    expect(await carts(checkoutDriver(app, shop, await shop.enter()))).toEqual([])
  })

  it('cart ids are random, so that a restored backup does not assign an earlier id again', async () => {
    const { deps, app, shop, made } = await begin()
    const ids: number[] = []
    for (let visit = 0; visit < 5; visit += 1) {
      const { cart } = await cartClient(app, shop, await shop.enter()).sync([add(made, shop.adaId)])
      ids.push(cart.id ?? 0)
    }
    expect(ids.every((id) => id > 0 && id <= 2 ** 48)).toBe(true)
    // Five random ids of 48 bits practically never lie below a millionth of their range.
    expect(Math.max(...ids)).toBeGreaterThan(2 ** 28)
    expect(new Set(ids).size).toBe(5)
    const stored = await deps.db.selectFrom('carts').select('id').where('id', 'in', ids).execute()
    expect(stored).toHaveLength(5)
  })
})
