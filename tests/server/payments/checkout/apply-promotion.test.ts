import { describe, expect, it } from 'vitest'
import type { Deps } from '#server/deps.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import { addLine, completeLineContent, newUuid, setQuantity } from '#tests/server/carts/cart-fixtures.ts'
import { checkoutDriver, readyToPay } from '../checkout-driver.ts'

type PromotionRow = {
  code?: string
  kind?: 'percent' | 'amount'
  basis_points?: number | null
  amount_cents?: number | null
  job_id?: number | null
  starts_at?: Date | null
  ends_at?: Date | null
  minimum_cents?: number
  maximum_uses?: number | null
  maximum_uses_per_customer?: number | null
  is_enabled?: boolean
}

describe.each(enginesFor(import.meta.filename))('promotion codes on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const time = manualClock()
    const deps: Deps = testDeps(database(), time)
    const app = await testApp(deps)
    const checkout = await readyToPay(deps, app)
    const { studioId } = checkout.fixtures
    await given(deps).feature(studioId, 'promotions')
    const addPromotion = async (row: PromotionRow = {}) => {
      const values = { studio_id: studioId, code: 'SAVE10', kind: 'percent' as const, basis_points: 1000, ...row }
      return await deps.db.insertInto('promotions').values(values).returning('id').executeTakeFirstOrThrow()
    }
    const { driver, checkoutId, submitBody } = checkout
    const apply = (code: string) =>
      driver.request('POST', 'checkout/promo', { body: { code, orderMethod: 'gallery', checkoutId } })
    const remove = () => driver.request('DELETE', 'checkout/promo?orderMethod=gallery')
    const pay = async (overrides: Parameters<typeof submitBody>[0] = {}) =>
      driver.submit(submitBody({ totalCents: (await driver.totals()).totalCents, ...overrides }))
    const readUses = () => deps.db.selectFrom('promotion_uses').select(['state', 'amount_cents', 'order_id']).execute()
    return { deps, app, ...checkout, addPromotion, apply, remove, pay, readUses, advance: time.advance }
  }

  it('a code gives a discount, is shown, and can be removed', async () => {
    const { driver, checkoutId, addPromotion, apply, remove } = await setUp()
    expect((await driver.saveDetails(checkoutId)).data).toMatchObject({ promotion: null })
    const before = await driver.totals()
    await addPromotion()
    const applied = await apply(' save 10 ')
    expect(applied).toMatchObject({ status: 200, data: { checkoutId, promotion: { code: 'SAVE10', why: null } } })
    expect(applied.data.details.promoCode).toEqual({ code: 'SAVE10' })
    const shippingTax = before.taxCents - Math.round(5000 * 0.0725)
    const taxCents = Math.round(4500 * 0.0725) + shippingTax
    const { shippingCents } = before
    const totalCents = 4500 + shippingCents + taxCents
    expect(await driver.totals()).toEqual({ ...before, discountCents: 500, taxCents, totalCents })
    // Details without a code leave the promotion unchanged.
    expect((await driver.saveDetails(checkoutId)).data).toMatchObject({ promotion: { code: 'SAVE10' } })
    expect(await remove()).toMatchObject({ status: 200, data: { promotion: null } })
    expect(await driver.totals()).toEqual(before)
  })

  it('a code sent with the details follows the same rules as its own route', async () => {
    const { deps, driver, checkoutId, addPromotion } = await setUp()
    await addPromotion()
    const saveWithCode = (code: string) => driver.saveDetails(checkoutId, { promoCode: { code } })
    const message = 'We don’t know this code'
    const refused = { status: 422, errors: [message], fields: { 'promoCode.code': [message] } }
    expect(await saveWithCode('SAVE99')).toMatchObject(refused)
    expect((await driver.saveDetails(checkoutId)).data).toMatchObject({ promotion: null })
    const before = await driver.totals()
    expect((await saveWithCode(' save 10 ')).data).toMatchObject({
      checkoutId,
      promotion: { code: 'SAVE10', why: null },
    })
    expect(await driver.totals()).toMatchObject({ discountCents: 500 })
    expect((await saveWithCode('SAVE10')).data).toMatchObject({ promotion: { code: 'SAVE10' } })
    expect(await saveWithCode('SAVE99')).toMatchObject(refused)
    expect((await driver.totals()).totalCents).toBeLessThan(before.totalCents)
    // A wrong code counts as a guess on either route.
    const guessCounters = await deps.db.selectFrom('guess_counters').selectAll().execute()
    expect(guessCounters.length).toBeGreaterThan(0)
  })

  it('an order stores the code, which counts as used', async () => {
    const { deps, fixtures, driver, addPromotion, apply, pay, readUses } = await setUp()
    await addPromotion({ code: 'TAKE5', kind: 'amount', basis_points: null, amount_cents: 500 })
    await apply('take5')
    const { data } = await pay()
    expect((await driver.order(data.orderNumber)).totals).toMatchObject({ discountCents: 500 })
    const order = await deps.db.selectFrom('orders').selectAll().executeTakeFirstOrThrow()
    expect(order).toMatchObject({ studio_id: fixtures.studioId, promotion_code: 'TAKE5' })
    expect(await readUses()).toEqual([{ state: 'used', amount_cents: 500, order_id: order.id }])
    const lines = await deps.db.selectFrom('order_lines').select('discount_cents').execute()
    expect(lines).toEqual([{ discount_cents: 500 }])
  })

  it('a code that covers the total needs no card', async () => {
    const { driver, addPromotion, apply, pay, checkoutId } = await setUp()
    await addPromotion({ basis_points: 10_000 })
    await driver.saveDetails(checkoutId, { isPartOfBatchOrder: true, mailToHome: false, shippingOption: { code: '' } })
    await apply('SAVE10')
    expect(await driver.totals()).toMatchObject({ discountCents: 5000, totalCents: 0 })
    expect(await pay({ paymentToken: null })).toMatchObject({ status: 200, data: { outcome: 'ordered' } })
  })

  const past = new Date('2020-01-01')
  const future = new Date('2099-01-01')
  const refusals: [string, PromotionRow, string][] = [
    ['is unknown', { code: 'OTHER' }, 'We don’t know this code'],
    ['is disabled', { is_enabled: false }, 'We don’t know this code'],
    ['starts later', { starts_at: future }, 'This code is not valid yet'],
    ['has expired', { ends_at: past }, 'This code is no longer valid'],
    ['has a higher minimum', { minimum_cents: 5001 }, 'Your order is below the minimum for this code'],
  ]
  it.each(refusals)('a code that %s is refused with the reason', async (_name, row, message) => {
    const { driver, addPromotion, apply } = await setUp()
    await addPromotion(row)
    const before = await driver.totals()
    const refused = await apply('SAVE10')
    expect(refused).toMatchObject({ status: 422, problem: 'refused', errors: [message] })
    expect(refused.fields).toEqual({ 'promoCode.code': [message] })
    expect(await driver.totals()).toEqual(before)
  })

  it('codes of another job, another studio or a studio without the feature are unknown', async () => {
    const { deps, fixtures, driver, checkoutId, addPromotion, apply, pay } = await setUp()
    const otherId = await given(deps).studio({ slug: 'summit' })
    const values = { studio_id: otherId, code: 'THEIRS', kind: 'percent' as const, basis_points: 1000 }
    await deps.db.insertInto('promotions').values(values).execute()
    expect(await apply('THEIRS')).toMatchObject({ status: 422, errors: ['We don’t know this code'] })
    const { id: otherJobId } = await deps.db
      .insertInto('jobs')
      .columns(['studio_id', 'organization_id', 'name'])
      .expression((from) =>
        from.selectFrom('jobs').select(['studio_id', 'organization_id', 'name']).where('id', '=', fixtures.jobId),
      )
      .returning('id')
      .executeTakeFirstOrThrow()
    await addPromotion({ code: 'ELSEWHERE', job_id: otherJobId })
    expect(await apply('ELSEWHERE')).toMatchObject({ status: 422, errors: ['We don’t know this code'] })
    await addPromotion()
    expect((await apply('SAVE10')).status).toBe(200)
    await deps.db.deleteFrom('studio_features').where('studio_id', '=', fixtures.studioId).execute()
    expect(await apply('SAVE10')).toMatchObject({ status: 422, errors: ['We don’t know this code'] })
    expect((await driver.saveDetails(checkoutId)).data.promotion).toBeUndefined()
    // The previous code blocks nothing and gives no discount.
    expect(await driver.totals()).toMatchObject({ discountCents: 0 })
    expect(await pay()).toMatchObject({ status: 200 })
  })

  it('a code that no longer applies is shown with the reason, and a changed total must be confirmed', async () => {
    const { deps, driver, checkoutId, line, addPromotion, apply, pay, readUses } = await setUp()
    await addPromotion({ minimum_cents: 5000 })
    await apply('SAVE10')
    const shownTotals = await driver.totals()
    await deps.db.updateTable('promotions').set({ ends_at: past }).execute()
    expect(await pay({ totalCents: shownTotals.totalCents })).toMatchObject({ status: 422, problem: 'totals-changed' })
    expect((await driver.saveDetails(checkoutId)).data.promotion).toEqual({
      code: 'SAVE10',
      why: 'This code is no longer valid',
    })
    await deps.db.updateTable('promotions').set({ ends_at: null }).execute()
    await driver.sync([setQuantity(line.lineId, 1)])
    const why = 'Your order is below the minimum for this code'
    expect((await driver.saveDetails(checkoutId)).data.promotion).toEqual({ code: 'SAVE10', why })
    expect(await pay()).toMatchObject({ status: 200 })
    expect(await readUses()).toEqual([])
  })

  it('the last use of a code is reserved while it is paid and released if the payment fails', async () => {
    const { deps, app, fixtures, offeredPackage, addPromotion, apply, pay, readUses } = await setUp()
    await addPromotion({ maximum_uses: 1 })
    const otherDriver = checkoutDriver(app, fixtures, await fixtures.enter())
    await otherDriver.sync([
      addLine(offeredPackage, fixtures.adaId, {
        quantity: 1,
        ...completeLineContent(offeredPackage, fixtures.adaImageId),
      }),
    ])
    const otherCheckoutId = newUuid()
    await otherDriver.saveDetails(otherCheckoutId)
    await apply('SAVE10')
    const promoRequest = { body: { code: 'SAVE10', orderMethod: 'gallery', checkoutId: otherCheckoutId } }
    expect(await otherDriver.request('POST', 'checkout/promo', promoRequest)).toMatchObject({ status: 200 })
    const shownTotals = await otherDriver.totals()
    const payOther = (totalCents: number) =>
      otherDriver.submit({ checkoutId: otherCheckoutId, attemptId: newUuid(), paymentToken: 'test_visa', totalCents })

    expect(await pay({ paymentToken: 'test_authenticate' })).toMatchObject({ data: { outcome: 'requires-action' } })
    expect(await payOther(shownTotals.totalCents)).toMatchObject({ status: 422, problem: 'totals-changed' })
    expect(await otherDriver.saveDetails(otherCheckoutId)).toMatchObject({
      data: { promotion: { why: 'This code has been used up' } },
    })
    // The first customer retries with a declined card: the use is released, and the other gets it.
    expect(await pay({ paymentToken: 'test_declined' })).toMatchObject({ problem: 'totals-changed' })
    expect(await pay({ paymentToken: 'test_declined' })).toMatchObject({ problem: 'payment-declined' })
    expect((await readUses()).every(({ state }) => state === 'released')).toBe(true)
    expect(await payOther(shownTotals.totalCents)).toMatchObject({ status: 200 })
    expect(
      await deps.db.selectFrom('promotion_uses').select('state').where('state', '=', 'used').execute(),
    ).toHaveLength(1)
  })

  it('the use of a code is released when its order is cancelled', async () => {
    const { driver, addPromotion, apply, pay, readUses } = await setUp()
    await addPromotion({ maximum_uses: 1 })
    await apply('SAVE10')
    const { data } = await pay()
    expect(await readUses()).toMatchObject([{ state: 'used' }])
    expect((await driver.request('POST', `orders/${data.orderNumber}/cancel`, { body: {} })).status).toBe(200)
    expect(await readUses()).toMatchObject([{ state: 'released' }])
  })

  it('a code may be limited to one use per customer, identified by email address', async () => {
    const { app, fixtures, offeredPackage, addPromotion, apply, pay } = await setUp()
    await addPromotion({ maximum_uses_per_customer: 1 })
    await apply('SAVE10')
    expect(await pay()).toMatchObject({ status: 200 })
    const sameCustomer = checkoutDriver(app, fixtures, await fixtures.enter())
    await sameCustomer.sync([
      addLine(offeredPackage, fixtures.adaId, {
        quantity: 1,
        ...completeLineContent(offeredPackage, fixtures.adaImageId),
      }),
    ])
    const checkoutId = newUuid()
    await sameCustomer.saveDetails(checkoutId, {
      customer: { firstName: 'G', lastName: 'H', email: 'grace@example.COM ', phone: '' },
    })
    const body = { code: 'SAVE10', orderMethod: 'gallery', checkoutId }
    expect(await sameCustomer.request('POST', 'checkout/promo', { body })).toMatchObject({
      status: 422,
      errors: ['You’ve already used this code'],
    })
    await sameCustomer.saveDetails(checkoutId, {
      customer: { firstName: 'A', lastName: 'B', email: 'other@example.com', phone: '' },
    })
    expect(await sameCustomer.request('POST', 'checkout/promo', { body })).toMatchObject({ status: 200 })
  })
})
