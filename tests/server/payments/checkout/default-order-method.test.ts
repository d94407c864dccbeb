import { describe, expect, it } from 'vitest'
import type { Deps } from '#server/deps.ts'
import { enginesFor, freshDatabase, silentLog } from '#support/database/test-database.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { addLine, completeLineContent, newUuid } from '#tests/server/carts/cart-fixtures.ts'
import { checkoutDriver, readyToPay } from '../checkout-driver.ts'

describe.each(enginesFor(import.meta.filename))('calls without an order method on $name', (engine) => {
  const database = freshDatabase(engine)

  /** A customer with one line of $50 in the gallery cart; `alsoPrepay` adds one of $25 to the prepaid cart. */
  const setUp = async () => {
    const warnings: unknown[] = []
    const log: Deps['log'] = { ...silentLog, warn: (...args: unknown[]) => void warnings.push(args.at(-1)) }
    const deps = testDeps(database(), { log })
    const checkout = await readyToPay(deps, await testApp(deps))
    const { driver, offeredPackage, fixtures } = checkout
    const withoutImage = { ...completeLineContent(offeredPackage, fixtures.adaImageId), imageNodes: [] }
    const alsoPrepay = () => driver.sync([addLine(offeredPackage, fixtures.adaId, withoutImage)], 'prepay')
    const close = (...columns: ('gallery_enabled' | 'prepay_enabled')[]) =>
      deps.db
        .updateTable('jobs')
        .set(Object.fromEntries(columns.map((column) => [column, false])))
        .execute()
    const readDefaultTotal = async () => {
      const { status, data, errors } = await driver.request('GET', 'checkout/totals')
      return status === 200 ? data.packagesCents : errors[0]
    }
    return { ...checkout, deps, warnings, alsoPrepay, close, readDefaultTotal }
  }
  const [gallery, prepay] = [5000, 2500]

  it('the cart with lines is used', async () => {
    const { driver, readDefaultTotal, checkoutId, warnings } = await setUp()
    expect(await readDefaultTotal()).toBe(gallery)
    expect((await driver.request('GET', 'checkout')).data).toMatchObject({
      checkoutId,
      details: { orderMethod: 'gallery' },
    })
    expect(await driver.request('DELETE', 'cart')).toMatchObject({ status: 200, data: {} })
    expect((await driver.cart()).cartPackages).toEqual([])
    expect(warnings).toEqual([])
  })

  it('the cart with lines is used although the default would be the other method', async () => {
    const { driver, readDefaultTotal, alsoPrepay } = await setUp()
    await driver.request('DELETE', 'cart')
    await alsoPrepay()
    expect(await readDefaultTotal()).toBe(prepay)
  })

  it('with lines in both carts, gallery is used if images are published, else prepay', async () => {
    const { deps, readDefaultTotal, alsoPrepay } = await setUp()
    await alsoPrepay()
    expect(await readDefaultTotal()).toBe(gallery)
    await deps.db.updateTable('image_lookups').set({ published_at: null }).execute()
    expect(await readDefaultTotal()).toBe(prepay)
  })

  it('the only open method is used', async () => {
    const { close, readDefaultTotal, alsoPrepay } = await setUp()
    await close('gallery_enabled')
    expect(await readDefaultTotal()).toBe('Your cart is empty')
    await alsoPrepay()
    expect(await readDefaultTotal()).toBe(prepay)
  })

  it.each(['both methods open', 'one method open'])(
    'neither of two carts with lines is emptied, with %s',
    async (openMethods) => {
      const { close, driver, alsoPrepay } = await setUp()
      await alsoPrepay()
      if (openMethods === 'one method open') await close('gallery_enabled')
      const empty = () => driver.request('DELETE', 'cart')
      const message = 'Two carts here hold packages. Say which one to empty: orderMethod is gallery or prepay'
      for (const answer of [await empty(), await empty()])
        expect(answer).toMatchObject({ status: 422, problem: 'refused', errors: [message] })
      expect((await driver.cart('prepay')).cartPackages).toHaveLength(1)
      expect((await driver.cart('gallery')).cartPackages).toHaveLength(1)
    },
  )

  it('the only cart with lines is emptied, and a retry does nothing more', async () => {
    const { driver, alsoPrepay } = await setUp()
    await alsoPrepay()
    expect(await driver.request('DELETE', 'cart?orderMethod=prepay')).toMatchObject({ status: 200 })
    for (const answer of [await driver.request('DELETE', 'cart'), await driver.request('DELETE', 'cart')])
      expect(answer).toMatchObject({ status: 200, data: {} })
    expect((await driver.cart()).cartPackages).toEqual([])
  })

  it('the existing cart is read after both order methods are closed, and the missing default is logged', async () => {
    const { close, readDefaultTotal, warnings } = await setUp()
    await close('gallery_enabled', 'prepay_enabled')
    expect(await readDefaultTotal()).toBe(gallery)
    expect(warnings).toEqual(['missing order method: neither prepay nor gallery is open'])
  })

  it('a given checkout id selects its cart', async () => {
    const { deps, driver, alsoPrepay, checkoutId, offeredPackage, fixtures } = await setUp()
    await alsoPrepay()
    const otherCheckoutId = newUuid()
    await driver.saveDetails(otherCheckoutId, { orderMethod: 'prepay' })
    const readCheckout = async (id: string, customer = driver) =>
      (await customer.request('GET', `checkout?checkoutId=${id}`)).data
    expect(await readCheckout(checkoutId)).toMatchObject({ checkoutId, details: { orderMethod: 'gallery' } })
    expect(await readCheckout(otherCheckoutId)).toMatchObject({
      checkoutId: otherCheckoutId,
      details: { orderMethod: 'prepay' },
    })
    // An unknown checkout and that of another customer show the default cart.
    const stranger = checkoutDriver(await testApp(deps), fixtures, await fixtures.enter())
    expect(await readCheckout(newUuid())).toMatchObject({ checkoutId, details: { orderMethod: 'gallery' } })
    await stranger.sync([
      addLine(offeredPackage, fixtures.adaId, completeLineContent(offeredPackage, fixtures.adaImageId)),
    ])
    const ownCheckoutId = newUuid()
    await stranger.saveDetails(ownCheckoutId)
    expect(await readCheckout(otherCheckoutId, stranger)).toMatchObject({
      checkoutId: ownCheckoutId,
      details: { orderMethod: 'gallery' },
    })
  })

  it('a given order method must exist', async () => {
    const { driver } = await setUp()
    for (const [method, path] of [
      ['DELETE', 'cart'],
      ['GET', 'checkout'],
      ['GET', 'checkout/totals'],
    ] as const)
      expect((await driver.request(method, `${path}?orderMethod=barter`)).status).toBe(400)
  })
})
