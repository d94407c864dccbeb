import { describe, expect, it } from 'vitest'
import type { Order } from '#contract/customer/order-calls.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import { noTax } from '#domain/pricing/pricing.ts'
import type { Deps } from '#server/deps.ts'
import { settleRefund } from '#server/orders/adjustments/settle-refunds.ts'
import { startOrderEmailWorkers } from '#server/orders/emails/order-emails.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { manualClock, recordingQueue, testApp, testDeps } from '#support/server/test-app.ts'
import { imageNode, packageItem } from '#tests/domain/cart/cart-fixtures.ts'
import {
  addLine,
  cartClient,
  completeLineContent,
  createCartFixtures,
  newUuid,
  onePrint,
} from '#tests/server/carts/cart-fixtures.ts'
import { seedOrderServices, setService } from '#tests/server/carts/order-service-fixtures.ts'
import { checkoutDriver, setUpPlatform } from '#tests/server/payments/checkout-driver.ts'

type PackageInput = Omit<Package, 'id' | 'version'>

/** A package of one digital image. */
const oneFile = (retailCost: number): PackageInput => {
  const offeredPackage = onePrint(retailCost)
  const items = [
    packageItem({ id: 9100, productCode: 'SingleDigDown', imageNodes: [imageNode({ id: 9101 })], textNodes: [] }),
  ]
  return { ...offeredPackage, name: 'A file', items }
}

/** 7.25 % on goods and 5.75 % on shipping, the rates that `setUpPlatform` has for this ZIP code. */
const taxOn = (goodsCents: number, shippingCents: number): number =>
  Math.round(goodsCents * 0.0725) + Math.round(shippingCents * 0.0575)

