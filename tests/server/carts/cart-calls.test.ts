import { describe, expect, it } from 'vitest'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import { checkoutDriver, details, readyToPay } from '../payments/checkout-driver.ts'
import { add, completeLineContent, newUuid, quantity } from './cart-fixtures.ts'

const beyond = 1e300
const uuid = '00000000-0000-4000-8000-000000000000'
const line = { packageId: 1, subjectId: 1, orderMethod: 'gallery' }
const { orderMethod: _, ...noMethod } = details()
const paying = {
  orderMethod: 'gallery',
  checkoutId: uuid,
  attemptId: uuid,
  paymentToken: 'test_visa',
  totalCents: 1,
  cartVersion: 1,
}

/** A call, and its invalid field. */
const nonsense: ['GET' | 'POST' | 'PATCH' | 'DELETE', string, object | undefined, string][] = [
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
  ['POST', 'cartpackages', { ...line, packageId: beyond }, 'packageId'],
  ['POST', 'cartpackages', { ...line, subjectId: beyond }, 'subjectId'],
  ['POST', 'cartpackages', { ...line, quantity: beyond }, 'quantity'],
  ['POST', 'cartpackages', { ...line, greenScreenBackgroundId: beyond }, 'greenScreenBackgroundId'],
  ['POST', 'cartpackages', { ...line, lineId: 'mine' }, 'lineId'],
  ['PATCH', 'cartpackages/1', {}, 'content'],
  ['PATCH', 'cartpackages/1', { quantity: 1.5 }, 'quantity'],
  ['PATCH', 'cartpackages/1', { quantity: beyond }, 'quantity'],
  ['PATCH', 'cartpackages/1', { quantity: -beyond }, 'quantity'],
  ['PATCH', 'cartpackages/1', { textNodes: 'Ada' }, 'textNodes'],
  ['PATCH', 'cartpackages/one', { quantity: 1 }, 'id'],
  ['PATCH', 'cartpackages/9007199254740993', { quantity: 1 }, 'id'],
  ['DELETE', 'cartpackages/one', undefined, 'id'],
  ['PATCH', 'cartpackageitems/text-nodes/1', {}, 'value'],
  ['PATCH', 'cartpackageitems/text-nodes/1', { value: 7 }, 'value'],
  ['PATCH', 'cartpackageitems/text-nodes/one', { value: 'Ada' }, 'id'],
  ['PATCH', 'cartpackageitems/image-nodes/1', { rotation: 1.5 }, 'rotation'],
  ['PATCH', 'cartpackageitems/image-nodes/1', { rotation: beyond }, 'rotation'],
  ['PATCH', 'cartpackageitems/image-nodes/1', { subjectImageId: beyond }, 'subjectImageId'],
  ['PATCH', 'cartpackageitems/image-nodes/1', { zoom: 2 }, 'zoom'],
  ['POST', 'checkout', undefined, 'checkoutId'],
  ['POST', 'checkout', { checkoutId: uuid, ...noMethod }, 'orderMethod'],
  ['POST', 'checkout', { checkoutId: uuid, ...noMethod, orderMethod: 'hosted' }, 'orderMethod'],
  ['POST', 'checkout', { checkoutId: 'mine', ...details() }, 'checkoutId'],
  [
    'POST',
    'checkout',
    { checkoutId: uuid, ...details({ jobVersion: { major: beyond, minor: 0 } }) },
    'jobVersion.major',
  ],
  ['GET', 'checkout?orderMethod=hosted', undefined, 'orderMethod'],
  ['GET', 'checkout?checkoutId=mine', undefined, 'checkoutId'],
  ['GET', 'checkout/totals?orderMethod=hosted', undefined, 'orderMethod'],
  ['POST', 'checkout/submit', undefined, 'attemptId'],
  ['POST', 'checkout/submit', { ...paying, orderMethod: undefined }, 'orderMethod'],
  ['POST', 'checkout/submit', { ...paying, orderMethod: 'hosted' }, 'orderMethod'],
  ['POST', 'checkout/submit', { ...paying, totalCents: beyond }, 'totalCents'],
  ['POST', 'checkout/submit', { ...paying, totalCents: -1 }, 'totalCents'],
  ['GET', `orders/${'F'.repeat(21)}`, undefined, 'orderId'],
  ['POST', 'subjects', { subjectId: beyond }, 'subjectId'],
]

