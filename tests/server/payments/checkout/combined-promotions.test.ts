import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CheckoutDetails } from '#contract/customer/checkout-calls.ts'
import { sumCents, toDollars } from '#domain/pricing/money.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { testSeed } from '#support/seed.ts'
import { given } from '#support/server/given.ts'
import { manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import {
  addLine,
  completeLineContent,
  createCartFixtures,
  newUuid,
  onePrint,
} from '#tests/server/carts/cart-fixtures.ts'
import { checkoutDriver, setUpPlatform } from '../checkout-driver.ts'

const numRuns = process.env.LONG === '1' ? 1000 : 50

type PromotionValues = {
  code: string
  kind?: 'percent' | 'amount'
  basis_points?: number | null
  amount_cents?: number
  is_automatic?: boolean
  is_stackable?: boolean
  minimum_cents?: number
  maximum_uses?: number | null
  job_id?: number
  starts_at?: string
  ends_at?: string
}

const anyValue = fc.oneof(
  fc.record({ kind: fc.constant('percent' as const), basis_points: fc.integer({ min: 1, max: 10_000 }) }),
  fc.record({
    kind: fc.constant('amount' as const),
    amount_cents: fc.integer({ min: 1, max: 30_000 }),
    basis_points: fc.constant(null),
  }),
)
const anySituation = fc.record({
  lines: fc.array(fc.record({ price: fc.integer({ min: 0, max: 20_000 }), quantity: fc.integer({ min: 1, max: 5 }) }), {
    minLength: 1,
    maxLength: 4,
  }),
  /** The first is given by a code, if `typesCode`. */
  promotions: fc.array(
    fc.record({
      value: anyValue,
      isStackable: fc.boolean(),
      minimum: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 40_000 })),
      onlyFirstPackage: fc.boolean(),
      isLimited: fc.boolean(),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  typesCode: fc.boolean(),
  /** Free until a day that is over, or that is not; null: shipped home. */
  studioShipping: fc.option(fc.constantFrom('2027-01-01', '2028-01-01')),
  latePrice: fc.option(
    fc.oneof(
      fc.record({ late_basis_points: fc.integer({ min: 1, max: 10_000 }) }),
      fc.record({ late_cents: fc.integer({ min: 1, max: 5_000 }) }),
    ),
  ),
})

/** Rounds half a cent up, with BigInt and without any function of the product. */
const lateFeeExpected = (
  latePrice: { late_basis_points: number } | { late_cents: number } | null,
  goodsCents: number,
) => {
  if (latePrice === null || goodsCents === 0) return 0
  if ('late_cents' in latePrice) return latePrice.late_cents
  return Number((2n * BigInt(goodsCents) * BigInt(latePrice.late_basis_points) + 10_000n) / 20_000n)
}

describe.each(enginesFor(import.meta.filename))('promotions that apply together on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const clock = manualClock()
    const deps = testDeps(database(), clock)
    const app = await testApp(deps)
    await setUpPlatform(deps)
    const fixtures = await createCartFixtures(deps)
    const { studioId, adaId, adaImageId } = fixtures
    await given(deps).feature(studioId, 'promotions')
    const addPromotion = (values: PromotionValues & { package_ids?: number[] | null }) =>
      deps.db
        .insertInto('promotions')
        .values({ studio_id: studioId, kind: 'percent', basis_points: 1000, ...values })
        .returning('id')
        .executeTakeFirstOrThrow()
    const addAutomatic = (values: PromotionValues) => addPromotion({ is_automatic: true, ...values })
    /** A customer with a cart of packages at these prices, and saved details. */
    const addCustomer = async (
      prices: readonly { price: number; quantity: number }[],
      chosenDetails: Partial<CheckoutDetails> = {},
    ) => {
      const driver = checkoutDriver(app, fixtures, await fixtures.enter())
      const packages = []
      for (const { price } of prices) packages.push(await fixtures.offer(onePrint(toDollars(price))))
      await driver.sync(
        packages.map((offeredPackage, index) =>
          addLine(offeredPackage, adaId, {
            quantity: prices[index]?.quantity ?? 1,
            ...completeLineContent(offeredPackage, adaImageId),
          }),
        ),
      )
      const checkoutId = newUuid()
      await driver.saveDetails(checkoutId, chosenDetails)
      const apply = (code: string) =>
        driver.request('POST', 'checkout/promo', { body: { code, orderMethod: 'gallery', checkoutId } })
      const pay = async () => {
        const { totalCents } = await driver.totals()
        const paymentToken = totalCents === 0 ? null : 'test_visa'
        return await driver.submit({ checkoutId, attemptId: newUuid(), paymentToken, totalCents })
      }
      const readPromotion = async () =>
        (await driver.request('GET', 'checkout?orderMethod=gallery')).data.promotion as {
          code: string
          why: string | null
        }
      return { driver, packages, apply, pay, readPromotion }
    }
    const readUses = (orderNumber: string) =>
      deps.db
        .selectFrom('promotion_uses as u')
        .innerJoin('orders as o', 'o.id', 'u.order_id')
        .innerJoin('promotions as p', 'p.id', 'u.promotion_id')
        .select(['p.code', 'u.amount_cents', 'u.state'])
        .where('o.order_number', '=', orderNumber)
        .orderBy('p.code')
        .execute()
    return { clock, deps, fixtures, addPromotion, addAutomatic, addCustomer, readUses }
  }

  const fiftyDollars = [{ price: 2500, quantity: 2 }]

  it('an automatic promotion needs no code, is named in the totals and on the order, and counts as used', async () => {
    const { addAutomatic, addCustomer, readUses } = await setUp()
    await addAutomatic({ code: 'EARLY', minimum_cents: 5000 })
    const { driver, apply, pay, readPromotion } = await addCustomer(fiftyDollars)
    expect(await driver.review()).toMatchObject({ discountCents: 500, promotionCode: 'EARLY' })
    expect(await readPromotion()).toBeNull()
    expect((await apply('EARLY')).errors).toEqual(['We don’t know this code'])
    const { data } = await pay()
    const order = await driver.order(data.orderNumber)
    expect(order).toMatchObject({ promotionCode: 'EARLY', totals: { discountCents: 500 } })
    expect(await readUses(data.orderNumber)).toEqual([{ code: 'EARLY', amount_cents: 500, state: 'used' }])
    await driver.request('POST', `orders/${data.orderNumber}/cancel`, { body: {} })
    expect(await readUses(data.orderNumber)).toEqual([{ code: 'EARLY', amount_cents: 500, state: 'released' }])
  })

  it('an automatic promotion applies only to carts that qualify, in its job, between its days', async () => {
    const { clock, deps, fixtures, addAutomatic, addCustomer } = await setUp()
    const otherJob = await given(deps).job(fixtures.studioId)
    const now = clock.clock().getTime()
    const startsAt = new Date(now + 60_000).toISOString()
    const endsAt = new Date(now + 120_000).toISOString()
    await addAutomatic({ code: 'OTHER-JOB', job_id: otherJob.jobId })
    await addAutomatic({ code: 'BIG', minimum_cents: 5001 })
    await addAutomatic({ code: 'LATER', starts_at: startsAt, ends_at: endsAt })
    const { driver } = await addCustomer(fiftyDollars)
    expect((await driver.review()).promotionCode).toBeNull()
    clock.advance(59_999)
    expect((await driver.review()).promotionCode).toBeNull()
    clock.advance(1)
    expect((await driver.review()).promotionCode).toBe('LATER')
    clock.advance(59_999)
    expect((await driver.review()).promotionCode).toBe('LATER')
    clock.advance(1)
    expect((await driver.review()).promotionCode).toBeNull()
  })

  it('a code that does not combine gives nothing if the automatic promotion is better, and says so', async () => {
    const { addPromotion, addAutomatic, addCustomer, readUses } = await setUp()
    await addAutomatic({ code: 'TWENTY', basis_points: 2000 })
    await addPromotion({ code: 'SAVE10' })
    const { driver, apply, pay, readPromotion } = await addCustomer(fiftyDollars)
    expect((await apply('SAVE10')).status).toBe(200)
    expect(await driver.review()).toMatchObject({ discountCents: 1000, promotionCode: 'TWENTY' })
    const why = 'You already get a better discount, which cannot be combined with this code'
    expect(await readPromotion()).toEqual({ code: 'SAVE10', why })
    const { data } = await pay()
    expect(await readUses(data.orderNumber)).toEqual([{ code: 'TWENTY', amount_cents: 1000, state: 'used' }])
  })

  it('promotions that combine each record their part, which follows a reduced order', async () => {
    const { addPromotion, addAutomatic, addCustomer, readUses } = await setUp()
    await addAutomatic({ code: 'TWENTY', basis_points: 2000, is_stackable: true })
    const take5 = { code: 'TAKE5', kind: 'amount', basis_points: null, amount_cents: 500 } as const
    await addPromotion({ ...take5, is_stackable: true, minimum_cents: 5000 })
    const { driver, apply, pay } = await addCustomer(fiftyDollars)
    await apply('take5')
    expect(await driver.review()).toMatchObject({ discountCents: 1500, promotionCode: 'TWENTY + TAKE5' })
    const { data } = await pay()
    expect(await readUses(data.orderNumber)).toEqual([
      { code: 'TAKE5', amount_cents: 500, state: 'used' },
      { code: 'TWENTY', amount_cents: 1000, state: 'used' },
    ])
    const lineId = (await driver.order(data.orderNumber)).lines[0]?.lineId
    const packages = [{ lineId, quantity: 1 }]
    const { data: quote } = await driver.request('POST', `orders/${data.orderNumber}/fewer/price`, {
      body: { packages },
    })
    expect(quote.totals.discountCents).toBe(500)
    const body = { packages, refundCents: quote.refundCents }
    expect((await driver.request('POST', `orders/${data.orderNumber}/fewer`, { body })).status).toBe(200)
    expect(await driver.order(data.orderNumber)).toMatchObject({ promotionCode: 'TWENTY', totals: quote.totals })
    // The rest is below the minimum of the code, which its customer may use again.
    expect(await readUses(data.orderNumber)).toEqual([
      { code: 'TAKE5', amount_cents: 500, state: 'released' },
      { code: 'TWENTY', amount_cents: 500, state: 'used' },
    ])
  })

  it(
    `whatever promotions, late prices and free shipping meet on a cart, the quoted total is charged to the cent, and the parts add up (seed ${testSeed})`,
    async () => {
      const { deps, addPromotion, addCustomer, readUses } = await setUp()
      const studioPrices = { price_cents: 400, each_more_cents: 50 }
      await deps.db.updateTable('shipping_options').set(studioPrices).where('code', '=', 'studio').execute()
      const tally = { combined: 0, late: 0 }
      const property = fc.asyncProperty(anySituation, async (situation) => {
        const { lines, promotions, typesCode, latePrice, studioShipping } = situation
        const inTime = {
          order_by: '2027-04-10',
          gallery_closes_at: '2028-01-01T00:00:00Z',
          late_cents: null,
          late_basis_points: null,
        }
        await deps.db
          .updateTable('jobs')
          .set({ ...inTime, ...latePrice, ships_batch: true, free_shipping_until: studioShipping })
          .execute()
        await deps.db.updateTable('promotions').set({ is_enabled: false }).execute()
        const { driver, packages, apply, pay } = await addCustomer(lines, {
          isPartOfBatchOrder: studioShipping !== null,
        })
        const codes: string[] = []
        for (const [index, { value, isStackable, minimum, onlyFirstPackage, isLimited }] of promotions.entries()) {
          const code = `P${packages[0]?.id}-${index}`
          codes.push(code)
          await addPromotion({
            ...{
              ...value,
              code,
              is_stackable: isStackable,
              minimum_cents: minimum,
              is_automatic: !typesCode || index > 0,
            },
            ...{ maximum_uses: isLimited ? 1 : null, package_ids: onlyFirstPackage ? [packages[0]?.id ?? 0] : null },
          })
        }
        if (typesCode) await apply(codes[0] ?? '')
        const totals = await driver.review()
        const { packagesCents, servicesCents, discountCents, lateFeeCents, shippingCents, taxCents, totalCents } =
          totals
        const goodsCents = packagesCents + servicesCents - discountCents
        expect(totalCents).toBe(goodsCents + lateFeeCents + shippingCents + taxCents)
        expect(lateFeeCents).toBe(lateFeeExpected(latePrice, goodsCents))
        expect(goodsCents).toBeGreaterThanOrEqual(0)
        const morePackages = sumCents(lines.map(({ quantity }) => quantity)) - 1
        const studioCents = studioShipping === '2028-01-01' ? 0 : 400 + 50 * morePackages
        expect(shippingCents).toBe(studioShipping === null ? 695 + 100 * morePackages : studioCents)
        const { status, data } = await pay()
        expect(status).toBe(200)
        const { totals: sold, promotionCode } = await driver.order(data.orderNumber)
        expect({ ...totals, ...sold }).toEqual(totals)
        expect(promotionCode).toBe(totals.promotionCode)
        const uses = await readUses(data.orderNumber)
        expect(uses.map(({ code }) => code)).toEqual(promotionCode?.split(' + ').sort() ?? [])
        expect(sumCents(uses.map((use) => use.amount_cents))).toBe(discountCents)
        const soldLines = await deps.db
          .selectFrom('order_lines as l')
          .innerJoin('orders as o', 'o.id', 'l.order_id')
          .select(['l.discount_cents', 'o.id', 'o.total_cents'])
          .where('o.order_number', '=', data.orderNumber)
          .execute()
        expect(sumCents(soldLines.map((line) => line.discount_cents))).toBe(discountCents)
        const orderId = soldLines[0]?.id ?? 0
        const ledger = await deps.db
          .selectFrom('ledger')
          .select('amount_cents')
          .where('order_id', '=', orderId)
          .execute()
        expect(sumCents(ledger.map(({ amount_cents }) => amount_cents))).toBe(totalCents)
        tally.late += lateFeeCents > 0 ? 1 : 0
        tally.combined += uses.length > 1 ? 1 : 0
      })
      await fc.assert(property, { seed: testSeed, numRuns, endOnFailure: true })
      // The drawn cases must include enough combinations and late orders.
      expect(Math.min(tally.combined, tally.late)).toBeGreaterThan(numRuns / 20)
    },
    process.env.LONG === '1' ? 3_600_000 : 120_000,
  )
})
