import { describe, expect, it } from 'vitest'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { staffClient } from '#support/server/staff-client.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { addLine, completeLineContent, newUuid } from '#tests/server/carts/cart-fixtures.ts'
import { entryForm } from '#tests/server/orders/entry/entry-form-fixtures.ts'
import { checkoutDriver, readyToPay } from '../checkout-driver.ts'

const payerCount = 20

describe.each(enginesFor(import.meta.filename))('uses of promotions on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const deps = testDeps(database())
    const app = await testApp(deps)
    const checkout = await readyToPay(deps, app)
    const { fixtures, offeredPackage } = checkout
    const { studioId, jobId, adaId, adaImageId } = fixtures
    for (const feature of ['promotions', 'orderEntry']) await given(deps).feature(studioId, feature)
    const addPromotion = (values: {
      code: string
      maximum_uses?: number
      has_single_use_codes?: boolean
      is_automatic?: boolean
    }) =>
      deps.db
        .insertInto('promotions')
        .values({ studio_id: studioId, kind: 'percent', basis_points: 1000, ...values })
        .returning(['id', 'is_automatic'])
        .executeTakeFirstOrThrow()
    /** Adds a promotion with these single-use codes. */
    const addCodes = async (...codes: string[]) => {
      const promotion = await addPromotion({ code: 'SPRING', has_single_use_codes: true })
      const { id } = promotion
      const rows = codes.map((code) => ({ studio_id: studioId, promotion_id: id, code }))
      await deps.db.insertInto('promotion_codes').values(rows).execute()
      return promotion
    }
    /** A customer with a full cart and saved details. */
    const addPayer = async (index: number) => {
      const driver = checkoutDriver(app, fixtures, await fixtures.enter())
      const content = completeLineContent(offeredPackage, adaImageId)
      await driver.sync([addLine(offeredPackage, adaId, { quantity: 2, ...content })])
      const checkoutId = newUuid()
      const customer = {
        firstName: 'Grace',
        lastName: 'Hopper',
        email: `grace${index}@example.com`,
        phone: '937-555-0142',
      }
      await driver.saveDetails(checkoutId, { customer })
      const apply = (code: string) =>
        driver.request('POST', 'checkout/promo', { body: { code, orderMethod: 'gallery', checkoutId } })
      const pay = (totalCents: number) =>
        driver.submit({ checkoutId, attemptId: newUuid(), paymentToken: 'test_visa', totalCents })
      return { driver, apply, pay }
    }
    const readDiscounts = async () =>
      (await deps.db.selectFrom('orders').select(['discount_cents', 'promotion_code']).execute()).map((order) => [
        order.discount_cents,
        order.promotion_code,
      ])
    const readUses = () =>
      deps.db
        .selectFrom('promotion_uses as u')
        .leftJoin('promotion_codes as c', 'c.id', 'u.promotion_code_id')
        .select(['u.state', 'c.code'])
        .orderBy('u.id')
        .execute()
    return { deps, app, studioId, jobId, ...checkout, addPromotion, addCodes, addPayer, readDiscounts, readUses }
  }

  const lastUses: [
    string,
    string,
    (fixtures: Awaited<ReturnType<typeof setUp>>) => Promise<{ is_automatic: boolean }>,
  ][] = [
    ['the last use of a code', 'LAST', ({ addPromotion }) => addPromotion({ code: 'LAST', maximum_uses: 1 })],
    [
      'the last use of an automatic promotion',
      'LAST',
      ({ addPromotion }) => addPromotion({ code: 'LAST', maximum_uses: 1, is_automatic: true }),
    ],
    ['a single-use code', 'SPRING-ABCD2345', ({ addCodes }) => addCodes('SPRING-ABCD2345', 'SPRING-EFGH2345')],
  ]
  it.each(lastUses)(
    `of ${payerCount} customers who pay at once with %s, one gets the discount`,
    async (_name, code, addLast) => {
      const fixtures = await setUp()
      const { is_automatic: isAutomatic } = await addLast(fixtures)
      const payers = await Promise.all(Array.from({ length: payerCount }, (_, index) => fixtures.addPayer(index)))
      if (!isAutomatic) for (const { apply } of payers) expect((await apply(code)).status).toBe(200)
      const shownTotals = await Promise.all(payers.map(({ driver }) => driver.totals()))
      expect(shownTotals.map(({ discountCents }) => discountCents)).toEqual(payers.map(() => 500))
      const answers = await Promise.all(payers.map(({ pay }, index) => pay(shownTotals[index]?.totalCents ?? 0)))
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      for (const [index, { status }] of answers.entries()) {
        if (status === 200) continue
        // A payer who was priced before the use was taken retries, and then sees that the total has changed.
        expect(['in-flight', 'totals-changed']).toContain(answers[index]?.problem)
        expect(await payers[index]?.pay(shownTotals[index]?.totalCents ?? 0)).toMatchObject({
          problem: 'totals-changed',
        })
      }
      expect(await fixtures.readDiscounts()).toEqual([[500, code]])
      const uses = await fixtures.readUses()
      expect(uses.map(({ state }) => state)).toEqual(['used'])
      // The others may still pay, without the discount.
      const loser = payers.find((_, index) => answers[index]?.status !== 200)
      const { discountCents, totalCents } = (await loser?.driver.totals()) ?? { discountCents: -1, totalCents: -1 }
      expect(discountCents).toBe(0)
      expect(await loser?.pay(totalCents)).toMatchObject({ status: 200, data: { outcome: 'ordered' } })
    },
    60_000,
  )

  it('each single-use code gives the discount once, and the prefix alone gives none', async () => {
    const { addCodes, addPayer, readUses, readDiscounts } = await setUp()
    await addCodes('SPRING-ABCD2345', 'SPRING-EFGH2345')
    const [first, second] = [await addPayer(1), await addPayer(2)]
    expect((await first.apply('SPRING')).errors).toEqual(['We don’t know this code'])
    expect((await first.apply(' spring-abcd 2345')).data).toMatchObject({ promotion: { code: 'SPRING-ABCD2345' } })
    expect(await first.pay((await first.driver.totals()).totalCents)).toMatchObject({ status: 200 })
    expect((await second.apply('SPRING-ABCD2345')).errors).toEqual(['This code has been used up'])
    expect((await second.apply('SPRING-EFGH2345')).status).toBe(200)
    const { data } = await second.pay((await second.driver.totals()).totalCents)
    expect(await readDiscounts()).toEqual([
      [500, 'SPRING-ABCD2345'],
      [500, 'SPRING-EFGH2345'],
    ])
    expect(await readUses()).toEqual([
      { state: 'used', code: 'SPRING-ABCD2345' },
      { state: 'used', code: 'SPRING-EFGH2345' },
    ])
    // A cancelled order gives its code back.
    await second.driver.request('POST', `orders/${data.orderNumber}/cancel`, { body: {} })
    expect((await (await addPayer(3)).apply('SPRING-EFGH2345')).status).toBe(200)
  })

  it('an order that staff enter gets an automatic promotion, until its last use is taken', async () => {
    const { deps, app, studioId, jobId, fixtures, offeredPackage, addPromotion, readDiscounts } = await setUp()
    await addPromotion({ code: 'EARLY', is_automatic: true, maximum_uses: 1 })
    const { staffRequest } = await staffClient(deps, app, studioId, { jobId })
    const { adaId, adaImageId } = fixtures
    const draft = entryForm({ offeredPackage, subjectId: adaId, imageId: adaImageId })
    const enter = async () => {
      const { totals } = (await staffRequest('POST', 'entry/totals', draft)).data
      const payment = { method: 'cash', receivedCents: totals.totalCents, checkNumber: '' }
      const body = { entryKey: newUuid(), draft, totalCents: totals.totalCents, payment }
      expect((await staffRequest('POST', 'entry/orders', body)).status).toBe(200)
      return totals.discountCents
    }
    const discountCents = await enter()
    expect(discountCents).toBeGreaterThan(0)
    expect(await enter()).toBe(0)
    expect(await readDiscounts()).toEqual([
      [discountCents, 'EARLY'],
      [0, null],
    ])
  })

  it('staff enter an order with a single-use code, which then is used', async () => {
    const { deps, app, studioId, jobId, fixtures, offeredPackage, addCodes, addPayer, readUses } = await setUp()
    await addCodes('SPRING-ABCD2345')
    const { staffRequest } = await staffClient(deps, app, studioId, { jobId })
    const { adaId, adaImageId } = fixtures
    const form = entryForm({ offeredPackage, subjectId: adaId, imageId: adaImageId })
    const draft = { ...form, promoCode: 'spring-abcd2345' }
    const { totals } = (await staffRequest('POST', 'entry/totals', draft)).data
    expect(totals.discountCents).toBeGreaterThan(0)
    const payment = { method: 'cash', receivedCents: totals.totalCents, checkNumber: '' }
    const enter = () =>
      staffRequest('POST', 'entry/orders', { entryKey: newUuid(), draft, totalCents: totals.totalCents, payment })
    expect((await enter()).status).toBe(200)
    expect(await readUses()).toEqual([{ state: 'used', code: 'SPRING-ABCD2345' }])
    expect((await enter()).fields).toEqual({ promoCode: ['This code has been used up'] })
    expect((await (await addPayer(1)).apply('SPRING-ABCD2345')).errors).toEqual(['This code has been used up'])
  })
})