describe.each(enginesFor(import.meta.filename))('reducing an order on $name', (engine) => {
  const database = freshDatabase(engine)

  type Promotion = { kind: 'percent' | 'amount'; basis_points?: number; amount_cents?: number; minimum_cents?: number }
  /** `onlyPackage`: the index of the package that it applies to. */
  type PromotionInput = Promotion & { onlyPackage?: number }

  /** A paid order with these packages and quantities. */
  const setUp = async (
    purchases: readonly (readonly [PackageInput, number])[] = [
      [onePrint(25), 2],
      [onePrint(10), 1],
    ],
    { promotion, quote, withBo }: { promotion?: PromotionInput; quote?: Deps['tax']['quote']; withBo?: boolean } = {},
  ) => {
    const defaultDeps = testDeps(database(), manualClock())
    const { jobs, enqueue } = recordingQueue()
    const taxRequests: Parameters<Deps['tax']['quote']>[0][] = []
    const tax: Deps['tax'] = {
      quote: async (request) => {
        taxRequests.push(request)
        return await (quote ?? defaultDeps.tax.quote)(request)
      },
    }
    const deps: Deps = { ...defaultDeps, jobs: { enqueue }, tax }
    const app = await testApp(deps)
    await setUpPlatform(deps)
    const fixtures = await createCartFixtures(deps)
    for (const feature of ['digitalDownloads', 'promotions']) await given(deps).feature(fixtures.studioId, feature)
    const boId = await fixtures.addSubject('Bo')
    const boImageId = await fixtures.addImage({ subjectId: boId })
    const driver = checkoutDriver(app, fixtures, await fixtures.enter([fixtures.adaId, boId]))
    const packages: Package[] = []
    for (const [input] of purchases) packages.push(await fixtures.offer(input))
    const mutations = packages.map((offeredPackage, index) =>
      addLine(offeredPackage, fixtures.adaId, {
        quantity: purchases[index]?.[1] ?? 1,
        ...completeLineContent(offeredPackage, fixtures.adaImageId),
      }),
    )
    await driver.sync(mutations)
    if (withBo) {
      const { basic, box } = await seedOrderServices(deps, fixtures)
      const packageForBo = await fixtures.offer(onePrint(18))
      await driver.sync([
        addLine(packageForBo, boId, completeLineContent(packageForBo, boImageId)),
        setService(basic, fixtures.adaId),
        setService(basic, boId),
        setService(box, boId),
      ])
    }
    const checkoutId = newUuid()
    await driver.saveDetails(checkoutId)
    if (promotion) {
      const { onlyPackage, ...values } = promotion
      const packageId = onlyPackage === undefined ? undefined : packages[onlyPackage]?.id
      const package_ids = packageId === undefined ? null : [packageId]
      const row = { studio_id: fixtures.studioId, code: 'SAVE', ...values, package_ids }
      await deps.db.insertInto('promotions').values(row).execute()
      await driver.request('POST', 'checkout/promo', { body: { code: 'SAVE', orderMethod: 'gallery', checkoutId } })
    }
    const { totalCents } = await driver.totals()
    const submitBody = { checkoutId, attemptId: newUuid(), paymentToken: 'test_visa', totalCents }
    const { data } = await driver.submit(submitBody)
    const orderNumber: string = data.orderNumber
    const orderBefore = await driver.order(orderNumber)
    const lineIds = orderBefore.lines.map(({ lineId }) => lineId ?? 0)
    const packagesOf = (quantities: Record<number, number>) =>
      Object.entries(quantities).map(([index, quantity]) => ({ lineId: lineIds[Number(index)] ?? 0, quantity }))
    const price = (quantities: Record<number, number>, client: Pick<typeof driver, 'request'> = driver) =>
      client.request('POST', `orders/${orderNumber}/fewer/price`, { body: { packages: packagesOf(quantities) } })
    const reduce = (
      quantities: Record<number, number>,
      refundCents: number,
      client: Pick<typeof driver, 'request'> = driver,
    ) =>
      client.request('POST', `orders/${orderNumber}/fewer`, { body: { packages: packagesOf(quantities), refundCents } })
    const reduceAtQuotedAmount = async (quantities: Record<number, number>) =>
      await reduce(quantities, (await price(quantities)).data.refundCents)
    const ledger = () =>
      deps.db
        .selectFrom('ledger')
        .select(['kind', 'state', 'amount_cents', 'platform_fee_cents'])
        .orderBy('id')
        .execute()
    const settle = async () => {
      for (const { name, payload } of jobs) if (name === 'settle-refund') await settleRefund(deps, payload)
    }
    const readPromotionUses = () => deps.db.selectFrom('promotion_uses').select(['state', 'amount_cents']).execute()
    const queued = (name: string) => jobs.filter((job) => job.name === name).map(({ payload }) => payload)
    taxRequests.length = 0
    return {
      deps,
      app,
      fixtures,
      driver,
      orderNumber,
      orderBefore,
      totalCents,
      price,
      reduce,
      reduceAtQuotedAmount,
      ledger,
      settle,
      readPromotionUses,
      queued,
      taxRequests,
    }
  }

  /** Asserts that the parts of an order add up, line by line. */
  const expectSumsMatch = async (deps: Deps, order: Order) => {
    const lines = await deps.db
      .selectFrom('order_lines')
      .select(['amount_cents', 'discount_cents', 'tax_cents', 'quantity', 'unit_cents', 'kind'])
      .orderBy('position')
      .execute()
    const sum = (key: 'amount_cents' | 'discount_cents' | 'tax_cents') =>
      lines.reduce((total, line) => total + line[key], 0)
    const { packagesCents, servicesCents, discountCents, shippingCents, taxCents, totalCents } = order.totals
    expect(sum('amount_cents')).toBe(packagesCents + servicesCents)
    expect(sum('discount_cents')).toBe(discountCents)
    expect(packagesCents + servicesCents - discountCents + shippingCents + taxCents).toBe(totalCents)
    const { totals } = await deps.db.selectFrom('orders').select('totals').executeTakeFirstOrThrow()
    expect(totals).toMatchObject(order.totals)
    return lines
  }

  it('the quote shows the refund without changing anything, and the reduction refunds exactly that', async () => {
    const { deps, driver, orderNumber, orderBefore, price, reduce, ledger, settle, totalCents } = await setUp()
    expect(orderBefore.totals).toMatchObject({ packagesCents: 6000, shippingCents: 895, taxCents: taxOn(6000, 895) })
    const { data } = await price({ 0: 1 })
    const totals = { packagesCents: 3500, shippingCents: 795, taxCents: taxOn(3500, 795) }
    expect(data).toMatchObject({ totals, cancels: false, alsoRemoved: [], lostPromotionCode: null })
    expect(data.refundCents).toBe(totalCents - data.totals.totalCents)
    expect(await driver.order(orderNumber)).toEqual(orderBefore)
    const { status, data: order } = await reduce({ 0: 1 }, data.refundCents)
    expect(status).toBe(200)
    expect(order).toMatchObject({ state: 'placed', totals: data.totals, refundableCents: data.totals.totalCents })
    expect(order.lines.map((line: { quantity: number }) => line.quantity)).toEqual([1, 1])
    expect(order.refunds).toMatchObject([{ amountCents: data.refundCents, state: 'pending' }])
    await expectSumsMatch(deps, order)
    await settle()
    expect(await ledger()).toMatchObject([
      { kind: 'charge', state: 'done', amount_cents: totalCents },
      { kind: 'refund', state: 'done', amount_cents: data.refundCents },
    ])
  })

  it('removing a line leaves the other lines as they were sold, even if the offer has changed', async () => {
    const { deps, driver, orderNumber, reduceAtQuotedAmount } = await setUp()
    await deps.db.updateTable('packages').set({ archived_at: deps.clock() }).execute()
    await deps.db.updateTable('package_versions').set({ retail_cost_cents: 99_900 }).execute()
    const { data } = await reduceAtQuotedAmount({ 1: 0 })
    expect(data.lines).toHaveLength(1)
    expect(data.totals).toMatchObject({ packagesCents: 5000, shippingCents: 795, taxCents: taxOn(5000, 795) })
    await expectSumsMatch(deps, await driver.order(orderNumber))
  })

  it('a reduction happens once even if it is requested repeatedly and concurrently', async () => {
    const { price, reduce, ledger, queued, driver, orderNumber } = await setUp()
    const { refundCents } = (await price({ 0: 1 })).data
    const answers = await Promise.all([reduce({ 0: 1 }, refundCents), reduce({ 0: 1 }, refundCents)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(await reduce({ 0: 1 }, refundCents)).toMatchObject({ status: 200 })
    expect((await ledger()).filter(({ kind }) => kind === 'refund')).toHaveLength(1)
    expect(queued('send-changed-email')).toHaveLength(1)
    expect((await driver.order(orderNumber)).lines[0]?.quantity).toBe(1)
    expect((await price({ 0: 1 })).data).toMatchObject({ refundCents: 0, cancels: false })
  })

  it('a reduction with an outdated refund amount is refused with the current one', async () => {
    const { deps, price, reduce, ledger, driver, orderNumber, orderBefore } = await setUp()
    const { refundCents } = (await price({ 0: 1 })).data
    const message = `The refund is now $${(refundCents / 100).toFixed(2)}. Please check it`
    expect(await reduce({ 0: 1 }, refundCents + 1)).toMatchObject({
      status: 422,
      problem: 'totals-changed',
      errors: [message],
    })
    expect(await driver.order(orderNumber)).toEqual(orderBefore)
    expect(await ledger()).toHaveLength(1)
    // Another device reduced the order in another way first.
    await reduce({ 1: 0 }, (await price({ 1: 0 })).data.refundCents)
    const currentRefund = (await price({ 0: 1 })).data.refundCents
    expect(await reduce({ 0: 1 }, currentRefund + 5)).toMatchObject({ status: 422, problem: 'totals-changed' })
    await expectSumsMatch(deps, await driver.order(orderNumber))
  })

  it('a refund never exceeds what is left after earlier refunds by the studio', async () => {
    const { deps, price, reduceAtQuotedAmount, ledger, totalCents } = await setUp()
    const charge = await deps.db.selectFrom('ledger').selectAll().executeTakeFirstOrThrow()
    const { id: refund_of, attempt_id: _, ...row } = charge
    const earlierRefund = { ...row, kind: 'refund' as const, amount_cents: totalCents - 100, refund_of }
    await deps.db.insertInto('ledger').values(earlierRefund).execute()
    expect((await price({ 0: 1 })).data.refundCents).toBe(100)
    expect(await reduceAtQuotedAmount({ 0: 1 })).toMatchObject({ status: 200, data: { refundableCents: 0 } })
    expect((await ledger()).map(({ amount_cents: cents }) => cents)).toEqual([totalCents, totalCents - 100, 100])
  })

  it('a reduction refunds its part of the platform fee', async () => {
    const { deps, reduceAtQuotedAmount, ledger, totalCents } = await setUp()
    await deps.db.updateTable('ledger').set({ platform_fee_cents: 1000 }).execute()
    const { data } = await reduceAtQuotedAmount({ 0: 1 })
    const expectedPart = Math.round((1000 * (totalCents - data.totals.totalCents)) / totalCents)
    const [, refund] = await ledger()
    expect(Math.abs((refund?.platform_fee_cents ?? 0) - expectedPart)).toBeLessThanOrEqual(1)
    await reduceAtQuotedAmount({ 0: 0, 1: 0 })
    const entries = await ledger()
    expect(entries.slice(1).reduce((sum, { platform_fee_cents: cents }) => sum + cents, 0)).toBe(1000)
    expect(entries.slice(1).reduce((sum, { amount_cents: cents }) => sum + cents, 0)).toBe(totalCents)
  })

  it('removing the last package cancels the order, and the quote says so', async () => {
    const { driver, orderNumber, price, reduce, queued, totalCents } = await setUp()
    expect((await price({ 0: 0, 1: 0 })).data).toMatchObject({
      cancels: true,
      refundCents: totalCents,
      totals: { totalCents: 0 },
      alsoRemoved: [],
    })
    const answers = await Promise.all([reduce({ 0: 0, 1: 0 }, totalCents), reduce({ 0: 0, 1: 0 }, totalCents)])
    for (const answer of answers) expect(answer).toMatchObject({ status: 200, data: { state: 'cancelled' } })
    expect(await driver.order(orderNumber)).toMatchObject({
      state: 'cancelled',
      refunds: [{ amountCents: totalCents }],
    })
    expect([queued('send-cancelled-email').length, queued('send-changed-email').length]).toEqual([1, 0])
  })

  it('add-ons that cannot be sold alone are removed and named', async () => {
    const addOn = { ...onePrint(5, { type: 'addon_standard', requiresStandard: true }), name: 'Button' }
    const priceAddOn = {
      ...onePrint(8, { type: 'addon_price', requiredMinPrice: 50, requiresStandard: true }),
      name: 'Mug',
    }
    const { deps, driver, orderNumber, price, reduceAtQuotedAmount } = await setUp([
      [onePrint(25), 2],
      [addOn, 1],
      [priceAddOn, 1],
    ])
    expect((await price({ 0: 1 })).data).toMatchObject({ alsoRemoved: ['Mug'], totals: { packagesCents: 3000 } })
    const { data } = await reduceAtQuotedAmount({ 0: 1 })
    expect(data.lines.map((line: { packageName: string }) => line.packageName)).toEqual(['Package for 25', 'Button'])
    await expectSumsMatch(deps, await driver.order(orderNumber))
    expect((await price({ 0: 0 })).data).toMatchObject({ cancels: true })
  })

  it('services of subjects without packages are removed, and discount and tax are split again', async () => {
    const { deps, driver, orderNumber, orderBefore, price, reduceAtQuotedAmount } = await setUp(undefined, {
      promotion: { kind: 'percent', basis_points: 1000 },
      withBo: true,
    })
    expect(orderBefore.totals).toMatchObject({ packagesCents: 7800, servicesCents: 1925, discountCents: 973 })
    const { data } = await price({ 2: 0 })
    expect(data).toMatchObject({
      alsoRemoved: ['Gift box', 'Basic'],
      totals: { packagesCents: 6000, servicesCents: 800 },
    })
    const { data: order } = await reduceAtQuotedAmount({ 2: 0 })
    expect(order.totals).toMatchObject({ discountCents: 680, taxCents: taxOn(6120, 895) })
    const lines = await expectSumsMatch(deps, await driver.order(orderNumber))
    expect(lines.map(({ kind }) => kind)).toEqual(['package', 'package', 'retouch'])
  })

  it('an order reduced to digital files has no shipping', async () => {
    const { reduceAtQuotedAmount, driver, orderNumber } = await setUp([
      [onePrint(25), 1],
      [oneFile(12), 1],
    ])
    const { data } = await reduceAtQuotedAmount({ 0: 0 })
    expect(data).toMatchObject({ delivery: 'download', shippingAddress: null, shippingName: '' })
    expect(data.totals).toMatchObject({ packagesCents: 1200, shippingCents: 0, taxCents: taxOn(1200, 0) })
    expect((await driver.order(orderNumber)).downloads).toHaveLength(1)
  })

  it('download links are revoked, and packages with downloaded files cannot be removed', async () => {
    const { deps, reduce, price, reduceAtQuotedAmount, driver, orderNumber } = await setUp([
      [onePrint(25), 2],
      [oneFile(12), 1],
    ])
    const setDownloaded = (at: Date | null) => deps.db.updateTable('downloads').set({ downloaded_at: at }).execute()
    await setDownloaded(deps.clock())
    const message = 'Photos of this were already downloaded. Ask the studio if you need to change something'
    expect(await price({ 1: 0 })).toMatchObject({ status: 422, errors: [message] })
    expect(await reduce({ 1: 0 }, 1)).toMatchObject({ status: 422, errors: [message] })
    expect(await reduceAtQuotedAmount({ 0: 1 })).toMatchObject({ status: 200 })
    await setDownloaded(null)
    expect(await reduceAtQuotedAmount({ 1: 0 })).toMatchObject({ status: 200, data: { downloads: [] } })
    expect((await driver.order(orderNumber)).downloads).toEqual([])
  })

  it('a percentage promotion is computed on the remaining packages and stays used', async () => {
    const { deps, driver, orderNumber, reduceAtQuotedAmount, readPromotionUses } = await setUp(undefined, {
      promotion: { kind: 'percent', basis_points: 1000 },
    })
    const { data } = await reduceAtQuotedAmount({ 0: 1 })
    expect(data.totals).toMatchObject({ packagesCents: 3500, discountCents: 350, taxCents: taxOn(3150, 795) })
    expect(data.promotionCode).toBe('SAVE')
    expect(await readPromotionUses()).toEqual([{ state: 'used', amount_cents: 350 }])
    await expectSumsMatch(deps, await driver.order(orderNumber))
  })

  it('a promotion for one package discounts only its line, before and after a reduction', async () => {
    const { deps, driver, orderNumber, reduceAtQuotedAmount, readPromotionUses } = await setUp(undefined, {
      promotion: { kind: 'percent', basis_points: 1000, onlyPackage: 0 },
    })
    const readDiscounts = async () =>
      (await deps.db.selectFrom('order_lines').select('discount_cents').orderBy('position').execute()).map(
        ({ discount_cents }) => discount_cents,
      )
    expect(await readDiscounts()).toEqual([500, 0])
    const { data } = await reduceAtQuotedAmount({ 0: 1 })
    expect(data.totals).toMatchObject({ packagesCents: 3500, discountCents: 250, taxCents: taxOn(3250, 795) })
    expect(await readDiscounts()).toEqual([250, 0])
    // Later terms do not move the discount to other packages.
    await deps.db.updateTable('promotions').set({ package_ids: null, basis_points: 2000 }).execute()
    const { data: last } = await reduceAtQuotedAmount({ 1: 0 })
    expect(last.totals).toMatchObject({ packagesCents: 2500, discountCents: 250 })
    expect(await readPromotionUses()).toEqual([{ state: 'used', amount_cents: 250 }])
    await expectSumsMatch(deps, await driver.order(orderNumber))
  })

  it('a promotion whose minimum is no longer reached is dropped, and the quote says so', async () => {
    const { price, reduceAtQuotedAmount, readPromotionUses, driver, orderNumber } = await setUp(undefined, {
      promotion: { kind: 'amount', amount_cents: 500, minimum_cents: 5000 },
    })
    expect((await price({ 0: 1 })).data).toMatchObject({ lostPromotionCode: 'SAVE', totals: { discountCents: 0 } })
    const { data } = await reduceAtQuotedAmount({ 0: 1 })
    expect(data).toMatchObject({ promotionCode: null, totals: { packagesCents: 3500, discountCents: 0 } })
    expect(await readPromotionUses()).toEqual([{ state: 'released', amount_cents: 500 }])
    expect((await driver.order(orderNumber)).totals.discountCents).toBe(0)
  })

  it('a reduction that would cost more is refused', async () => {
    const { price, reduce, driver, orderNumber, orderBefore, readPromotionUses } = await setUp(undefined, {
      promotion: { kind: 'amount', amount_cents: 4000, minimum_cents: 6000 },
    })
    const refused = await price({ 1: 0 })
    expect(refused).toMatchObject({ status: 422, problem: 'refused' })
    expect(refused.errors[0]).toContain('What is left would cost more than you paid')
    expect(await reduce({ 1: 0 }, 0)).toMatchObject({ status: 422, problem: 'refused' })
    expect(await driver.order(orderNumber)).toEqual(orderBefore)
    expect(await readPromotionUses()).toEqual([{ state: 'used', amount_cents: 4000 }])
  })

  it('a discount shrinks proportionally if its promotion has other terms now', async () => {
    const { deps, reduceAtQuotedAmount } = await setUp(undefined, {
      promotion: { kind: 'percent', basis_points: 1000 },
    })
    await deps.db.updateTable('promotions').set({ basis_points: 5000, minimum_cents: 100_000 }).execute()
    const { data } = await reduceAtQuotedAmount({ 0: 1 })
    expect(data.totals).toMatchObject({ packagesCents: 3500, discountCents: 350 })
  })

  it('tax is quoted for the day and the address of the order, and never exceeds the tax paid', async () => {
    let factor = 1
    const quote: Deps['tax']['quote'] = async ({ goods, shippingCents }) => ({
      ...noTax,
      goodsCents: goods.reduce((sum, good) => sum + good.cents, 0) * 0.1 * factor,
      shippingCents: shippingCents * 0 * factor,
    })
    const { deps, reduceAtQuotedAmount, taxRequests } = await setUp(undefined, { quote })
    factor = 100
    const { data } = await reduceAtQuotedAmount({ 0: 1 })
    expect(data.totals.taxCents).toBe(600)
    const { placed_at } = await deps.db.selectFrom('orders').select('placed_at').executeTakeFirstOrThrow()
    expect(taxRequests[0]).toMatchObject({ at: placed_at, state: 'OH', zip: '45402' })
  })

  it('an order no longer awaits images once the packages that need them are removed', async () => {
    const { deps, reduceAtQuotedAmount } = await setUp()
    await deps.db.updateTable('orders').set({ awaits_poses: true }).execute()
    await deps.db.updateTable('order_lines').set({ needs_poses: true }).where('position', '=', 1).execute()
    const readAwaitsImages = async () =>
      (await deps.db.selectFrom('orders').select('awaits_poses').executeTakeFirstOrThrow()).awaits_poses
    await reduceAtQuotedAmount({ 0: 1 })
    expect(await readAwaitsImages()).toBe(true)
    await reduceAtQuotedAmount({ 1: 0 })
    expect(await readAwaitsImages()).toBe(false)
  })

  it('a reduction is refused if files are downloaded or the batch is closed while it is priced', async () => {
    const interruptions: (() => Promise<unknown>)[] = []
    const { deps, price, reduce, ledger, fixtures } = await setUp(
      [
        [onePrint(25), 2],
        [oneFile(12), 1],
      ],
      {
        quote: async ({ goods, shippingCents }) => {
          await interruptions.shift()?.()
          return {
            ...noTax,
            goodsCents: Math.round(goods.reduce((sum, good) => sum + good.cents, 0) * 0.05),
            shippingCents: shippingCents * 0,
          }
        },
      },
    )
    const { refundCents } = (await price({ 1: 0 })).data
    interruptions.push(() => deps.db.updateTable('downloads').set({ downloaded_at: deps.clock() }).execute())
    expect((await reduce({ 1: 0 }, refundCents)).errors[0]).toContain('were already downloaded')
    const quotedRefund = (await price({ 0: 1 })).data.refundCents
    const { id } = await deps.db
      .insertInto('batches')
      .values({ studio_id: fixtures.studioId, job_id: fixtures.jobId, name: 'First', state: 'closed' })
      .returning('id')
      .executeTakeFirstOrThrow()
    interruptions.push(() => deps.db.updateTable('orders').set({ state: 'batched', batch_id: id }).execute())
    expect((await reduce({ 0: 1 }, quotedRefund)).errors[0]).toContain('putting this order together for the lab')
    expect(await ledger()).toHaveLength(1)
  })

  it('the quote is repeated if the order changes while it is priced', async () => {
    const interruptions: (() => Promise<unknown>)[] = []
    const quote: Deps['tax']['quote'] = async () => {
      await interruptions.shift()?.()
      return { ...noTax, goodsCents: 100 }
    }
    const { price, reduce, ledger, driver, orderNumber, totalCents } = await setUp(undefined, { quote })
    const { refundCents } = (await price({ 1: 0 })).data
    const otherRefund = (await price({ 0: 1 })).data.refundCents
    interruptions.push(() => reduce({ 0: 1 }, otherRefund))
    expect(await reduce({ 1: 0 }, refundCents)).toMatchObject({ status: 200 })
    const order = await driver.order(orderNumber)
    expect(order.lines.map(({ quantity }) => quantity)).toEqual([1])
    const refundedCents = (await ledger()).slice(1).reduce((sum, row) => sum + row.amount_cents, 0)
    expect(refundedCents).toBe(totalCents - order.totals.totalCents)
  })

  it('a reduction cannot raise quantities above those sold', async () => {
    const { price, reduce } = await setUp()
    for (const refused of [await price({ 0: 3 }), await reduce({ 0: 3 }, 0)])
      expect(refused).toMatchObject({ status: 422, errors: ['Take packages off and add others one after the other'] })
  })

  it.each(['submitted', 'inProduction', 'shipped'] as const)('an order that is %s cannot be reduced', async (state) => {
    const { deps, price, reduce, ledger } = await setUp()
    await deps.db.updateTable('orders').set({ state }).execute()
    const errors = ['This order is already at the lab. Ask the studio if you need to change something']
    expect(await price({ 0: 1 })).toMatchObject({ status: 422, errors })
    expect(await reduce({ 0: 1 }, 1)).toMatchObject({ status: 422, errors })
    expect(await ledger()).toHaveLength(1)
  })

  it('a session without a grant can neither quote nor make a reduction', async () => {
    const { app, fixtures, price, reduce, ledger } = await setUp()
    const stranger = cartClient(app, fixtures, await fixtures.enter())
    expect(await price({ 0: 1 }, stranger)).toMatchObject({ status: 404 })
    expect(await reduce({ 0: 1 }, 1, stranger)).toMatchObject({ status: 404 })
    expect(await ledger()).toHaveLength(1)
  })

  it('a reduction is in the audit log, and the customer gets one email about it', async () => {
    const { deps, reduceAtQuotedAmount, queued, orderNumber } = await setUp()
    const { data } = await reduceAtQuotedAmount({ 0: 1, 1: 0 })
    const refundedCents = data.refunds[0].amountCents as number
    const auditEntries = await deps.db
      .selectFrom('audit_log')
      .selectAll()
      .where('action', '=', 'order.reduced')
      .execute()
    const lines = 'Package for 25: 2 to 1, Package for 10: 1 to 0'
    expect(auditEntries).toMatchObject([{ entity_id: orderNumber, detail: { lines, refundCents: refundedCents } }])
    const handlers = new Map<string, (job: { payload: never }) => Promise<void>>()
    const work = async (name: string, _concurrency: number, handler: (job: { payload: never }) => Promise<void>) =>
      void handlers.set(name, handler)
    await startOrderEmailWorkers({ work } as never, deps)
    const [payload] = queued('send-changed-email')
    for (const _ of [1, 2]) await handlers.get('send-changed-email')?.({ payload: payload as never })
    const mails = await deps.db.selectFrom('mail_log').select(['kind', 'subject', 'body_text']).execute()
    expect(mails).toMatchObject([{ kind: 'changed', subject: `Your order ${orderNumber} with riverside was changed` }])
    expect(mails[0]?.body_text).toContain(
      `We’ll refund $${(refundedCents / 100).toFixed(2)} to the card ending in 4242`,
    )
    expect(mails[0]?.body_text).toContain('1 × Package for 25 (Ada Lovelace)')
    expect(mails[0]?.body_text).not.toContain('Package for 10')
  })
})
