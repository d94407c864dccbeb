import { describe, expect, it } from 'vitest'
import type { Deps } from '#server/deps.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import { add, completeLineContent, newUuid, quantity } from '../../carts/cart-fixtures.ts'
import { addFeature } from '../../discovery/job-fixtures.ts'
import { checkoutDriver, readyToPay } from '../checkout-driver.ts'

type Row = {
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
  archived_at?: Date | null
}

describe.each(enginesFor(import.meta.filename))('promotion codes on $name', (engine) => {
  const database = freshDatabase(engine)

  const begin = async () => {
    const time = manualClock()
    const deps: Deps = testDeps(database(), time)
    const app = await testApp(deps)
    const ready = await readyToPay(deps, app)
    const { studioId } = ready.shop
    await addFeature(deps, studioId, 'promotions')
    const offer = async (row: Row = {}) => {
      const values = { studio_id: studioId, code: 'SAVE10', kind: 'percent' as const, basis_points: 1000, ...row }
      return await deps.db.insertInto('promotions').values(values).returning('id').executeTakeFirstOrThrow()
    }
    const { till, checkoutId, paying } = ready
    const apply = (code: string) =>
      till.ask('POST', 'checkout/promo', { body: { code, orderMethod: 'gallery', checkoutId } })
    const remove = () => till.ask('DELETE', 'checkout/promo?orderMethod=gallery')
    const pay = async (own: Parameters<typeof paying>[0] = {}) =>
      till.submit(paying({ totalCents: (await till.totals()).totalCents, ...own }))
    const uses = () => deps.db.selectFrom('promotion_uses').select(['state', 'amount_cents', 'order_id']).execute()
    return { deps, app, ...ready, offer, apply, remove, pay, uses, advance: time.advance }
  }

  it('a code gives a discount, is shown, and can be removed', async () => {
    const { till, checkoutId, offer, apply, remove } = await begin()
    expect((await till.keep(checkoutId)).data).toMatchObject({ promotion: null })
    const before = await till.totals()
    await offer()
    const applied = await apply(' save 10 ')
    expect(applied).toMatchObject({ status: 200, data: { checkoutId, promotion: { code: 'SAVE10', why: null } } })
    expect(applied.data.details.promoCode).toEqual({ code: 'SAVE10' })
    const shippingTax = before.taxCents - Math.round(5000 * 0.0725)
    const taxCents = Math.round(4500 * 0.0725) + shippingTax
    const { shippingCents } = before
    const totalCents = 4500 + shippingCents + taxCents
    expect(await till.totals()).toEqual({ ...before, discountCents: 500, taxCents, totalCents })
    // Details without a code leave the promotion unchanged.
    expect((await till.keep(checkoutId)).data).toMatchObject({ promotion: { code: 'SAVE10' } })
    expect(await remove()).toMatchObject({ status: 200, data: { promotion: null } })
    expect(await till.totals()).toEqual(before)
  })

  it('a code sent with the details follows the same rules as its own route', async () => {
    const { deps, till, checkoutId, offer } = await begin()
    await offer()
    const posted = (code: string) => till.keep(checkoutId, { promoCode: { code } })
    const sentence = 'We do not know this code'
    const refused = { status: 422, errors: [sentence], fields: { 'promoCode.code': [sentence] } }
    expect(await posted('SAVE99')).toMatchObject(refused)
    expect((await till.keep(checkoutId)).data).toMatchObject({ promotion: null })
    const before = await till.totals()
    expect((await posted(' save 10 ')).data).toMatchObject({ checkoutId, promotion: { code: 'SAVE10', why: null } })
    expect(await till.totals()).toMatchObject({ discountCents: 500 })
    expect((await posted('SAVE10')).data).toMatchObject({ promotion: { code: 'SAVE10' } })
    expect(await posted('SAVE99')).toMatchObject(refused)
    expect((await till.totals()).totalCents).toBeLessThan(before.totalCents)
    // A wrong code counts as a guess on either route.
    const counted = await deps.db.selectFrom('guess_counters').selectAll().execute()
    expect(counted.length).toBeGreaterThan(0)
  })

  it('the order stores the code and uses it up', async () => {
    const { deps, shop, till, offer, apply, pay, uses } = await begin()
    const { id } = await offer({ code: 'TAKE5', kind: 'amount', basis_points: null, amount_cents: 500 })
    await apply('take5')
    const { data } = await pay()
    expect((await till.order(data.orderNumber)).totals).toMatchObject({ discountCents: 500 })
    const order = await deps.db.selectFrom('orders').selectAll().executeTakeFirstOrThrow()
    expect(order).toMatchObject({ studio_id: shop.studioId, promotion_id: id, promotion_code: 'TAKE5' })
    expect(await uses()).toEqual([{ state: 'used', amount_cents: 500, order_id: order.id }])
    const lines = await deps.db.selectFrom('order_lines').select('discount_cents').execute()
    expect(lines).toEqual([{ discount_cents: 500 }])
  })

  it('a code that covers the total needs no card', async () => {
    const { till, offer, apply, pay, checkoutId } = await begin()
    await offer({ basis_points: 10_000 })
    await till.keep(checkoutId, { isPartOfBatchOrder: true, mailToHome: false, shippingOption: { code: '' } })
    await apply('SAVE10')
    expect(await till.totals()).toMatchObject({ discountCents: 5000, totalCents: 0 })
    expect(await pay({ paymentToken: null })).toMatchObject({ status: 200, data: { outcome: 'ordered' } })
  })

  const past = new Date('2020-01-01')
  const future = new Date('2099-01-01')
  const refusals: [string, Row, string][] = [
    ['is unknown', { code: 'OTHER' }, 'We do not know this code'],
    ['is disabled', { is_enabled: false }, 'We do not know this code'],
    ['is archived', { archived_at: past }, 'We do not know this code'],
    ['starts later', { starts_at: future }, 'This code is not valid yet'],
    ['has expired', { ends_at: past }, 'This code is no longer valid'],
    ['has a higher minimum', { minimum_cents: 5001 }, 'Your order does not reach the minimum for this code'],
  ]
  it.each(refusals)('a code that %s is refused with the reason', async (_name, row, sentence) => {
    const { till, offer, apply } = await begin()
    await offer(row)
    const before = await till.totals()
    const refused = await apply('SAVE10')
    expect(refused).toMatchObject({ status: 422, problem: 'refused', errors: [sentence] })
    expect(refused.fields).toEqual({ 'promoCode.code': [sentence] })
    expect(await till.totals()).toEqual(before)
  })

  it('codes of another job, another studio or a studio without the feature are unknown', async () => {
    const { deps, shop, till, checkoutId, offer, apply, pay } = await begin()
    const other = await deps.db
      .insertInto('studios')
      .values({ slug: 'summit', name: 'Summit' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const values = { studio_id: other.id, code: 'THEIRS', kind: 'percent' as const, basis_points: 1000 }
    await deps.db.insertInto('promotions').values(values).execute()
    expect(await apply('THEIRS')).toMatchObject({ status: 422, errors: ['We do not know this code'] })
    const { id: elsewhere } = await deps.db
      .insertInto('jobs')
      .columns(['studio_id', 'organization_id', 'name'])
      .expression((from) =>
        from.selectFrom('jobs').select(['studio_id', 'organization_id', 'name']).where('id', '=', shop.jobId),
      )
      .returning('id')
      .executeTakeFirstOrThrow()
    await offer({ code: 'ELSEWHERE', job_id: elsewhere })
    expect(await apply('ELSEWHERE')).toMatchObject({ status: 422, errors: ['We do not know this code'] })
    await offer()
    expect((await apply('SAVE10')).status).toBe(200)
    await deps.db.deleteFrom('studio_features').where('studio_id', '=', shop.studioId).execute()
    expect(await apply('SAVE10')).toMatchObject({ status: 422, errors: ['We do not know this code'] })
    expect((await till.keep(checkoutId)).data.promotion).toBeUndefined()
    // The previous code blocks nothing and gives no discount.
    expect(await till.totals()).toMatchObject({ discountCents: 0 })
    expect(await pay()).toMatchObject({ status: 200 })
  })

  it('a code that no longer applies says why, and a changed total must be confirmed', async () => {
    const { deps, till, checkoutId, line, offer, apply, pay, uses } = await begin()
    await offer({ minimum_cents: 5000 })
    await apply('SAVE10')
    const shown = await till.totals()
    await deps.db.updateTable('promotions').set({ ends_at: past }).execute()
    expect(await pay({ totalCents: shown.totalCents })).toMatchObject({ status: 422, problem: 'totals-changed' })
    expect((await till.keep(checkoutId)).data.promotion).toEqual({
      code: 'SAVE10',
      why: 'This code is no longer valid',
    })
    await deps.db.updateTable('promotions').set({ ends_at: null }).execute()
    await till.sync([quantity(line.lineId, 1)])
    const why = 'Your order does not reach the minimum for this code'
    expect((await till.keep(checkoutId)).data.promotion).toEqual({ code: 'SAVE10', why })
    expect(await pay()).toMatchObject({ status: 200 })
    expect(await uses()).toEqual([])
  })

  it('the last use of a code is reserved while it is paid and released if the payment fails', async () => {
    const { deps, app, shop, made, offer, apply, pay, uses } = await begin()
    await offer({ maximum_uses: 1 })
    const another = checkoutDriver(app, shop, await shop.enter())
    await another.sync([add(made, shop.adaId, { quantity: 1, ...completeLineContent(made, shop.adaImageId) })])
    const theirs = newUuid()
    await another.keep(theirs)
    await apply('SAVE10')
    const asked = { body: { code: 'SAVE10', orderMethod: 'gallery', checkoutId: theirs } }
    expect(await another.ask('POST', 'checkout/promo', asked)).toMatchObject({ status: 200 })
    const shown = await another.totals()
    const theirPay = (totalCents: number) =>
      another.submit({ checkoutId: theirs, attemptId: newUuid(), paymentToken: 'test_visa', totalCents })

    expect(await pay({ paymentToken: 'test_authenticate' })).toMatchObject({ data: { outcome: 'requires-action' } })
    expect(await theirPay(shown.totalCents)).toMatchObject({ status: 422, problem: 'totals-changed' })
    expect(await another.keep(theirs)).toMatchObject({ data: { promotion: { why: 'This code has been used up' } } })
    // The first customer retries with a declined card: the use is released, and the other gets it.
    expect(await pay({ paymentToken: 'test_declined' })).toMatchObject({ problem: 'totals-changed' })
    expect(await pay({ paymentToken: 'test_declined' })).toMatchObject({ problem: 'payment-declined' })
    expect((await uses()).every(({ state }) => state === 'released')).toBe(true)
    expect(await theirPay(shown.totalCents)).toMatchObject({ status: 200 })
    expect(
      await deps.db.selectFrom('promotion_uses').select('state').where('state', '=', 'used').execute(),
    ).toHaveLength(1)
  })

  it('the use of a code is released when its order is cancelled', async () => {
    const { till, offer, apply, pay, uses } = await begin()
    await offer({ maximum_uses: 1 })
    await apply('SAVE10')
    const { data } = await pay()
    expect(await uses()).toMatchObject([{ state: 'used' }])
    expect((await till.ask('POST', `orders/${data.orderNumber}/cancel`, { body: {} })).status).toBe(200)
    expect(await uses()).toMatchObject([{ state: 'released' }])
  })

  it('a code may be limited to one use per customer, identified by email address', async () => {
    const { app, shop, made, offer, apply, pay } = await begin()
    await offer({ maximum_uses_per_customer: 1 })
    await apply('SAVE10')
    expect(await pay()).toMatchObject({ status: 200 })
    const again = checkoutDriver(app, shop, await shop.enter())
    await again.sync([add(made, shop.adaId, { quantity: 1, ...completeLineContent(made, shop.adaImageId) })])
    const checkoutId = newUuid()
    await again.keep(checkoutId, {
      customer: { firstName: 'G', lastName: 'H', email: 'grace@example.COM ', phone: '' },
    })
    const body = { code: 'SAVE10', orderMethod: 'gallery', checkoutId }
    expect(await again.ask('POST', 'checkout/promo', { body })).toMatchObject({
      status: 422,
      errors: ['You have used this code already'],
    })
    await again.keep(checkoutId, { customer: { firstName: 'A', lastName: 'B', email: 'other@example.com', phone: '' } })
    expect(await again.ask('POST', 'checkout/promo', { body })).toMatchObject({ status: 200 })
  })
})
