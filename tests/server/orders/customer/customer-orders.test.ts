import { describe, expect, it } from 'vitest'
import { sendReceiptEmail } from '#server/orders/emails/order-emails.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import { packageItem, textNode } from '#tests/domain/cart/cart-fixtures.ts'
import { nameAndYear } from '#tests/domain/cart/order-service-fixtures.ts'
import { completeLineContent, customiseLine, onePrint } from '#tests/server/carts/cart-fixtures.ts'
import { seedOrderServices, setService } from '#tests/server/carts/order-service-fixtures.ts'
import { readyToPay } from '#tests/server/payments/checkout-driver.ts'

describe.each(enginesFor(import.meta.filename))('customer orders on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const time = manualClock()
    const deps = testDeps(database(), time)
    const app = await testApp(deps)
    const checkout = await readyToPay(deps, app)
    const { data } = await checkout.driver.submit(checkout.submitBody())
    const orderNumber: string = data.orderNumber
    const search = (orderNumber: string, email: string, headers: Record<string, string> = {}) =>
      app.inject({ url: '/api/customer/cart/search/', query: { orderNumber, email }, headers })
    return { deps, app, orderNumber, search, ...checkout }
  }

  it('an order is found by number and email in any spelling without a session, and the new session sees only the order', async () => {
    const { app, orderNumber, search, fixtures } = await setUp()
    const typed = orderNumber.toLowerCase().replace('fp-', 'fp ')
    const answer = await search(typed, ' grace@EXAMPLE.com')
    expect(answer.statusCode).toBe(200)
    expect(answer.json().data).toMatchObject({
      jobId: fixtures.jobId,
      orderNumber,
      order: { orderNumber, state: 'placed' },
    })
    // The session gets a grant for the order, but not for the subject's images.
    expect(answer.json().data.order.lines[0]).toMatchObject({ subjectName: 'Ada Lovelace', imageThumbnailUrl: null })
    const [cookie] = answer.cookies
    const cookies = { fieldproof_session: cookie?.value ?? '' }
    const grantedAnswer = await app.inject({
      url: `/api/customer/jobs/${fixtures.jobId}/orders/${orderNumber}`,
      cookies,
    })
    expect(grantedAnswer.json().data).toEqual(answer.json().data.order)
    const cart = await app.inject({ url: `/api/customer/jobs/${fixtures.jobId}/cart?orderMethod=gallery`, cookies })
    expect(cart.json().problem).toBe('code-needed')
  })

  it('a wrong number, a wrong email and an invalid number get the same response', async () => {
    const { orderNumber, search } = await setUp()
    const misses = [
      await search('FP-00000000', 'grace@example.com'),
      await search(orderNumber, 'someone@example.com'),
      await search('nonsense', 'grace@example.com'),
    ]
    for (const miss of misses) {
      expect(miss.statusCode).toBe(404)
      expect(miss.json()).toEqual({ errors: ['Could not find this order'], problem: 'not-found' })
      expect(miss.cookies).toEqual([])
    }
    expect((await search('', 'grace@example.com')).statusCode).toBe(400)
  })

  it('searches slow down after failures, and a correct one still succeeds', async () => {
    const { deps, orderNumber, search } = await setUp()
    for (let guess = 0; guess < 10; guess += 1) await search('FP-00000000', 'grace@example.com')
    const started = deps.clock().getTime()
    expect((await search(orderNumber, 'grace@example.com')).statusCode).toBe(200)
    expect(deps.clock().getTime() - started).toBeGreaterThanOrEqual(2000)
  })

  it('an order is shown only under its own job', async () => {
    const { orderNumber, driver, app, fixtures, session } = await setUp()
    expect(await driver.order(orderNumber)).toMatchObject({ orderNumber, delivery: 'home' })
    const otherJobAnswer = await app.inject({
      url: `/api/customer/jobs/${fixtures.jobId + 1}/orders/${orderNumber}`,
      headers: session.headers,
    })
    expect(otherJobAnswer.statusCode).toBe(404)
  })

  /** Orders a package with these texts, shipped to the studio. */
  const placeOrder = async (offered: ReturnType<typeof onePrint>, values: readonly string[] = []) => {
    const deps = testDeps(database(), manualClock())
    const { driver, line, offeredPackage, fixtures, checkoutId, submitBody } = await readyToPay(
      deps,
      await testApp(deps),
      offered,
    )
    const [nodes, content] = [
      offeredPackage.items.flatMap((item) => item.textNodes),
      completeLineContent(offeredPackage, fixtures.adaImageId),
    ]
    const textNodes = nodes.map(({ id }, index) => ({
      packageItemTextNodeId: id,
      value: values[index] ?? '',
      autoFilled: true,
    }))
    await driver.sync([customiseLine(line.lineId, { ...content, textNodes })])
    await driver.saveDetails(checkoutId, { isPartOfBatchOrder: true })
    const { totalCents } = await driver.totals()
    const { data } = await driver.submit(submitBody({ totalCents }))
    return await driver.order(data.orderNumber)
  }

  it('texts fed by an email address or phone number are masked', async () => {
    const textNodes = ['E-mail', 'Mobile', 'First Name'].map((dataSource, index) =>
      textNode({ id: 71 + index, dataSource }),
    )
    const print = packageItem({ id: 70, name: '8x10 Print', productCode: '8x10', textNodes })
    const { lines } = await placeOrder({ ...onePrint(25), items: [print] }, ['ada@engine.test', '555-123-4567', 'Ada'])
    const texts = ['ad***@engine.test', '***-***-4567', 'Ada']
    expect(lines[0]?.items).toEqual([{ name: '8x10 Print', productCode: '8x10', texts }])
  })

  it('an order shows the printed name and year, and which image is retouched', async () => {
    const deps = testDeps(database(), manualClock())
    const app = await testApp(deps)
    const { driver, offeredPackage, fixtures, submitBody, checkoutId } = await readyToPay(deps, app)
    const { basic, personal } = await seedOrderServices(deps, fixtures)
    await deps.db.updateTable('jobs').set({ image_level_service: true }).where('id', '=', fixtures.jobId).execute()
    const other = await fixtures.addImage({ subjectId: fixtures.adaId })
    const personalization = nameAndYear('Ada L.', { yearOnAllPrints: false, yearOnWallets: true })
    await driver.sync([
      setService(basic, fixtures.adaId, { imageLookupId: fixtures.adaImageId }),
      setService(basic, fixtures.adaId, { imageLookupId: other }),
      setService(personal, fixtures.adaId, { personalization }),
    ])
    await driver.saveDetails(checkoutId)
    const { totalCents } = await driver.totals()
    const { data } = await driver.submit(submitBody({ totalCents }))
    const order = await driver.order(data.orderNumber)
    const thumbnail = (imageId: number) => expect.stringContaining(`/${imageId}/thumb-`)
    expect(order.lines).toMatchObject([
      { packageName: offeredPackage.name, imageThumbnailUrl: thumbnail(fixtures.adaImageId) },
      { packageName: 'Basic', imageThumbnailUrl: thumbnail(fixtures.adaImageId), retouchedIn: [offeredPackage.name] },
      { packageName: 'Basic', imageThumbnailUrl: thumbnail(other), retouchedIn: [] },
      { packageName: 'Name and year', imageThumbnailUrl: null, personalization },
    ])
    const query = { orderNumber: data.orderNumber, email: 'grace@example.com' }
    const foundOrder = (await app.inject({ url: '/api/customer/cart/search/', query })).json().data.order
    expect(foundOrder.lines[1]).toMatchObject({ imageThumbnailUrl: null, retouchedIn: [offeredPackage.name] })
    expect(foundOrder.lines[3].personalization).toEqual(personalization)
  })

  it('prints of a batch order are delivered by the studio', async () => {
    const printed = await placeOrder(onePrint(25), ['Ada'])
    expect(printed).toMatchObject({ delivery: 'studio', shippingName: 'Studio Shipping', shippingAddress: null })
  })

  it('an order of only downloads is delivered as files', async () => {
    const download = packageItem({ id: 80, productCode: 'SingleDigDown', textNodes: [] })
    const files = await placeOrder({ ...onePrint(25), items: [download] })
    expect(files).toMatchObject({ delivery: 'download', shippingName: '', shippingAddress: null })
    expect(files.lines[0]?.items[0]?.productCode).toBe('SingleDigDown')
  })

  it('one receipt is emailed, with the customer’s name escaped and no line break in the subject', async () => {
    const { deps, orderNumber, fixtures, totalCents } = await setUp()
    const { id } = await deps.db.selectFrom('orders').select('id').executeTakeFirstOrThrow()
    await deps.db.updateTable('orders').set({ first_name: '<b>Grace</b>' }).execute()
    await deps.db.updateTable('studios').set({ name: 'River\nside' }).where('id', '=', fixtures.studioId).execute()
    await sendReceiptEmail(deps, { studioId: fixtures.studioId, orderId: id })
    await sendReceiptEmail(deps, { studioId: fixtures.studioId, orderId: id })
    const mails = await deps.db.selectFrom('mail_log').selectAll().execute()
    expect(mails).toHaveLength(1)
    const [mail] = mails
    expect(mail).toMatchObject({ kind: 'receipt', to_email: 'Grace@Example.com', state: 'kept' })
    expect(mail?.subject).toBe(`Your order ${orderNumber} with River side`)
    const dollars = `$${(totalCents / 100).toFixed(2)}`
    for (const part of [orderNumber, 'Ada Lovelace', '$50.00', dollars, '4242']) expect(mail?.body_text).toContain(part)
    expect(mail?.body_html).toContain('&lt;b&gt;Grace')
    expect(mail?.body_html).not.toContain('<b>')
  })
})
