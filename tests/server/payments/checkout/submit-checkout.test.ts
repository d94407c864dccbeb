import { describe, expect, it } from 'vitest'
import type { Deps } from '#server/deps.ts'
import { reconcilePayment } from '#server/payments/attempts/reconcile-payments.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import {
  accept,
  add,
  completeLineContent,
  customise,
  newUuid,
  onePrint,
  quantity,
  statuses,
} from '../../carts/cart-fixtures.ts'
import { removeFeatures } from '../../carts/order-service-fixtures.ts'
import { checkoutDriver, pausing, readyToPay, unreliablePayment } from '../checkout-driver.ts'

describe.each(enginesFor(import.meta.filename))('submitting a checkout on $name', (engine) => {
  const database = freshDatabase(engine)

  const begin = async (own: (deps: Deps) => Partial<Deps> = () => ({})) => {
    const time = manualClock()
    const plain = testDeps(database(), time)
    const jobs: { name: string; payload: unknown }[] = []
    const enqueue: Deps['jobs']['enqueue'] = async (_tx, name, payload) => void jobs.push({ name, payload })
    const deps = { ...plain, jobs: { enqueue }, ...own(plain) }
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
    const { till } = await begin()
    const shipping = 695 + 100
    const tax = Math.round(5000 * 0.0725) + Math.round(shipping * 0.0575)
    expect(await till.totals()).toEqual({
      packagesCents: 5000,
      servicesCents: 0,
      discountCents: 0,
      shippingCents: shipping,
      taxCents: tax,
      totalCents: 5000 + shipping + tax,
    })
  })

  it('a payment creates one order with everything that belongs to it', async () => {
    const { deps, till, paying, totalCents, jobs, line, shop } = await begin()
    const paid = await till.submit(paying())
    expect(paid).toMatchObject({ status: 200, data: { outcome: 'ordered' } })
    const { orderNumber } = paid.data
    expect(orderNumber).toMatch(/^FP-[0-9A-HJKMNP-TV-Z]{8}$/)
    expect(await counts(deps)).toEqual({ orders: 1, charges: [totalCents], attempts: ['succeeded'] })
    expect(jobs.map(({ name }) => name)).toEqual(['reconcile-payment', 'send-receipt'])
    const order = await till.order(orderNumber)
    expect(order).toMatchObject({
      orderNumber,
      jobId: shop.jobId,
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
        personName: 'Ada Lovelace',
        quantity: 2,
        totalCents: 5000,
        items: [{ texts: ['Ada'] }],
      },
    ])
    expect(order.lines[0]?.imageThumbnailUrl).toMatch(/^\/photos\//)
    const lines = await deps.db.selectFrom('order_lines').selectAll().execute()
    expect(lines).toMatchObject([{ line_id: line.lineId, unit_cents: 2500, amount_cents: 5000, tax_cents: 363 }])
    // The cart is ordered, and the next one is empty.
    expect(await till.cart()).toMatchObject({ id: null, cartPackages: [] })
    const kept = await till.ask('GET', `checkout?orderMethod=gallery&checkoutId=${paying().checkoutId}`)
    expect(kept.data).toMatchObject({ orderNumber, details: { paymentToken: null } })
  })

  it('a retry and another attempt for the same cart return the same order', async () => {
    const { deps, till, paying, totalCents } = await begin()
    const body = paying()
    const { data } = await till.submit(body)
    expect((await till.submit(body)).data).toEqual(data)
    expect((await till.submit(paying())).data).toEqual(data)
    expect(await counts(deps)).toEqual({ orders: 1, charges: [totalCents], attempts: ['succeeded'] })
    expect(await till.submit({ ...body, totalCents: 1 })).toMatchObject({ status: 422, problem: 'refused' })
  })

  it('a double tap is charged once', async () => {
    const { deps, till, paying, totalCents } = await begin()
    const body = paying()
    const answers = await Promise.all([body, body, paying(), body].map((one) => till.submit(one)))
    expect(answers.map(({ status }) => status).every((status) => status === 200 || status === 409)).toBe(true)
    expect(answers.some(({ status }) => status === 200)).toBe(true)
    expect((await till.submit(body)).status).toBe(200)
    expect(await counts(deps)).toMatchObject({ orders: 1, charges: [totalCents] })
  })

  it('a second tap returns the order that was placed while it was validated', async () => {
    const { deps, till, shop, parent, paying } = await begin()
    const looked = Promise.withResolvers<void>()
    const paid = Promise.withResolvers<void>()
    const db = pausing(deps.db, async (statement) => {
      if (!statement.includes('a.settled_at is null')) return
      looked.resolve()
      await paid.promise
    })
    const slow = checkoutDriver(await testApp({ ...deps, db }), shop, parent)
    const late = slow.submit(paying())
    await looked.promise
    const { data } = await till.submit(paying())
    paid.resolve()
    expect(await late).toMatchObject({ status: 200, data })
    expect(await counts(deps)).toMatchObject({ orders: 1, attempts: ['succeeded'] })
  })

  it('a declined card unlocks the cart, and the next card pays', async () => {
    const { deps, till, paying, totalCents, line } = await begin()
    const declined = await till.submit(paying({ paymentToken: 'test_declined' }))
    expect(declined).toMatchObject({ status: 422, problem: 'payment-declined' })
    expect(declined.errors?.[0]).toContain('declined')
    const poor = paying({ paymentToken: 'test_insufficient' })
    expect((await till.submit(poor)).problem).toBe('payment-declined')
    expect((await till.submit(poor)).problem).toBe('payment-declined')
    expect(await till.cart()).toMatchObject({ state: 'open', cartPackages: [{ lineId: line.lineId }] })
    expect(await till.submit(paying())).toMatchObject({ status: 200 })
    expect(await counts(deps)).toEqual({
      orders: 1,
      charges: [totalCents],
      attempts: ['declined', 'declined', 'succeeded'],
    })
  })

  it('a payment that requires authentication follows the answer', async () => {
    const { deps, till, paying } = await begin()
    const body = paying({ paymentToken: 'test_authenticate' })
    expect((await till.submit(body)).data).toEqual({ outcome: 'requires-action', orderNumber: null })
    expect((await till.submit(body)).data).toEqual({ outcome: 'requires-action', orderNumber: null })
    expect(await till.cart()).toMatchObject({ state: 'frozen' })
    expect((await till.submit({ ...body, authentication: 'cancelled' })).problem).toBe('payment-declined')
    const next = paying({ paymentToken: 'test_authenticate' })
    await till.submit(next)
    expect((await till.submit({ ...next, authentication: 'confirmed' })).data).toMatchObject({ outcome: 'ordered' })
    expect(await counts(deps)).toMatchObject({ orders: 1, attempts: ['declined', 'succeeded'] })
  })

  it('cart and details are frozen while the outcome is unknown', async () => {
    const line = unreliablePayment(testDeps(database()).payment)
    const { till, paying, line: added, made, shop, checkoutId } = await begin(() => ({ payment: line.payment }))
    line.broken.charge = 'before'
    line.broken.find = true
    expect(await till.submit(paying())).toMatchObject({ status: 409, problem: 'in-flight' })
    expect(await till.cart()).toMatchObject({ state: 'frozen' })
    expect(statuses((await till.sync([quantity(added.lineId, 5), add(made, shop.adaId)])).results)).toEqual([
      'cart-closed',
      'cart-closed',
    ])
    expect(await till.keep(checkoutId)).toMatchObject({ status: 422, problem: 'refused' })
    expect(await till.submit(paying())).toMatchObject({ status: 409, problem: 'in-flight' })
  })

  it("a retry settles a late response by the provider's own record", async () => {
    const line = unreliablePayment(testDeps(database()).payment)
    const { deps, till, paying, totalCents } = await begin(() => ({ payment: line.payment }))
    line.broken.charge = 'after'
    const body = paying()
    expect((await till.submit(body)).status).toBe(409)
    expect(await till.submit(body)).toMatchObject({ status: 200, data: { outcome: 'ordered' } })
    expect(line.charges).toHaveLength(1)
    expect(await counts(deps)).toEqual({ orders: 1, charges: [totalCents], attempts: ['succeeded'] })
  })

  it('a retry charges an attempt whose server was killed before the charge', async () => {
    const line = unreliablePayment(testDeps(database()).payment)
    const { deps, till, shop, parent, paying, totalCents, advance } = await begin(() => ({ payment: line.payment }))
    const hasBegun = async () => (await counts(deps)).attempts.length > 0
    const db = pausing(deps.db, async (statement) => {
      if (statement.includes('from payment_attempts a') && (await hasBegun())) throw new Error('killed')
    })
    const body = paying()
    const killed = checkoutDriver(await testApp({ ...deps, db }), shop, parent)
    expect((await killed.submit(body)).status).toBe(500)
    expect(await counts(deps)).toEqual({ orders: 0, charges: [], attempts: ['charging'] })

    // This early the attempt may be a request in progress.
    expect((await till.submit(body)).status).toBe(409)
    expect(line.charges).toHaveLength(0)
    advance(5_000)
    line.broken.find = true
    expect((await till.submit(body)).status).toBe(409)
    expect(line.charges).toHaveLength(0)
    line.broken.find = false
    const taps = await Promise.all([till.submit(body), till.submit(body)])
    for (const tap of taps) expect(tap).toMatchObject({ status: 200, data: { outcome: 'ordered' } })
    expect(await counts(deps)).toEqual({ orders: 1, charges: [totalCents], attempts: ['succeeded'] })
  })

  it('the background settles an attempt whose server was killed between charge and order', async () => {
    const { deps, till, paying, totalCents, shop, jobs } = await begin((plain) => ({
      // Simulates a process that dies right after the charge.
      payment: {
        ...plain.payment,
        charge: async (charge) => {
          await plain.payment.charge(charge)
          throw new Error('killed')
        },
      },
    }))
    const body = paying()
    await till.submit(body)
    expect(await counts(deps)).toMatchObject({ orders: 0, attempts: ['unknown'] })
    const [left] = jobs
    expect(left).toEqual({ name: 'reconcile-payment', payload: { studioId: shop.studioId, attemptId: body.attemptId } })
    const key = { studioId: shop.studioId, attemptId: body.attemptId }
    await reconcilePayment(deps, key)
    await reconcilePayment(deps, key)
    expect(await counts(deps)).toEqual({ orders: 1, charges: [totalCents], attempts: ['succeeded'] })
    expect((await till.submit(body)).data).toMatchObject({ outcome: 'ordered' })
  })

  it('a payment that the provider never received is closed and can never be charged', async () => {
    const line = unreliablePayment(testDeps(database()).payment)
    const { deps, till, paying, shop, advance } = await begin(() => ({ payment: line.payment }))
    line.broken.charge = 'before'
    const body = paying()
    await till.submit(body)
    const key = { studioId: shop.studioId, attemptId: body.attemptId }
    await expect(reconcilePayment(deps, key)).rejects.toThrow('still unknown')
    advance(10 * 60 * 1000)
    await reconcilePayment(deps, key)
    expect(await till.cart()).toMatchObject({ state: 'open' })
    expect(await till.submit(body)).toMatchObject({ status: 422, problem: 'payment-declined' })
    line.broken.charge = 'none'
    const late = {
      attemptId: body.attemptId,
      amountCents: 1,
      currency: 'usd',
      paymentToken: 'test_visa',
      account: null,
      commissionCents: 0,
      beganAt: deps.clock(),
    }
    expect(await deps.payment.charge(late)).toMatchObject({ state: 'declined' })
    expect(await till.submit(paying())).toMatchObject({ status: 200 })
    expect(await counts(deps)).toMatchObject({ orders: 1, attempts: ['declined', 'succeeded'] })
  })

  it('an unanswered authentication is closed, at once when the customer pays again', async () => {
    const { deps, till, paying, shop, advance } = await begin()
    const left = paying({ paymentToken: 'test_authenticate' })
    await till.submit(left)
    const key = { studioId: shop.studioId, attemptId: left.attemptId }
    await expect(reconcilePayment(deps, key)).rejects.toThrow('still requires_action')
    advance(60 * 60 * 1000)
    await reconcilePayment(deps, key)
    expect(await till.cart()).toMatchObject({ state: 'open' })
    await till.submit(paying({ paymentToken: 'test_authenticate' }))
    // The end of the former attempt unlocks the cart and changes its version.
    expect((await till.submit(paying())).problem).toBe('totals-changed')
    expect((await till.submit(paying())).status).toBe(200)
    expect(await counts(deps)).toMatchObject({ orders: 1, attempts: ['declined', 'declined', 'succeeded'] })
  })

  it("a total that differs from the server's is refused", async () => {
    const { deps, till, paying, totalCents } = await begin()
    expect((await till.submit(paying({ totalCents: totalCents - 1 }))).problem).toBe('totals-changed')
    expect((await till.submit(paying({ paymentToken: null }))).fields).toHaveProperty('paymentToken')
    expect(await counts(deps)).toEqual({ orders: 0, charges: [], attempts: [] })
    expect(await till.cart()).toMatchObject({ state: 'open' })
  })

  it('a total above the maximum is refused, and a smaller cart is accepted', async () => {
    const deps = testDeps(database(), manualClock())
    const { till, paying, line, totalCents } = await readyToPay(deps, await testApp(deps), onePrint(500_000))
    expect(totalCents).toBeGreaterThan(99_999_999)
    const refused = await till.submit(paying())
    expect(refused).toMatchObject({ status: 422, problem: 'refused' })
    expect(refused.errors).toEqual(['An order can come to $999,999.99 at most. Please order it in parts'])
    expect(await counts(deps)).toEqual({ orders: 0, charges: [], attempts: [] })
    expect(await till.cart()).toMatchObject({ state: 'open' })
    await till.sync([quantity(line.lineId, 1)])
    expect((await till.submit(paying({ totalCents: (await till.totals()).totalCents }))).status).toBe(200)
  })

  it('changed prices are refused until accepted, and withdrawn packages are refused', async () => {
    const { deps, till, paying, made, line, shop } = await begin()
    const next = await shop.revise(made, { retailCost: 40 })
    expect((await till.ask('GET', 'checkout/totals?orderMethod=gallery')).problem).toBe('prices-changed')
    const refused = await till.submit(paying())
    expect(refused).toMatchObject({ problem: 'prices-changed', fields: { [line.lineId]: [expect.any(String)] } })
    await till.sync([accept(line.lineId, next.version)])
    const { packagesCents, totalCents } = await till.totals()
    expect(packagesCents).toBe(8000)
    await deps.db.updateTable('packages').set({ archived_at: deps.clock() }).where('id', '=', made.id).execute()
    expect(await till.submit(paying({ totalCents }))).toMatchObject({ problem: 'refused' })
    await deps.db.updateTable('packages').set({ archived_at: null }).where('id', '=', made.id).execute()
    expect((await till.submit(paying({ totalCents }))).status).toBe(200)
  })

  it('downloads are refused if the studio no longer sells them, whatever else is in the cart', async () => {
    const { deps, till, paying, made, line, shop } = await begin()
    const withFile = made.items.map((item) => ({ ...item, productCode: 'SingleDigDown' }))
    const digital = await shop.revise(made, { items: withFile })
    await till.sync([accept(line.lineId, digital.version)])
    const prints = await shop.offer(onePrint(10))
    const beside = add(prints, shop.adaId, completeLineContent(prints, shop.adaImageId))
    await till.sync([beside])
    const { totalCents } = await till.totals()
    await removeFeatures(deps)
    const refused = await till.submit(paying({ totalCents }))
    expect(refused).toMatchObject({ status: 422, problem: 'refused' })
    expect(refused.errors).toEqual(['“Package for 25” for Ada is not on offer any more. Please remove it'])
    expect(Object.keys(refused.fields)).toEqual([line.lineId])
    expect((await till.ask('GET', 'checkout/totals?orderMethod=gallery')).problem).toBe('refused')
    await shop.revise(digital, { items: made.items })
    expect(await till.submit(paying({ totalCents }))).toMatchObject({ problem: 'prices-changed' })
    expect(await counts(deps)).toEqual({ orders: 0, charges: [], attempts: [] })
  })

  it('downloads are sold again once the studio has the feature', async () => {
    const { deps, till, paying, made, line, shop } = await begin()
    const digital = await shop.revise(made, {
      items: made.items.map((item) => ({ ...item, productCode: 'WholeDigDown' })),
    })
    await till.sync([accept(line.lineId, digital.version)])
    const { totalCents } = await till.totals()
    const features = await deps.db.selectFrom('studio_features').selectAll().execute()
    await removeFeatures(deps)
    expect(await till.submit(paying({ totalCents }))).toMatchObject({ problem: 'refused' })
    await deps.db.insertInto('studio_features').values(features).execute()
    expect((await till.submit(paying({ totalCents }))).status).toBe(200)
  })

  it('a studio that is switched off sells nothing', async () => {
    const { deps, till, paying } = await begin()
    await deps.db.updateTable('studios').set({ rspo_enabled: false }).execute()
    expect(await till.submit(paying())).toMatchObject({ status: 422, problem: 'refused' })
    expect(await counts(deps)).toEqual({ orders: 0, charges: [], attempts: [] })
  })

  it('an incomplete cart is refused with what is missing', async () => {
    const { till, paying, line, made, shop } = await begin()
    const { imageNodes, textNodes = [] } = completeLineContent(made, shop.adaImageId)
    await till.sync([
      customise(line.lineId, { imageNodes, textNodes: textNodes.map((one) => ({ ...one, value: ' ' })) }),
    ])
    const refused = await till.submit(paying())
    expect(refused).toMatchObject({ status: 422, problem: 'cart-incomplete' })
    expect(refused.errors?.[0]).toContain('“Package for 25” for Ada is not finished yet: First line')
    expect(Object.keys(refused.fields)).toEqual([line.lineId])
  })

  it("incomplete details are saved, and submit reports the form's messages", async () => {
    const { till, paying, checkoutId } = await begin()
    const empty = { firstName: '', lastName: '', address1: '', address2: '', city: '', state: '', zip: '' }
    const half = {
      customer: { firstName: 'G', lastName: '', email: 'grace@nowhere', phone: '12' },
      billingAddress: { ...empty, address1: '1', city: 'Dayton', state: 'OH', zip: '90210' },
      shippingAddress: { ...empty, state: 'XX', zip: '1' },
      shippingAddressSameAsBillingAddress: false,
      shippingOption: { code: '' },
    }
    expect((await till.keep(checkoutId, half)).data.details).toMatchObject(half)
    const { totalCents } = await till.totals()
    const refused = await till.submit(paying({ totalCents }))
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

  it('military addresses get only priority shipping, and batches go to the studio', async () => {
    const { till, paying, checkoutId } = await begin()
    const military = {
      firstName: 'G',
      lastName: 'H',
      address1: 'Unit 1',
      address2: '',
      city: 'APO',
      state: 'AE',
      zip: '09001',
    }
    const away = { shippingAddress: military, shippingAddressSameAsBillingAddress: false }
    await till.keep(checkoutId, away)
    const { totalCents } = await till.totals()
    const refused = await till.submit(paying({ totalCents }))
    expect(refused.fields).toEqual({ 'shippingOption.code': ['This shipping option is not offered for this address'] })
    await till.keep(checkoutId, { isPartOfBatchOrder: true, mailToHome: false, shippingOption: { code: '' } })
    const totals = await till.totals()
    expect(totals.shippingCents).toBe(0)
    const { data } = await till.submit(paying({ totalCents: totals.totalCents }))
    expect(await till.order(data.orderNumber)).toMatchObject({ shippingName: 'Studio Shipping', shippingAddress: null })
  })

  it('a total of zero needs no card', async () => {
    const { deps, till, paying, checkoutId, shop, line } = await begin()
    const free = await shop.offer({
      name: 'Gift',
      retailCost: 0,
      altName: null,
      altDescription: null,
      items: [],
      packageAddon: { type: 'standard', requiredMinPrice: null, requiresStandard: false, packageId: null },
    })
    await till.sync([add(free, shop.adaId), quantity(line.lineId, 0)])
    await till.keep(checkoutId, { payMethod: 'none' })
    expect((await till.totals()).totalCents).toBe(0)
    const paid = await till.submit(paying({ totalCents: 0, paymentToken: null }))
    expect(paid).toMatchObject({ status: 200, data: { outcome: 'ordered' } })
    expect(await counts(deps)).toEqual({ orders: 1, charges: [], attempts: ['succeeded'] })
  })

  it('checkouts, attempts and orders are not visible to another session', async () => {
    const { app, till, paying, shop, checkoutId } = await begin()
    const stranger = checkoutDriver(app, shop, await shop.enter())
    const body = paying({ paymentToken: 'test_authenticate' })
    await till.submit(body)
    expect((await stranger.submit(body)).problem).toBe('not-found')
    expect((await stranger.submit({ ...body, attemptId: newUuid() })).problem).toBe('not-found')
    const shown = await stranger.ask('GET', `checkout?orderMethod=gallery&checkoutId=${checkoutId}`)
    expect(shown.data).toMatchObject({ details: null, orderNumber: null })
    const { data } = await till.submit({ ...body, authentication: 'confirmed' })
    const strange = await stranger.ask('GET', `orders/${data.orderNumber}`)
    expect(strange).toMatchObject({ status: 404, errors: ['Could not find this order'] })
    await stranger.sync([
      add(
        await shop.offer({
          name: 'Gift',
          retailCost: 1,
          altName: null,
          altDescription: null,
          items: [],
          packageAddon: { type: 'standard', requiredMinPrice: null, requiresStandard: false, packageId: null },
        }),
        shop.adaId,
      ),
    ])
    expect((await stranger.keep(checkoutId)).problem).toBe('conflict')
  })

  it('the checkout shows its options', async () => {
    const { till, checkoutId } = await begin()
    const { data } = await till.ask('GET', 'checkout?orderMethod=gallery')
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
    const { till, paying } = await begin()
    await till.submit(paying({ paymentToken: 'test_declined' }))
    const checkoutId = newUuid()
    expect((await till.keep(checkoutId)).data.checkoutId).toBe(checkoutId)
    expect((await till.submit(paying({ checkoutId }))).status).toBe(200)
  })
})
