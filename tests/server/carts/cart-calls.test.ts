import { describe, expect, it } from 'vitest'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import { checkoutDriver, details, readyToPay } from '../payments/checkout-driver.ts'
import { addLine, completeLineContent, newUuid, setQuantity } from './cart-fixtures.ts'

const outOfRange = 1e300
const uuid = '00000000-0000-4000-8000-000000000000'
const line = { packageId: 1, subjectId: 1, orderMethod: 'gallery' }
const { orderMethod: _, ...detailsWithoutMethod } = details()
const validSubmitBody = {
  orderMethod: 'gallery',
  checkoutId: uuid,
  attemptId: uuid,
  paymentToken: 'test_visa',
  totalCents: 1,
  cartVersion: 1,
}

/** Calls, each with the name of its invalid field. */
const invalidCalls: ['GET' | 'POST' | 'PATCH' | 'DELETE', string, object | undefined, string][] = [
  ['GET', 'carts?orderMethod=gallery', undefined, 'orderMethod'],
  ['POST', 'carts', {}, 'orderMethod'],
  ['POST', 'carts', { orderMethod: 'hosted' }, 'orderMethod'],
  ['POST', 'cart/sync', { mutations: [] }, 'orderMethod'],
  ['POST', 'cart/sync', { orderMethod: 'gallery', mutations: {} }, 'mutations'],
  ['GET', 'cart', undefined, 'orderMethod'],
  ['GET', 'cart?orderMethod=hosted', undefined, 'orderMethod'],
  ['GET', 'cart?orderMethod=gallery&all=1', undefined, 'all'],
  ['GET', 'cart/details', undefined, 'orderMethod'],
  ['GET', 'cart/details?orderMethod=', undefined, 'orderMethod'],
  ['DELETE', 'cart?orderMethod=hosted', undefined, 'orderMethod'],
  ['POST', 'cartpackages', undefined, 'orderMethod'],
  ['POST', 'cartpackages', { packageId: 1, subjectId: 1 }, 'orderMethod'],
  ['POST', 'cartpackages', { ...line, orderMethod: 'hosted' }, 'orderMethod'],
  ['POST', 'cartpackages', { ...line, packageId: outOfRange }, 'packageId'],
  ['POST', 'cartpackages', { ...line, subjectId: outOfRange }, 'subjectId'],
  ['POST', 'cartpackages', { ...line, quantity: outOfRange }, 'quantity'],
  ['POST', 'cartpackages', { ...line, greenScreenBackgroundId: outOfRange }, 'greenScreenBackgroundId'],
  ['POST', 'cartpackages', { ...line, lineId: 'mine' }, 'lineId'],
  ['PATCH', 'cartpackages/1', {}, 'content'],
  ['PATCH', 'cartpackages/1', { quantity: 1.5 }, 'quantity'],
  ['PATCH', 'cartpackages/1', { quantity: outOfRange }, 'quantity'],
  ['PATCH', 'cartpackages/1', { quantity: -outOfRange }, 'quantity'],
  ['PATCH', 'cartpackages/1', { textNodes: 'Ada' }, 'textNodes'],
  ['PATCH', 'cartpackages/one', { quantity: 1 }, 'id'],
  ['PATCH', 'cartpackages/9007199254740993', { quantity: 1 }, 'id'],
  ['DELETE', 'cartpackages/one', undefined, 'id'],
  ['PATCH', 'cartpackageitems/text-nodes/1', {}, 'value'],
  ['PATCH', 'cartpackageitems/text-nodes/1', { value: 7 }, 'value'],
  ['PATCH', 'cartpackageitems/text-nodes/one', { value: 'Ada' }, 'id'],
  ['PATCH', 'cartpackageitems/image-nodes/1', { rotation: 1.5 }, 'rotation'],
  ['PATCH', 'cartpackageitems/image-nodes/1', { rotation: outOfRange }, 'rotation'],
  ['PATCH', 'cartpackageitems/image-nodes/1', { subjectImageId: outOfRange }, 'subjectImageId'],
  ['PATCH', 'cartpackageitems/image-nodes/1', { zoom: 2 }, 'zoom'],
  ['POST', 'checkout', undefined, 'checkoutId'],
  ['POST', 'checkout', { checkoutId: uuid, ...detailsWithoutMethod }, 'orderMethod'],
  ['POST', 'checkout', { checkoutId: uuid, ...detailsWithoutMethod, orderMethod: 'hosted' }, 'orderMethod'],
  ['POST', 'checkout', { checkoutId: 'mine', ...details() }, 'checkoutId'],
  [
    'POST',
    'checkout',
    { checkoutId: uuid, ...details({ jobVersion: { major: outOfRange, minor: 0 } }) },
    'jobVersion.major',
  ],
  ['GET', 'checkout?orderMethod=hosted', undefined, 'orderMethod'],
  ['GET', 'checkout?checkoutId=mine', undefined, 'checkoutId'],
  ['GET', 'checkout/totals?orderMethod=hosted', undefined, 'orderMethod'],
  ['POST', 'checkout/submit', undefined, 'attemptId'],
  ['POST', 'checkout/submit', { ...validSubmitBody, orderMethod: undefined }, 'orderMethod'],
  ['POST', 'checkout/submit', { ...validSubmitBody, orderMethod: 'hosted' }, 'orderMethod'],
  ['POST', 'checkout/submit', { ...validSubmitBody, totalCents: outOfRange }, 'totalCents'],
  ['POST', 'checkout/submit', { ...validSubmitBody, totalCents: -1 }, 'totalCents'],
  ['GET', `orders/${'F'.repeat(21)}`, undefined, 'orderId'],
  ['POST', 'subjects', { subjectId: outOfRange }, 'subjectId'],
]

