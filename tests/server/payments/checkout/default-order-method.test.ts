import { describe, expect, it } from 'vitest'
import type { Deps } from '#server/deps.ts'
import { enginesFor, freshDatabase, silentLog } from '#support/database/test-database.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { add, completeLineContent, newUuid } from '../../carts/cart-fixtures.ts'
import { checkoutDriver, readyToPay } from '../checkout-driver.ts'

describe.each(enginesFor(import.meta.filename))('calls without an order method on $name', (engine) => {
  const database = freshDatabase(engine)

  /** A customer with one line of $50 in the gallery cart; `alsoPrepay` adds one of $25 to the prepaid cart. */
  const begin = async () => {
    const warnings: unknown[] = []
    const log: Deps['log'] = { ...silentLog, warn: (...said: unknown[]) => void warnings.push(said.at(-1)) }
    const deps = testDeps(database(), { log })
    const ready = await readyToPay(deps, await testApp(deps))
    const { till, made, shop } = ready
    const withoutImage = { ...completeLineContent(made, shop.adaImageId), imageNodes: [] }
    const alsoPrepay = () => till.sync([add(made, shop.adaId, withoutImage)], 'prepay')
    const close = (...columns: ('gallery_enabled' | 'prepay_enabled')[]) =>
      deps.db
        .updateTable('jobs')
        .set(Object.fromEntries(columns.map((column) => [column, false])))
        .execute()
    const chosen = async () => {
      const { status, data, errors } = await till.ask('GET', 'checkout/totals')
      return status === 200 ? data.packagesCents : errors[0]
    }
    return { ...ready, deps, warnings, alsoPrepay, close, chosen }
  }
  const [gallery, prepay] = [5000, 2500]

  it('the cart with lines is used', async () => {
    const { till, chosen, checkoutId, warnings } = await begin()
    expect(await chosen()).toBe(gallery)
    expect((await till.ask('GET', 'checkout')).data).toMatchObject({ checkoutId, details: { orderMethod: 'gallery' } })
    expect(await till.ask('DELETE', 'cart')).toMatchObject({ status: 200, data: {} })
    expect((await till.cart()).cartPackages).toEqual([])
    expect(warnings).toEqual([])
  })

  it('the cart with lines is used although the default would be the other method', async () => {
    const { till, chosen, alsoPrepay } = await begin()
    await till.ask('DELETE', 'cart')
    await alsoPrepay()
    expect(await chosen()).toBe(prepay)
  })

  it('with lines in both carts, gallery is used if images are published, else prepay', async () => {
    const { deps, chosen, alsoPrepay } = await begin()
    await alsoPrepay()
    expect(await chosen()).toBe(gallery)
    await deps.db.updateTable('image_lookups').set({ published_at: null }).execute()
    expect(await chosen()).toBe(prepay)
  })

  it('the only open method is used', async () => {
    const { close, chosen, alsoPrepay } = await begin()
    await close('gallery_enabled')
    expect(await chosen()).toBe('Your cart is empty')
    await alsoPrepay()
    expect(await chosen()).toBe(prepay)
  })

  it.each(['both ways open', 'one way open'])('neither of two carts with lines is emptied, with %s', async (ways) => {
    const { close, till, alsoPrepay } = await begin()
    await alsoPrepay()
    if (ways === 'one way open') await close('gallery_enabled')
    const empty = () => till.ask('DELETE', 'cart')
    const sentence = 'Two carts here hold packages. Say which one to empty: orderMethod is gallery or prepay'
    for (const answer of [await empty(), await empty()])
      expect(answer).toMatchObject({ status: 422, problem: 'refused', errors: [sentence] })
    expect((await till.cart('prepay')).cartPackages).toHaveLength(1)
    expect((await till.cart('gallery')).cartPackages).toHaveLength(1)
  })

  it('the only cart with lines is emptied, and a retry does nothing more', async () => {
    const { till, alsoPrepay } = await begin()
    await alsoPrepay()
    expect(await till.ask('DELETE', 'cart?orderMethod=prepay')).toMatchObject({ status: 200 })
    for (const again of [await till.ask('DELETE', 'cart'), await till.ask('DELETE', 'cart')])
      expect(again).toMatchObject({ status: 200, data: {} })
    expect((await till.cart()).cartPackages).toEqual([])
  })

  it('the existing cart is read after closing, and the missing default is logged', async () => {
    const { close, chosen, warnings } = await begin()
    await close('gallery_enabled', 'prepay_enabled')
    expect(await chosen()).toBe(gallery)
    expect(warnings).toEqual(['missing order method: neither prepay nor gallery is open'])
  })

  it('a given checkout id selects its cart', async () => {
    const { deps, till, alsoPrepay, checkoutId, made, shop } = await begin()
    await alsoPrepay()
    const other = newUuid()
    await till.keep(other, { orderMethod: 'prepay' })
    const named = async (id: string, by = till) => (await by.ask('GET', `checkout?checkoutId=${id}`)).data
    expect(await named(checkoutId)).toMatchObject({ checkoutId, details: { orderMethod: 'gallery' } })
    expect(await named(other)).toMatchObject({ checkoutId: other, details: { orderMethod: 'prepay' } })
    // An unknown checkout and that of another customer show the default cart.
    const stranger = checkoutDriver(await testApp(deps), shop, await shop.enter())
    expect(await named(newUuid())).toMatchObject({ checkoutId, details: { orderMethod: 'gallery' } })
    await stranger.sync([add(made, shop.adaId, completeLineContent(made, shop.adaImageId))])
    const own = newUuid()
    await stranger.keep(own)
    expect(await named(other, stranger)).toMatchObject({ checkoutId: own, details: { orderMethod: 'gallery' } })
  })

  it('a given order method must exist', async () => {
    const { till } = await begin()
    for (const [method, path] of [
      ['DELETE', 'cart'],
      ['GET', 'checkout'],
      ['GET', 'checkout/totals'],
    ] as const)
      expect((await till.ask(method, `${path}?orderMethod=barter`)).status).toBe(400)
  })
})
