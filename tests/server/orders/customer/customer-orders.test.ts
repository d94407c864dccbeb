import { describe, expect, it } from 'vitest'
import { sendReceiptEmail } from '#server/orders/emails/order-emails.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import { packageItem, textNode } from '../../../domain/cart/cart-fixtures.ts'
import { nameAndYear } from '../../../domain/cart/order-service-fixtures.ts'
import { completeLineContent, customise, onePrint } from '../../carts/cart-fixtures.ts'
import { seedOrderServices, setService } from '../../carts/order-service-fixtures.ts'
import { readyToPay } from '../../payments/checkout-driver.ts'

describe.each(enginesFor(import.meta.filename))('customer orders on $name', (engine) => {
  const database = freshDatabase(engine)

  const begin = async () => {
    const time = manualClock()
    const deps = testDeps(database(), time)
    const app = await testApp(deps)
    const ready = await readyToPay(deps, app)
    const { data } = await ready.till.submit(ready.paying())
    const orderNumber: string = data.orderNumber
    const search = (orderNumber: string, email: string, headers: Record<string, string> = {}) =>
      app.inject({ url: '/api/customer/cart/search/', query: { orderNumber, email }, headers })
    return { deps, app, orderNumber, search, ...ready }
  }

  it('an order is found by number and email in any spelling, without a session', async () => {
    const { app, orderNumber, search, shop } = await begin()
    const typed = orderNumber.toLowerCase().replace('fp-', 'fp ')
    const found = await search(typed, ' grace@EXAMPLE.com')
    expect(found.statusCode).toBe(200)
    expect(found.json().data).toMatchObject({ jobId: shop.jobId, orderNumber, order: { orderNumber, state: 'placed' } })
    // The session gets a grant for the order, but not for the subject's images.
    expect(found.json().data.order.lines[0]).toMatchObject({ personName: 'Ada Lovelace', imageThumbnailUrl: null })
    const [cookie] = found.cookies
    const cookies = { fieldproof_session: cookie?.value ?? '' }
    const again = await app.inject({ url: `/api/customer/jobs/${shop.jobId}/orders/${orderNumber}`, cookies })
    expect(again.json().data).toEqual(found.json().data.order)
    const job = await app.inject({ url: `/api/customer/jobs/${shop.jobId}/cart?orderMethod=gallery`, cookies })
    expect(job.json().problem).toBe('code-needed')
  })

  it('a wrong number and a wrong email get the same response', async () => {
    const { orderNumber, search } = await begin()
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

  it('searches slow down after failures, and the right one still succeeds', async () => {
    const { deps, orderNumber, search } = await begin()
    for (let guess = 0; guess < 10; guess += 1) await search('FP-00000000', 'grace@example.com')
    const started = deps.clock().getTime()
    expect((await search(orderNumber, 'grace@example.com')).statusCode).toBe(200)
    expect(deps.clock().getTime() - started).toBeGreaterThanOrEqual(2000)
  })

  it('an order is shown only under its own job', async () => {
    const { orderNumber, till, app, shop, parent } = await begin()
    expect(await till.order(orderNumber)).toMatchObject({ orderNumber, delivery: 'home' })
    const elsewhere = await app.inject({
      url: `/api/customer/jobs/${shop.jobId + 1}/orders/${orderNumber}`,
      headers: parent.headers,
    })
    expect(elsewhere.statusCode).toBe(404)
  })

  /** Orders a package with these texts, shipped to the studio. */
  const ordered = async (offered: ReturnType<typeof onePrint>, values: readonly string[] = []) => {
    const deps = testDeps(database(), manualClock())
    const { till, line, made, shop, checkoutId, paying } = await readyToPay(deps, await testApp(deps), offered)
    const [nodes, content] = [made.items.flatMap((item) => item.textNodes), completeLineContent(made, shop.adaImageId)]
    const textNodes = nodes.map(({ id }, at) => ({
      packageItemTextNodeId: id,
      value: values[at] ?? '',
      autoFilled: true,
    }))
    await till.sync([customise(line.lineId, { ...content, textNodes })])
    await till.keep(checkoutId, { isPartOfBatchOrder: true })
    const { totalCents } = await till.totals()
    const { data } = await till.submit(paying({ totalCents }))
    return await till.order(data.orderNumber)
  }

  it('texts fed by an email address or phone number are masked', async () => {
    const textNodes = ['E-mail', 'Mobile', 'First Name'].map((dataSource, at) => textNode({ id: 71 + at, dataSource }))
    const print = packageItem({ id: 70, name: '8x10 Print', productCode: '8x10', textNodes })
    const { lines } = await ordered({ ...onePrint(25), items: [print] }, ['ada@engine.test', '555-123-4567', 'Ada'])
    const texts = ['ad***@engine.test', '***-***-4567', 'Ada']
    expect(lines[0]?.items).toEqual([{ name: '8x10 Print', productCode: '8x10', texts }])
  })

  it('an order shows the printed name and year, and which image is retouched', async () => {
    const deps = testDeps(database(), manualClock())
    const app = await testApp(deps)
    const { till, made, shop, paying, checkoutId } = await readyToPay(deps, app)
    const { basic, personal } = await seedOrderServices(deps, shop)
    await deps.db.updateTable('jobs').set({ image_level_service: true }).where('id', '=', shop.jobId).execute()
    const other = await shop.giveImage({ subjectId: shop.adaId })
    const personalization = nameAndYear('Ada L.', { yearOnAllPrints: false, yearOnWallets: true })
    await till.sync([
      setService(basic, shop.adaId, { imageLookupId: shop.adaImageId }),
      setService(basic, shop.adaId, { imageLookupId: other }),
      setService(personal, shop.adaId, { personalization }),
    ])
    await till.keep(checkoutId)
    const { totalCents } = await till.totals()
    const { data } = await till.submit(paying({ totalCents }))
    const order = await till.order(data.orderNumber)
    const thumbnail = (imageId: number) => expect.stringContaining(`/${imageId}/thumb-`)
    expect(order.lines).toMatchObject([
      { packageName: made.name, imageThumbnailUrl: thumbnail(shop.adaImageId) },
      { packageName: 'Basic', imageThumbnailUrl: thumbnail(shop.adaImageId), retouchedIn: [made.name] },
      { packageName: 'Basic', imageThumbnailUrl: thumbnail(other), retouchedIn: [] },
      { packageName: 'Name and year', imageThumbnailUrl: null, personalization },
    ])
    const query = { orderNumber: data.orderNumber, email: 'grace@example.com' }
    const found = (await app.inject({ url: '/api/customer/cart/search/', query })).json().data.order
    expect(found.lines[1]).toMatchObject({ imageThumbnailUrl: null, retouchedIn: [made.name] })
    expect(found.lines[3].personalization).toEqual(personalization)
  })

  it('prints to be handed out are delivered by the studio', async () => {
    const printed = await ordered(onePrint(25), ['Ada'])
    expect(printed).toMatchObject({ delivery: 'studio', shippingName: 'Studio Shipping', shippingAddress: null })
  })

  it('an order of only downloads is delivered as files', async () => {
    const download = packageItem({ id: 80, productCode: 'SingleDigDown', textNodes: [] })
    const files = await ordered({ ...onePrint(25), items: [download] })
    expect(files).toMatchObject({ delivery: 'download', shippingName: '', shippingAddress: null })
    expect(files.lines[0]?.items[0]?.productCode).toBe('SingleDigDown')
  })

  it('one receipt is emailed, with all customer input escaped', async () => {
    const { deps, orderNumber, shop, totalCents } = await begin()
    const { id } = await deps.db.selectFrom('orders').select('id').executeTakeFirstOrThrow()
    await deps.db.updateTable('orders').set({ first_name: '<b>Grace</b>' }).execute()
    await deps.db.updateTable('studios').set({ name: 'River\nside' }).where('id', '=', shop.studioId).execute()
    await sendReceiptEmail(deps, { studioId: shop.studioId, orderId: id })
    await sendReceiptEmail(deps, { studioId: shop.studioId, orderId: id })
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