describe.each(enginesFor(import.meta.filename))('calls of cart, checkout and order on $name', (engine) => {
  const database = freshDatabase(engine)

  /** A customer with an order, and then a finished cart whose checkout is saved. */
  const setUp = async () => {
    const deps = testDeps(database(), manualClock())
    const app = await testApp(deps)
    const checkout = await readyToPay(deps, app)
    const { driver, fixtures, offeredPackage, checkoutId: orderedCheckoutId } = checkout
    const { data } = await driver.submit(checkout.submitBody())
    const checkoutId = newUuid()
    await driver.sync([
      addLine(offeredPackage, fixtures.adaId, completeLineContent(offeredPackage, fixtures.adaImageId)),
    ])
    await driver.saveDetails(checkoutId)
    const readOwnData = async () => ({
      cart: await driver.cart(),
      checkout: (await driver.request('GET', 'checkout?orderMethod=gallery')).data,
      order: await driver.order(data.orderNumber),
    })
    return { ...checkout, app, orderedCheckoutId, checkoutId, orderNumber: data.orderNumber as string, readOwnData }
  }

  it('another session with the same code sees nothing and can change nothing', async () => {
    const { app, fixtures, offeredPackage, readOwnData, orderedCheckoutId, checkoutId, orderNumber, submitBody } =
      await setUp()
    const stranger = checkoutDriver(app, fixtures, await fixtures.enter([]))
    const before = await readOwnData()
    const [ownLine] = before.cart.cartPackages
    const [item] = ownLine?.cartPackageItems ?? []
    if (!ownLine || !item) throw new Error('the cart is empty')
    const notFound = { status: 404, problem: 'not-found' }
    const emptyCart = { status: 422, problem: 'refused', errors: ['Your cart is empty'] }
    const noCheckout = { status: 200, data: { details: null, orderNumber: null } }
    const post = {
      packageId: offeredPackage.id,
      subjectId: fixtures.adaId,
      lineId: ownLine.lineId,
      orderMethod: 'gallery',
    }
    const mutations = [setQuantity(ownLine.lineId, 9)]
    const calls: ['GET' | 'POST' | 'PATCH' | 'DELETE', string, object | undefined, object][] = [
      [
        'GET',
        'cart?orderMethod=gallery',
        undefined,
        { status: 200, data: { id: null, cartPackages: [], subjects: [] } },
      ],
      [
        'GET',
        'cart/details?orderMethod=gallery',
        undefined,
        { status: 200, data: { cart: { id: null }, totalCents: 0 } },
      ],
      ['GET', 'carts', undefined, { status: 200, data: [] }],
      ['GET', 'checkout?orderMethod=gallery', undefined, noCheckout],
      ['GET', `checkout?orderMethod=gallery&checkoutId=${checkoutId}`, undefined, noCheckout],
      ['GET', `checkout?orderMethod=gallery&checkoutId=${orderedCheckoutId}`, undefined, noCheckout],
      ['GET', 'checkout/totals?orderMethod=gallery', undefined, emptyCart],
      ['GET', 'checkout/totals', undefined, emptyCart],
      ['GET', `orders/${orderNumber}`, undefined, notFound],
      ['POST', 'checkout', { checkoutId, ...details() }, emptyCart],
      ['POST', 'checkout/submit', { orderMethod: 'gallery', ...submitBody({ checkoutId, cartVersion: 1 }) }, notFound],
      ['PATCH', `cartpackages/${ownLine.id}`, { quantity: 9 }, notFound],
      ['PATCH', `cartpackageitems/text-nodes/${item.textNodes[0]?.id}`, { value: 'x' }, notFound],
      ['PATCH', `cartpackageitems/image-nodes/${item.imageNodes[0]?.id}`, { rotation: 90 }, notFound],
      ['DELETE', `cartpackages/${ownLine.id}`, undefined, notFound],
      ['DELETE', 'cart?orderMethod=gallery', undefined, { status: 200, data: {} }],
      ['DELETE', 'cart', undefined, { status: 200, data: {} }],
      ['POST', 'cartpackages', post, { status: 422, problem: 'refused' }],
      ['POST', 'carts', { orderMethod: 'gallery' }, { status: 200, data: { cartPackages: [], subjects: [] } }],
      ['POST', 'cart/sync', { orderMethod: 'gallery', mutations }, { data: { results: [{ status: 'refused' }] } }],
    ]
    for (const [method, path, body, expected] of calls) {
      const answer = await stranger.request(method, path, { ...(body && { body }) })
      expect([method, path, answer]).toMatchObject([method, path, expected])
      const text = JSON.stringify(answer)
      for (const secret of [ownLine.lineId, 'Ada', 'Lovelace', 'Grace', 'Hopper', orderNumber]) {
        expect([method, path, text]).toEqual([method, path, expect.not.stringContaining(secret)])
      }
    }
    expect(await readOwnData()).toEqual(before)
  })

  it('malformed requests are rejected without any change, and the response names the invalid field', async () => {
    const { driver, readOwnData } = await setUp()
    const before = await readOwnData()
    for (const [method, path, body, field] of invalidCalls) {
      const answer = await driver.request(method, path, { ...(body && { body }) })
      const expected = { status: 400, problem: 'bad-request', fields: { [field]: [expect.any(String)] } }
      expect([method, path, answer]).toMatchObject([method, path, expected])
    }
    expect(await readOwnData()).toEqual(before)
  })
})
