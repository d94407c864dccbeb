import { describe, expect, it } from 'vitest'
import type { Deps } from '#server/deps.ts'
import { reconcilePayment } from '#server/payments/attempts/reconcile-payments.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import {
  acceptVersion,
  addLine,
  completeLineContent,
  customiseLine,
  newUuid,
  onePrint,
  setQuantity,
  statuses,
} from '#tests/server/carts/cart-fixtures.ts'
import { removeFeatures } from '#tests/server/carts/order-service-fixtures.ts'
import { checkoutDriver, readyToPay, unreliablePayment, withPauses } from '../checkout-driver.ts'

describe.each(enginesFor(import.meta.filename))('submitting a checkout on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async (overrides: (deps: Deps) => Partial<Deps> = () => ({})) => {
    const time = manualClock()
    const defaultDeps = testDeps(database(), time)
    const jobs: { name: string; payload: unknown }[] = []
    const enqueue: Deps['jobs']['enqueue'] = async (_tx, name, payload) => void jobs.push({ name, payload })
    const deps = { ...defaultDeps, jobs: { enqueue }, ...overrides(defaultDeps) }
    const app = await testApp(deps)
    return { deps, app, jobs, advance: time.advance, ...(await readyToPay(deps, app)) }
  }
  const counts = async ({ db }: Deps) => {
    const [orders, ledger, attempts] = await Promise.all([
      db.selectFrom('orders').select('id').execute(),
      db.selectFrom('ledger').select('amount_cents').execute(),
      db.selectFrom('payment_attempts').select('state').orderBy('created_at').orderBy('id').execute(),
    ])
    return {
      orders: orders.length,
      charges: ledger.map((row) => row.amount_cents),
      attempts: attempts.map((row) => row.state),
    }
  }

  it('the parts of packages, shipping and tax add up to the total', async () => {
    const { driver } = await setUp()
    const shipping = 695 + 100
    const tax = Math.round(5000 * 0.0725) + Math.round(shipping * 0.0575)
    expect(await driver.totals()).toEqual({
      packagesCents: 5000,
      servicesCents: 0,
      discountCents: 0,
      lateFeeCents: 0,
      shippingCents: shipping,
      taxCents: tax,
      totalCents: 5000 + shipping + tax,
    })
  })

  it('a payment creates one order with everything that belongs to it', async () => {
    const { deps, driver, submitBody, totalCents, jobs, line, fixtures } = await setUp()
    const paid = await driver.submit(submitBody())
    expect(paid).toMatchObject({ status: 200, data: { outcome: 'ordered' } })
    const { orderNumber } = paid.data
    expect(orderNumber).toMatch(/^FP-[0-9A-HJKMNP-TV-Z]{8}$/)
    expect(await counts(deps)).toEqual({ orders: 1, charges: [totalCents], attempts: ['succeeded'] })
    expect(jobs.map(({ name }) => name)).toEqual(['reconcile-payment', 'send-receipt'])
    const order = await driver.order(orderNumber)
    expect(order).toMatchObject({
      orderNumber,
      jobId: fixtures.jobId,
      jobName: 'Spring Portraits',
      studioSlug: 'riverside',
      state: 'placed',
      customer: { firstName: 'Grace', email: 'Grace@Example.com' },
      shippingAddress: { city: 'Dayton' },
      shippingName: 'Standard Shipping',
      totals: { totalCents },
      cardEnding: '4242',
    })
    expect(order.lines).toMatchObject([
      {
        packageName: 'Package for 25',
        subjectName: 'Ada Lovelace',
        quantity: 2,
        totalCents: 5000,
        items: [{ texts: ['Ada'] }],
      },
    ])
    expect(order.lines[0]?.imageThumbnailUrl).toMatch(/^\/photos\//)
    const lines = await deps.db.selectFrom('order_lines').selectAll().execute()
    expect(lines).toMatchObject([{ line_id: line.lineId, unit_cents: 2500, amount_cents: 5000, tax_cents: 363 }])
    // The cart is ordered, and the next one is empty.
    expect(await driver.cart()).toMatchObject({ id: null, cartPackages: [] })
    const savedCheckout = await driver.request(
      'GET',
      `checkout?orderMethod=gallery&checkoutId=${submitBody().checkoutId}`,
    )
    expect(savedCheckout.data).toMatchObject({ orderNumber, details: { paymentToken: null } })
  })

  it('a retry and another attempt for the same cart return the same order', async () => {
    const { deps, driver, submitBody, totalCents } = await setUp()
    const body = submitBody()
    const { data } = await driver.submit(body)
    expect((await driver.submit(body)).data).toEqual(data)
    expect((await driver.submit(submitBody())).data).toEqual(data)
    expect(await counts(deps)).toEqual({ orders: 1, charges: [totalCents], attempts: ['succeeded'] })
    expect(await driver.submit({ ...body, totalCents: 1 })).toMatchObject({ status: 422, problem: 'refused' })
  })

  it('a double tap is charged once', async () => {
    const { deps, driver, submitBody, totalCents } = await setUp()
    const body = submitBody()
    const answers = await Promise.all([body, body, submitBody(), body].map((sentBody) => driver.submit(sentBody)))
    expect(answers.map(({ status }) => status).every((status) => status === 200 || status === 409)).toBe(true)
    expect(answers.some(({ status }) => status === 200)).toBe(true)
    expect((await driver.submit(body)).status).toBe(200)
    expect(await counts(deps)).toMatchObject({ orders: 1, charges: [totalCents] })
  })

  it('a second tap returns the order that was placed while it was validated', async () => {
    const { deps, driver, fixtures, session, submitBody } = await setUp()
    const reachedQuery = Promise.withResolvers<void>()
    const paid = Promise.withResolvers<void>()
    const db = withPauses(deps.db, async (statement) => {
      if (!statement.includes('a.settled_at is null')) return
      reachedQuery.resolve()
      await paid.promise
    })
    const slowDriver = checkoutDriver(await testApp({ ...deps, db }), fixtures, session)
    const slowAnswer = slowDriver.submit(submitBody())
    await reachedQuery.promise
    const { data } = await driver.submit(submitBody())
    paid.resolve()
    expect(await slowAnswer).toMatchObject({ status: 200, data })
    expect(await counts(deps)).toMatchObject({ orders: 1, attempts: ['succeeded'] })
  })

  it('a declined card unlocks the cart, and the next card pays', async () => {
    const { deps, driver, submitBody, totalCents, line } = await setUp()
    const declined = await driver.submit(submitBody({ paymentToken: 'test_declined' }))
    expect(declined).toMatchObject({ status: 422, problem: 'payment-declined' })
    expect(declined.errors?.[0]).toContain('declined')
    const insufficient = submitBody({ paymentToken: 'test_insufficient' })
    expect((await driver.submit(insufficient)).problem).toBe('payment-declined')
    expect((await driver.submit(insufficient)).problem).toBe('payment-declined')
    expect(await driver.cart()).toMatchObject({ state: 'open', cartPackages: [{ lineId: line.lineId }] })
    expect(await driver.submit(submitBody())).toMatchObject({ status: 200 })
    expect(await counts(deps)).toEqual({
      orders: 1,
      charges: [totalCents],
      attempts: ['declined', 'declined', 'succeeded'],
    })
  })

  it('a payment that requires authentication follows the answer', async () => {
    const { deps, driver, submitBody } = await setUp()
    const body = submitBody({ paymentToken: 'test_authenticate' })
    const action = { provider: 'test', clientSecret: null, publishableKey: null, account: null }
    const requiresAction = { outcome: 'requires-action', orderNumber: null, action }
    expect((await driver.submit(body)).data).toEqual(requiresAction)
    expect((await driver.submit(body)).data).toEqual(requiresAction)
    expect(await driver.cart()).toMatchObject({ state: 'frozen' })
    expect((await driver.submit({ ...body, authentication: 'cancelled' })).problem).toBe('payment-declined')
    const next = submitBody({ paymentToken: 'test_authenticate' })
    await driver.submit(next)
    expect((await driver.submit({ ...next, authentication: 'confirmed' })).data).toMatchObject({ outcome: 'ordered' })
    expect(await counts(deps)).toMatchObject({ orders: 1, attempts: ['declined', 'succeeded'] })
  })

  it('cart and details are frozen while the outcome is unknown', async () => {
    const connection = unreliablePayment(testDeps(database()).payment)
    const {
      driver,
      submitBody,
      line: addedLine,
      offeredPackage,
      fixtures,
      checkoutId,
    } = await setUp(() => ({ payment: connection.payment }))
    connection.broken.charge = 'before'
    connection.broken.find = true
    expect(await driver.submit(submitBody())).toMatchObject({ status: 409, problem: 'in-flight' })
    expect(await driver.cart()).toMatchObject({ state: 'frozen' })
    expect(
      statuses(
        (await driver.sync([setQuantity(addedLine.lineId, 5), addLine(offeredPackage, fixtures.adaId)])).results,
      ),
    ).toEqual(['cart-closed', 'cart-closed'])
    expect(await driver.saveDetails(checkoutId)).toMatchObject({ status: 422, problem: 'refused' })
    expect(await driver.submit(submitBody())).toMatchObject({ status: 409, problem: 'in-flight' })
  })

  it("a retry takes the outcome of a lost response from the provider's record", async () => {
    const connection = unreliablePayment(testDeps(database()).payment)
    const { deps, driver, submitBody, totalCents } = await setUp(() => ({ payment: connection.payment }))
    connection.broken.charge = 'after'
    const body = submitBody()
    expect((await driver.submit(body)).status).toBe(409)
    expect(await driver.submit(body)).toMatchObject({ status: 200, data: { outcome: 'ordered' } })
    expect(connection.charges).toHaveLength(1)
    expect(await counts(deps)).toEqual({ orders: 1, charges: [totalCents], attempts: ['succeeded'] })
  })

  it('a retry charges an attempt whose server was killed before the charge', async () => {
    const connection = unreliablePayment(testDeps(database()).payment)
    const { deps, driver, fixtures, session, submitBody, totalCents, advance } = await setUp(() => ({
      payment: connection.payment,
    }))
    const hasBegun = async () => (await counts(deps)).attempts.length > 0
    const db = withPauses(deps.db, async (statement) => {
      if (statement.includes('from payment_attempts a') && (await hasBegun())) throw new Error('killed')
    })
    const body = submitBody()
    const killed = checkoutDriver(await testApp({ ...deps, db }), fixtures, session)
    expect((await killed.submit(body)).status).toBe(500)
    expect(await counts(deps)).toEqual({ orders: 0, charges: [], attempts: ['charging'] })

    // This early the attempt may be a request in progress.
    expect((await driver.submit(body)).status).toBe(409)
    expect(connection.charges).toHaveLength(0)
    advance(5_000)
    connection.broken.find = true
    expect((await driver.submit(body)).status).toBe(409)
    expect(connection.charges).toHaveLength(0)
    connection.broken.find = false
    const taps = await Promise.all([driver.submit(body), driver.submit(body)])
    for (const tap of taps) expect(tap).toMatchObject({ status: 200, data: { outcome: 'ordered' } })
    expect(await counts(deps)).toEqual({ orders: 1, charges: [totalCents], attempts: ['succeeded'] })
  })

  it('a background job settles an attempt whose server was killed between charge and order', async () => {
    const { deps, driver, submitBody, totalCents, fixtures, jobs } = await setUp((defaultDeps) => ({
      // Simulates a process that dies right after the charge.
      payment: {
        ...defaultDeps.payment,
        charge: async (charge) => {
          await defaultDeps.payment.charge(charge)
          throw new Error('killed')
        },
      },
    }))
    const body = submitBody()
    await driver.submit(body)
    expect(await counts(deps)).toMatchObject({ orders: 0, attempts: ['unknown'] })
    const [pending] = jobs
    expect(pending).toEqual({
      name: 'reconcile-payment',
      payload: { studioId: fixtures.studioId, attemptId: body.attemptId },
    })
    const key = { studioId: fixtures.studioId, attemptId: body.attemptId }
    await reconcilePayment(deps, key)
    await reconcilePayment(deps, key)
    expect(await counts(deps)).toEqual({ orders: 1, charges: [totalCents], attempts: ['succeeded'] })
    expect((await driver.submit(body)).data).toMatchObject({ outcome: 'ordered' })
  })

  it('a payment that the provider never received is closed and can never be charged', async () => {
    const connection = unreliablePayment(testDeps(database()).payment)
    const { deps, driver, submitBody, fixtures, advance } = await setUp(() => ({ payment: connection.payment }))
    connection.broken.charge = 'before'
    const body = submitBody()
    await driver.submit(body)
    const key = { studioId: fixtures.studioId, attemptId: body.attemptId }
    await expect(reconcilePayment(deps, key)).rejects.toThrow('still unknown')
    advance(10 * 60 * 1000)
    await reconcilePayment(deps, key)
    expect(await driver.cart()).toMatchObject({ state: 'open' })
    expect(await driver.submit(body)).toMatchObject({ status: 422, problem: 'payment-declined' })
    connection.broken.charge = 'none'
    const lateCharge = {
      attemptId: body.attemptId,
      amountCents: 1,
      currency: 'usd',
      paymentToken: 'test_visa',
      account: null,
      platformFeeCents: 0,
      beganAt: deps.clock(),
    }
    expect(await deps.payment.charge(lateCharge)).toMatchObject({ state: 'declined' })
    expect(await driver.submit(submitBody())).toMatchObject({ status: 200 })
    expect(await counts(deps)).toMatchObject({ orders: 1, attempts: ['declined', 'succeeded'] })
  })

  it('an unanswered authentication is closed after an hour, or immediately if the customer pays again', async () => {
    const { deps, driver, submitBody, fixtures, advance } = await setUp()
    const pending = submitBody({ paymentToken: 'test_authenticate' })
    await driver.submit(pending)
    const key = { studioId: fixtures.studioId, attemptId: pending.attemptId }
    await expect(reconcilePayment(deps, key)).rejects.toThrow('still requires_action')
    advance(60 * 60 * 1000)
    await reconcilePayment(deps, key)
    expect(await driver.cart()).toMatchObject({ state: 'open' })
    await driver.submit(submitBody({ paymentToken: 'test_authenticate' }))
    // The end of the former attempt unlocks the cart and changes its version.
    expect((await driver.submit(submitBody())).problem).toBe('totals-changed')
    expect((await driver.submit(submitBody())).status).toBe(200)
    expect(await counts(deps)).toMatchObject({ orders: 1, attempts: ['declined', 'declined', 'succeeded'] })
  })

  it("a total that differs from the server's and a missing payment token are refused", async () => {
    const { deps, driver, submitBody, totalCents } = await setUp()
    expect((await driver.submit(submitBody({ totalCents: totalCents - 1 }))).problem).toBe('totals-changed')
    expect((await driver.submit(submitBody({ paymentToken: null }))).fields).toHaveProperty('paymentToken')
    expect(await counts(deps)).toEqual({ orders: 0, charges: [], attempts: [] })
    expect(await driver.cart()).toMatchObject({ state: 'open' })
  })

  it('a total above the maximum is refused, and a smaller cart is accepted', async () => {
    const deps = testDeps(database(), manualClock())
    const { driver, submitBody, line, totalCents } = await readyToPay(deps, await testApp(deps), onePrint(500_000))
    expect(totalCents).toBeGreaterThan(99_999_999)
    const refused = await driver.submit(submitBody())
    expect(refused).toMatchObject({ status: 422, problem: 'refused' })
    expect(refused.errors).toEqual(['An order can come to $999,999.99 at most. Please order it in parts'])
    expect(await counts(deps)).toEqual({ orders: 0, charges: [], attempts: [] })
    expect(await driver.cart()).toMatchObject({ state: 'open' })
    await driver.sync([setQuantity(line.lineId, 1)])
    expect((await driver.submit(submitBody({ totalCents: (await driver.totals()).totalCents }))).status).toBe(200)
  })

  it('changed prices are refused until accepted, and archived packages are refused', async () => {
    const { deps, driver, submitBody, offeredPackage, line, fixtures } = await setUp()
    const next = await fixtures.revise(offeredPackage, { retailCost: 40 })
    expect((await driver.request('GET', 'checkout/totals?orderMethod=gallery')).problem).toBe('prices-changed')
    const refused = await driver.submit(submitBody())
    expect(refused).toMatchObject({ problem: 'prices-changed', fields: { [line.lineId]: [expect.any(String)] } })
    await driver.sync([acceptVersion(line.lineId, next.version)])
    const { packagesCents, totalCents } = await driver.totals()
    expect(packagesCents).toBe(8000)
    await deps.db
      .updateTable('packages')
      .set({ archived_at: deps.clock() })
      .where('id', '=', offeredPackage.id)
      .execute()
    expect(await driver.submit(submitBody({ totalCents }))).toMatchObject({ problem: 'refused' })
    await deps.db.updateTable('packages').set({ archived_at: null }).where('id', '=', offeredPackage.id).execute()
    expect((await driver.submit(submitBody({ totalCents }))).status).toBe(200)
  })

  it('downloads are refused if the studio no longer sells them, also together with prints', async () => {
    const { deps, driver, submitBody, offeredPackage, line, fixtures } = await setUp()
    const withFile = offeredPackage.items.map((item) => ({ ...item, productCode: 'SingleDigDown' }))
    const digital = await fixtures.revise(offeredPackage, { items: withFile })
    await driver.sync([acceptVersion(line.lineId, digital.version)])
    const prints = await fixtures.offer(onePrint(10))
    const printLine = addLine(prints, fixtures.adaId, completeLineContent(prints, fixtures.adaImageId))
    await driver.sync([printLine])
    const { totalCents } = await driver.totals()
    await removeFeatures(deps)
    const refused = await driver.submit(submitBody({ totalCents }))
    expect(refused).toMatchObject({ status: 422, problem: 'refused' })
    expect(refused.errors).toEqual(['“Package for 25” for Ada is no longer offered. Please remove it'])
    expect(Object.keys(refused.fields)).toEqual([line.lineId])
    expect((await driver.request('GET', 'checkout/totals?orderMethod=gallery')).problem).toBe('refused')
    await fixtures.revise(digital, { items: offeredPackage.items })
    expect(await driver.submit(submitBody({ totalCents }))).toMatchObject({ problem: 'prices-changed' })
    expect(await counts(deps)).toEqual({ orders: 0, charges: [], attempts: [] })
  })

  it('downloads are sold again once the studio has the feature', async () => {
    const { deps, driver, submitBody, offeredPackage, line, fixtures } = await setUp()
    const digital = await fixtures.revise(offeredPackage, {
      items: offeredPackage.items.map((item) => ({ ...item, productCode: 'WholeDigDown' })),
    })
    await driver.sync([acceptVersion(line.lineId, digital.version)])
    const { totalCents } = await driver.totals()
    const features = await deps.db.selectFrom('studio_features').selectAll().execute()
    await removeFeatures(deps)
    expect(await driver.submit(submitBody({ totalCents }))).toMatchObject({ problem: 'refused' })
    await deps.db.insertInto('studio_features').values(features).execute()
    expect((await driver.submit(submitBody({ totalCents }))).status).toBe(200)
  })

  it('a studio that is switched off sells nothing', async () => {
    const { deps, driver, submitBody } = await setUp()
    await deps.db.updateTable('studios').set({ rspo_enabled: false }).execute()
    expect(await driver.submit(submitBody())).toMatchObject({ status: 422, problem: 'refused' })
    expect(await counts(deps)).toEqual({ orders: 0, charges: [], attempts: [] })
  })

  it('an incomplete cart is refused with what is missing', async () => {
    const { driver, submitBody, line, offeredPackage, fixtures } = await setUp()
    const { imageNodes, textNodes = [] } = completeLineContent(offeredPackage, fixtures.adaImageId)
    await driver.sync([
      customiseLine(line.lineId, { imageNodes, textNodes: textNodes.map((textNode) => ({ ...textNode, value: ' ' })) }),
    ])
    const refused = await driver.submit(submitBody())
    expect(refused).toMatchObject({ status: 422, problem: 'cart-incomplete' })
    expect(refused.errors?.[0]).toContain('“Package for 25” for Ada is not finished yet: First line')
    expect(Object.keys(refused.fields)).toEqual([line.lineId])
  })

  it("incomplete details are saved, and submit reports the form's messages", async () => {
    const { driver, submitBody, checkoutId } = await setUp()
    const empty = { firstName: '', lastName: '', address1: '', address2: '', city: '', state: '', zip: '' }
    const incompleteDetails = {
      customer: { firstName: 'G', lastName: '', email: 'grace@nowhere', phone: '12' },
      billingAddress: { ...empty, address1: '1', city: 'Dayton', state: 'OH', zip: '90210' },
      shippingAddress: { ...empty, state: 'XX', zip: '1' },
      shippingAddressSameAsBillingAddress: false,
      shippingOption: { code: '' },
    }
    expect((await driver.saveDetails(checkoutId, incompleteDetails)).data.details).toMatchObject(incompleteDetails)
    const { totalCents } = await driver.totals()
    const refused = await driver.submit(submitBody({ totalCents }))
    expect(refused).toMatchObject({ status: 422, problem: 'refused', errors: ['Please fix the fields marked below'] })
    expect(refused.fields).toEqual({
      'customer.lastName': ['This field is required'],
      'customer.email': ['This value is not a valid email address'],
      'customer.phone': ['This value is not a valid phone number'],
      'billingAddress.zip': ['This ZIP code is not in OH'],
      'shippingAddress.firstName': ['This field is required'],
      'shippingAddress.lastName': ['This field is required'],
      'shippingAddress.address1': ['This field is required'],
      'shippingAddress.city': ['This field is required'],
      'shippingAddress.state': ['This value is not a state we know'],
      'shippingOption.code': ['This field is required'],
    })
  })

  it('standard shipping is refused for a military address, and a batch order goes to the studio without shipping costs', async () => {
    const { driver, submitBody, checkoutId } = await setUp()
    const military = {
      firstName: 'G',
      lastName: 'H',
      address1: 'Unit 1',
      address2: '',
      city: 'APO',
      state: 'AE',
      zip: '09001',
    }
    const militaryDetails = { shippingAddress: military, shippingAddressSameAsBillingAddress: false }
    await driver.saveDetails(checkoutId, militaryDetails)
    const { totalCents } = await driver.totals()
    const refused = await driver.submit(submitBody({ totalCents }))
    expect(refused.fields).toEqual({ 'shippingOption.code': ['This shipping option is not offered for this address'] })
    await driver.saveDetails(checkoutId, { isPartOfBatchOrder: true, mailToHome: false, shippingOption: { code: '' } })
    const totals = await driver.totals()
    expect(totals.shippingCents).toBe(0)
    const { data } = await driver.submit(submitBody({ totalCents: totals.totalCents }))
    expect(await driver.order(data.orderNumber)).toMatchObject({
      shippingName: 'Studio Shipping',
      shippingAddress: null,
    })
  })

  it('a total of zero needs no card', async () => {
    const { deps, driver, submitBody, checkoutId, fixtures, line } = await setUp()
    const free = await fixtures.offer({
      name: 'Gift',
      retailCost: 0,
      altName: null,
      altDescription: null,
      items: [],
      packageAddon: { type: 'standard', requiredMinPrice: null, requiresStandard: false, packageId: null },
    })
    await driver.sync([addLine(free, fixtures.adaId), setQuantity(line.lineId, 0)])
    await driver.saveDetails(checkoutId, { payMethod: 'none' })
    expect((await driver.totals()).totalCents).toBe(0)
    const paid = await driver.submit(submitBody({ totalCents: 0, paymentToken: null }))
    expect(paid).toMatchObject({ status: 200, data: { outcome: 'ordered' } })
    expect(await counts(deps)).toEqual({ orders: 1, charges: [], attempts: ['succeeded'] })
  })

  it('checkouts, attempts and orders are not visible to another session', async () => {
    const { app, driver, submitBody, fixtures, checkoutId } = await setUp()
    const stranger = checkoutDriver(app, fixtures, await fixtures.enter())
    const body = submitBody({ paymentToken: 'test_authenticate' })
    await driver.submit(body)
    expect((await stranger.submit(body)).problem).toBe('not-found')
    expect((await stranger.submit({ ...body, attemptId: newUuid() })).problem).toBe('not-found')
    const shown = await stranger.request('GET', `checkout?orderMethod=gallery&checkoutId=${checkoutId}`)
    expect(shown.data).toMatchObject({ details: null, orderNumber: null })
    const { data } = await driver.submit({ ...body, authentication: 'confirmed' })
    const strangerAnswer = await stranger.request('GET', `orders/${data.orderNumber}`)
    expect(strangerAnswer).toMatchObject({ status: 404, errors: ['Could not find this order'] })
    await stranger.sync([
      addLine(
        await fixtures.offer({
          name: 'Gift',
          retailCost: 1,
          altName: null,
          altDescription: null,
          items: [],
          packageAddon: { type: 'standard', requiredMinPrice: null, requiresStandard: false, packageId: null },
        }),
        fixtures.adaId,
      ),
    ])
    expect((await stranger.saveDetails(checkoutId)).problem).toBe('conflict')
  })

  it('the checkout shows its options', async () => {
    const { driver, checkoutId } = await setUp()
    const { data } = await driver.request('GET', 'checkout?orderMethod=gallery')
    expect(data).toMatchObject({
      checkoutId,
      shippingOptions: [
        { code: 'standard', name: 'Standard Shipping', priceCents: 795 },
        { code: 'priority', name: 'Priority Shipping', priceCents: 1295 },
      ],
      delivery: { batch: true, home: true },
      payment: { provider: 'test', publishableKey: null },
      orderNumber: null,
    })
  })

  it('a device that lost its data continues with a new checkout id', async () => {
    const { driver, submitBody } = await setUp()
    await driver.submit(submitBody({ paymentToken: 'test_declined' }))
    const checkoutId = newUuid()
    expect((await driver.saveDetails(checkoutId)).data.checkoutId).toBe(checkoutId)
    expect((await driver.submit(submitBody({ checkoutId }))).status).toBe(200)
  })
})