describe.each(enginesFor(import.meta.filename))('calls of cart, checkout and order on $name', (engine) => {
  const database = freshDatabase(engine)

  /** A customer with an order, and then a finished cart whose checkout is saved. */
  const begin = async () => {
    const deps = testDeps(database(), manualClock())
    const app = await testApp(deps)
    const ready = await readyToPay(deps, app)
    const { till, shop, made, checkoutId: ordered } = ready
    const { data } = await till.submit(ready.paying())
    const checkoutId = newUuid()
    await till.sync([add(made, shop.adaId, completeLineContent(made, shop.adaImageId))])
    await till.keep(checkoutId)
    const mine = async () => ({
      cart: await till.cart(),
      checkout: (await till.ask('GET', 'checkout?orderMethod=gallery')).data,
      order: await till.order(data.orderNumber),
    })
    return { ...ready, app, ordered, checkoutId, orderNumber: data.orderNumber as string, mine }
  }

  it('another session with the same code sees nothing and can change nothing', async () => {
    const { app, shop, made, mine, ordered, checkoutId, orderNumber, paying } = await begin()
    const stranger = checkoutDriver(app, shop, await shop.enter([]))
    const before = await mine()
    const [own] = before.cart.cartPackages
    const [item] = own?.cartPackageItems ?? []
    if (!own || !item) throw new Error('the cart is empty')
    const none = { status: 404, problem: 'not-found' }
    const empty = { status: 422, problem: 'refused', errors: ['Your cart is empty'] }
    const unkept = { status: 200, data: { details: null, orderNumber: null } }
    const post = { packageId: made.id, subjectId: shop.adaId, lineId: own.lineId, orderMethod: 'gallery' }
    const told = [quantity(own.lineId, 9)]
    const asked: ['GET' | 'POST' | 'PATCH' | 'DELETE', string, object | undefined, object][] = [
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
      ['GET', 'checkout?orderMethod=gallery', undefined, unkept],
      ['GET', `checkout?orderMethod=gallery&checkoutId=${checkoutId}`, undefined, unkept],
      ['GET', `checkout?orderMethod=gallery&checkoutId=${ordered}`, undefined, unkept],
      ['GET', 'checkout/totals?orderMethod=gallery', undefined, empty],
      ['GET', 'checkout/totals', undefined, empty],
      ['GET', `orders/${orderNumber}`, undefined, none],
      ['POST', 'checkout', { checkoutId, ...details() }, empty],
      ['POST', 'checkout/submit', { orderMethod: 'gallery', ...paying({ checkoutId, cartVersion: 1 }) }, none],
      ['PATCH', `cartpackages/${own.id}`, { quantity: 9 }, none],
      ['PATCH', `cartpackageitems/text-nodes/${item.textNodes[0]?.id}`, { value: 'x' }, none],
      ['PATCH', `cartpackageitems/image-nodes/${item.imageNodes[0]?.id}`, { rotation: 90 }, none],
      ['DELETE', `cartpackages/${own.id}`, undefined, none],
      ['DELETE', 'cart?orderMethod=gallery', undefined, { status: 200, data: {} }],
      ['DELETE', 'cart', undefined, { status: 200, data: {} }],
      ['POST', 'cartpackages', post, { status: 422, problem: 'refused' }],
      ['POST', 'carts', { orderMethod: 'gallery' }, { status: 200, data: { cartPackages: [], subjects: [] } }],
      [
        'POST',
        'cart/sync',
        { orderMethod: 'gallery', mutations: told },
        { data: { results: [{ status: 'refused' }] } },
      ],
    ]
    for (const [method, path, body, expected] of asked) {
      const answer = await stranger.ask(method, path, { ...(body && { body }) })
      expect([method, path, answer]).toMatchObject([method, path, expected])
      const said = JSON.stringify(answer)
      for (const secret of [own.lineId, 'Ada', 'Lovelace', 'Grace', 'Hopper', orderNumber]) {
        expect([method, path, said]).toEqual([method, path, expect.not.stringContaining(secret)])
      }
    }
    expect(await mine()).toEqual(before)
  })

  it('malformed requests are refused before anything is done, with the field named', async () => {
    const { till, mine } = await begin()
    const before = await mine()
    for (const [method, path, body, field] of nonsense) {
      const answer = await till.ask(method, path, { ...(body && { body }) })
      const expected = { status: 400, problem: 'bad-request', fields: { [field]: [expect.any(String)] } }
      expect([method, path, answer]).toMatchObject([method, path, expected])
    }
    expect(await mine()).toEqual(before)
  })
})
