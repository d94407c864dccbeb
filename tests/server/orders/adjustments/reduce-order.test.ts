import { describe, expect, it } from 'vitest'
import type { Order } from '#contract/customer/checkout-calls.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import type { Deps } from '#server/deps.ts'
import { settleRefund } from '#server/orders/adjustments/settle-refunds.ts'
import { workOnOrderEmails } from '#server/orders/emails/order-emails.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { manualClock, recordingQueue, testApp, testDeps } from '#support/server/test-app.ts'
import { imageNode, packageItem } from '../../../domain/cart/cart-fixtures.ts'
import {
  add,
  cartClient,
  completeLineContent,
  createCartFixtures,
  newUuid,
  onePrint,
} from '../../carts/cart-fixtures.ts'
import { seedOrderServices, setService } from '../../carts/order-service-fixtures.ts'
import { addFeature } from '../../discovery/job-fixtures.ts'
import { checkoutDriver, setUpPlatform } from '../../payments/checkout-driver.ts'

type Offered = Omit<Package, 'id' | 'version'>

/** A package of one digital image. */
const oneFile = (retailCost: number): Offered => {
  const made = onePrint(retailCost)
  const items = [
    packageItem({ id: 9100, productCode: 'SingleDigDown', imageNodes: [imageNode({ id: 9101 })], textNodes: [] }),
  ]
  return { ...made, name: 'A file', items }
}

/** 7.25 % on goods and 5.75 % on shipping, the rates that `setUpPlatform` has for this ZIP code. */
const taxOn = (goodsCents: number, shippingCents: number): number =>
  Math.round(goodsCents * 0.0725) + Math.round(shippingCents * 0.0575)

describe.each(enginesFor(import.meta.filename))('reducing an order on $name', (engine) => {
  const database = freshDatabase(engine)

  type Promotion = { kind: 'percent' | 'amount'; basis_points?: number; amount_cents?: number; minimum_cents?: number }

  /** A paid order with these packages and quantities. */
  const begin = async (
    bought: readonly (readonly [Offered, number])[] = [
      [onePrint(25), 2],
      [onePrint(10), 1],
    ],
    { promotion, quote, withBo }: { promotion?: Promotion; quote?: Deps['tax']['quote']; withBo?: boolean } = {},
  ) => {
    const plain = testDeps(database(), manualClock())
    const { jobs, enqueue } = recordingQueue()
    const taxRequests: Parameters<Deps['tax']['quote']>[0][] = []
    const tax: Deps['tax'] = {
      quote: async (request) => {
        taxRequests.push(request)
        return await (quote ?? plain.tax.quote)(request)
      },
    }
    const deps: Deps = { ...plain, jobs: { enqueue }, tax }
    const app = await testApp(deps)
    await setUpPlatform(deps)
    const shop = await createCartFixtures(deps)
    for (const feature of ['digitalDownloads', 'promotions']) await addFeature(deps, shop.studioId, feature)
    const boId = await shop.giveSubject('Bo')
    const boImageId = await shop.giveImage({ subjectId: boId })
    const checkout = checkoutDriver(app, shop, await shop.enter([shop.adaId, boId]))
    const packages: Package[] = []
    for (const [one] of bought) packages.push(await shop.offer(one))
    const adds = packages.map((made, at) =>
      add(made, shop.adaId, { quantity: bought[at]?.[1] ?? 1, ...completeLineContent(made, shop.adaImageId) }),
    )
    await checkout.sync(adds)
    if (withBo) {
      const { basic, box } = await seedOrderServices(deps, shop)
      const his = await shop.offer(onePrint(18))
      await checkout.sync([
        add(his, boId, completeLineContent(his, boImageId)),
        setService(basic, shop.adaId),
        setService(basic, boId),
        setService(box, boId),
      ])
    }
    const checkoutId = newUuid()
    await checkout.keep(checkoutId)
    if (promotion) {
      const row = { studio_id: shop.studioId, code: 'SAVE', ...promotion }
      await deps.db.insertInto('promotions').values(row).execute()
      await checkout.ask('POST', 'checkout/promo', { body: { code: 'SAVE', orderMethod: 'gallery', checkoutId } })
    }
    const { totalCents } = await checkout.totals()
    const paying = { checkoutId, attemptId: newUuid(), paymentToken: 'test_visa', totalCents }
    const { data } = await checkout.submit(paying)
    const orderNumber: string = data.orderNumber
    const first = await checkout.order(orderNumber)
    const lineIds = first.lines.map(({ lineId }) => lineId ?? 0)
    const packagesOf = (quantities: Record<number, number>) =>
      Object.entries(quantities).map(([at, quantity]) => ({ lineId: lineIds[Number(at)] ?? 0, quantity }))
    const price = (quantities: Record<number, number>, phone: Pick<typeof checkout, 'ask'> = checkout) =>
      phone.ask('POST', `orders/${orderNumber}/fewer/price`, { body: { packages: packagesOf(quantities) } })
    const fewer = (
      quantities: Record<number, number>,
      backCents: number,
      phone: Pick<typeof checkout, 'ask'> = checkout,
    ) => phone.ask('POST', `orders/${orderNumber}/fewer`, { body: { packages: packagesOf(quantities), backCents } })
    const takeOff = async (quantities: Record<number, number>) =>
      await fewer(quantities, (await price(quantities)).data.backCents)
    const ledger = () =>
      deps.db.selectFrom('ledger').select(['kind', 'state', 'amount_cents', 'commission_cents']).orderBy('id').execute()
    const settle = async () => {
      for (const { name, payload } of jobs) if (name === 'settle-refund') await settleRefund(deps, payload)
    }
    const uses = () => deps.db.selectFrom('promotion_uses').select(['state', 'amount_cents']).execute()
    const queued = (name: string) => jobs.filter((job) => job.name === name).map(({ payload }) => payload)
    taxRequests.length = 0
    return {
      deps,
      app,
      shop,
      till: checkout,
      orderNumber,
      first,
      totalCents,
      price,
      fewer,
      takeOff,
      ledger,
      settle,
      uses,
      queued,
      asked: taxRequests,
    }
  }

  /** Asserts that the parts of an order add up, line by line. */
  const addsUp = async (deps: Deps, order: Order) => {
    const lines = await deps.db
      .selectFrom('order_lines')
      .select(['amount_cents', 'discount_cents', 'tax_cents', 'quantity', 'unit_cents', 'kind'])
      .orderBy('position')
      .execute()
    const sum = (key: 'amount_cents' | 'discount_cents' | 'tax_cents') =>
      lines.reduce((all, line) => all + line[key], 0)
    const { packagesCents, servicesCents, discountCents, shippingCents, taxCents, totalCents } = order.totals
    expect(sum('amount_cents')).toBe(packagesCents + servicesCents)
    expect(sum('discount_cents')).toBe(discountCents)
    expect(packagesCents + servicesCents - discountCents + shippingCents + taxCents).toBe(totalCents)
    const { totals } = await deps.db.selectFrom('orders').select('totals').executeTakeFirstOrThrow()
    expect(totals).toMatchObject(order.totals)
    return lines
  }

  it('the quote shows the refund without changing anything, and the reduction refunds exactly that', async () => {
    const { deps, till: checkout, orderNumber, first, price, fewer, ledger, settle, totalCents } = await begin()
    expect(first.totals).toMatchObject({ packagesCents: 6000, shippingCents: 895, taxCents: taxOn(6000, 895) })
    const { data } = await price({ 0: 1 })
    const totals = { packagesCents: 3500, shippingCents: 795, taxCents: taxOn(3500, 795) }
    expect(data).toMatchObject({ totals, cancels: false, goesToo: [], endedCode: null })
    expect(data.backCents).toBe(totalCents - data.totals.totalCents)
    expect(await checkout.order(orderNumber)).toEqual(first)
    const { status, data: order } = await fewer({ 0: 1 }, data.backCents)
    expect(status).toBe(200)
    expect(order).toMatchObject({ state: 'placed', totals: data.totals, refundableCents: data.totals.totalCents })
    expect(order.lines.map((line: { quantity: number }) => line.quantity)).toEqual([1, 1])
    expect(order.refunds).toMatchObject([{ amountCents: data.backCents, state: 'pending' }])
    await addsUp(deps, order)
    await settle()
    expect(await ledger()).toMatchObject([
      { kind: 'charge', state: 'done', amount_cents: totalCents },
      { kind: 'refund', state: 'done', amount_cents: data.backCents },
    ])
  })

  it('removing a line leaves the other lines as sold, whatever is offered now', async () => {
    const { deps, shop, till: checkout, orderNumber, takeOff } = await begin()
    await deps.db.updateTable('packages').set({ archived_at: deps.clock() }).execute()
    await deps.db.updateTable('package_versions').set({ retail_cost_cents: 99_900 }).execute()
    const { data } = await takeOff({ 1: 0 })
    expect(data.lines).toHaveLength(1)
    expect(data.totals).toMatchObject({ packagesCents: 5000, shippingCents: 795, taxCents: taxOn(5000, 795) })
    await addsUp(deps, await checkout.order(orderNumber))
    expect(shop.studioId).toBeGreaterThan(0)
  })

  it('a reduction happens once, however often or concurrently it is requested', async () => {
    const { price, fewer, ledger, queued, till: checkout, orderNumber } = await begin()
    const { backCents } = (await price({ 0: 1 })).data
    const answers = await Promise.all([fewer({ 0: 1 }, backCents), fewer({ 0: 1 }, backCents)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(await fewer({ 0: 1 }, backCents)).toMatchObject({ status: 200 })
    expect((await ledger()).filter(({ kind }) => kind === 'refund')).toHaveLength(1)
    expect(queued('send-changed-email')).toHaveLength(1)
    expect((await checkout.order(orderNumber)).lines[0]?.quantity).toBe(1)
    expect((await price({ 0: 1 })).data).toMatchObject({ backCents: 0, cancels: false })
  })

  it('a reduction with an outdated refund amount is refused with the current one', async () => {
    const { deps, price, fewer, ledger, till: checkout, orderNumber, first } = await begin()
    const { backCents } = (await price({ 0: 1 })).data
    const words = `By now $${(backCents / 100).toFixed(2)} would go back. Please look it over`
    expect(await fewer({ 0: 1 }, backCents + 1)).toMatchObject({
      status: 422,
      problem: 'totals-changed',
      errors: [words],
    })
    expect(await checkout.order(orderNumber)).toEqual(first)
    expect(await ledger()).toHaveLength(1)
    // Another device reduced the order in another way first.
    await fewer({ 1: 0 }, (await price({ 1: 0 })).data.backCents)
    const now = (await price({ 0: 1 })).data.backCents
    expect(await fewer({ 0: 1 }, now + 5)).toMatchObject({ status: 422, problem: 'totals-changed' })
    await addsUp(deps, await checkout.order(orderNumber))
  })

  it('a refund never exceeds what is left after earlier refunds by the studio', async () => {
    const { deps, price, takeOff, ledger, totalCents } = await begin()
    const charge = await deps.db.selectFrom('ledger').selectAll().executeTakeFirstOrThrow()
    const { id: refund_of, attempt_id: _, ...row } = charge
    const earlierRefund = { ...row, kind: 'refund' as const, amount_cents: totalCents - 100, refund_of }
    await deps.db.insertInto('ledger').values(earlierRefund).execute()
    expect((await price({ 0: 1 })).data.backCents).toBe(100)
    expect(await takeOff({ 0: 1 })).toMatchObject({ status: 200, data: { refundableCents: 0 } })
    expect((await ledger()).map(({ amount_cents: cents }) => cents)).toEqual([totalCents, totalCents - 100, 100])
  })

  it('a reduction refunds its part of the commission', async () => {
    const { deps, takeOff, ledger, totalCents } = await begin()
    await deps.db.updateTable('ledger').set({ commission_cents: 1000 }).execute()
    const { data } = await takeOff({ 0: 1 })
    const part = Math.round((1000 * (totalCents - data.totals.totalCents)) / totalCents)
    const [, refund] = await ledger()
    expect(Math.abs((refund?.commission_cents ?? 0) - part)).toBeLessThanOrEqual(1)
    await takeOff({ 0: 0, 1: 0 })
    const all = await ledger()
    expect(all.slice(1).reduce((sum, { commission_cents: cents }) => sum + cents, 0)).toBe(1000)
    expect(all.slice(1).reduce((sum, { amount_cents: cents }) => sum + cents, 0)).toBe(totalCents)
  })

  it('removing the last package cancels the order, and the quote says so', async () => {
    const { till: checkout, orderNumber, price, fewer, queued, totalCents } = await begin()
    expect((await price({ 0: 0, 1: 0 })).data).toMatchObject({
      cancels: true,
      backCents: totalCents,
      totals: { totalCents: 0 },
      goesToo: [],
    })
    const answers = await Promise.all([fewer({ 0: 0, 1: 0 }, totalCents), fewer({ 0: 0, 1: 0 }, totalCents)])
    for (const answer of answers) expect(answer).toMatchObject({ status: 200, data: { state: 'cancelled' } })
    expect(await checkout.order(orderNumber)).toMatchObject({
      state: 'cancelled',
      refunds: [{ amountCents: totalCents }],
    })
    expect([queued('send-cancelled-email').length, queued('send-changed-email').length]).toEqual([1, 0])
  })

  it('add-ons that cannot be sold alone are removed and named', async () => {
    const addOn = { ...onePrint(5, { type: 'addon_standard', requiresStandard: true }), name: 'Button' }
    const dear = { ...onePrint(8, { type: 'addon_price', requiredMinPrice: 50, requiresStandard: true }), name: 'Mug' }
    const {
      deps,
      till: checkout,
      orderNumber,
      price,
      takeOff,
    } = await begin([
      [onePrint(25), 2],
      [addOn, 1],
      [dear, 1],
    ])
    expect((await price({ 0: 1 })).data).toMatchObject({ goesToo: ['Mug'], totals: { packagesCents: 3000 } })
    const { data } = await takeOff({ 0: 1 })
    expect(data.lines.map((line: { packageName: string }) => line.packageName)).toEqual(['Package for 25', 'Button'])
    await addsUp(deps, await checkout.order(orderNumber))
    expect((await price({ 0: 0 })).data).toMatchObject({ cancels: true })
  })

  it('services of subjects without packages are removed, and discount and tax are split again', async () => {
    const {
      deps,
      till: checkout,
      orderNumber,
      first,
      price,
      takeOff,
    } = await begin(undefined, {
      promotion: { kind: 'percent', basis_points: 1000 },
      withBo: true,
    })
    expect(first.totals).toMatchObject({ packagesCents: 7800, servicesCents: 1925, discountCents: 973 })
    const { data } = await price({ 2: 0 })
    expect(data).toMatchObject({ goesToo: ['Gift box', 'Basic'], totals: { packagesCents: 6000, servicesCents: 800 } })
    const { data: order } = await takeOff({ 2: 0 })
    expect(order.totals).toMatchObject({ discountCents: 680, taxCents: taxOn(6120, 895) })
    const lines = await addsUp(deps, await checkout.order(orderNumber))
    expect(lines.map(({ kind }) => kind)).toEqual(['package', 'package', 'retouch'])
  })

  it('an order of only digital files has no shipping', async () => {
    const {
      takeOff,
      till: checkout,
      orderNumber,
    } = await begin([
      [onePrint(25), 1],
      [oneFile(12), 1],
    ])
    const { data } = await takeOff({ 0: 0 })
    expect(data).toMatchObject({ delivery: 'download', shippingAddress: null, shippingName: '' })
    expect(data.totals).toMatchObject({ packagesCents: 1200, shippingCents: 0, taxCents: taxOn(1200, 0) })
    expect((await checkout.order(orderNumber)).downloads).toHaveLength(1)
  })

  it('download links are revoked, and packages with downloaded files cannot be removed', async () => {
    const {
      deps,
      fewer,
      price,
      takeOff,
      till: checkout,
      orderNumber,
    } = await begin([
      [onePrint(25), 2],
      [oneFile(12), 1],
    ])
    const downloaded = (at: Date | null) => deps.db.updateTable('downloads').set({ downloaded_at: at }).execute()
    await downloaded(deps.clock())
    const sentence = 'Pictures of this were downloaded already. Ask the studio if something has to be changed'
    expect(await price({ 1: 0 })).toMatchObject({ status: 422, errors: [sentence] })
    expect(await fewer({ 1: 0 }, 1)).toMatchObject({ status: 422, errors: [sentence] })
    expect(await takeOff({ 0: 1 })).toMatchObject({ status: 200 })
    await downloaded(null)
    expect(await takeOff({ 1: 0 })).toMatchObject({ status: 200, data: { downloads: [] } })
    expect((await checkout.order(orderNumber)).downloads).toEqual([])
  })

  it('a percentage promotion is computed on the rest and stays used', async () => {
    const {
      deps,
      till: checkout,
      orderNumber,
      takeOff,
      uses,
    } = await begin(undefined, {
      promotion: { kind: 'percent', basis_points: 1000 },
    })
    const { data } = await takeOff({ 0: 1 })
    expect(data.totals).toMatchObject({ packagesCents: 3500, discountCents: 350, taxCents: taxOn(3150, 795) })
    expect(data.promotionCode).toBe('SAVE')
    expect(await uses()).toEqual([{ state: 'used', amount_cents: 350 }])
    await addsUp(deps, await checkout.order(orderNumber))
  })

  it('a promotion whose minimum is no longer reached is dropped, and the quote says so', async () => {
    const {
      price,
      takeOff,
      uses,
      till: checkout,
      orderNumber,
    } = await begin(undefined, {
      promotion: { kind: 'amount', amount_cents: 500, minimum_cents: 5000 },
    })
    expect((await price({ 0: 1 })).data).toMatchObject({ endedCode: 'SAVE', totals: { discountCents: 0 } })
    const { data } = await takeOff({ 0: 1 })
    expect(data).toMatchObject({ promotionCode: null, totals: { packagesCents: 3500, discountCents: 0 } })
    expect(await uses()).toEqual([{ state: 'released', amount_cents: 500 }])
    expect((await checkout.order(orderNumber)).totals.discountCents).toBe(0)
  })

  it('a reduction that would cost more is refused', async () => {
    const {
      price,
      fewer,
      till: checkout,
      orderNumber,
      first,
      uses,
    } = await begin(undefined, {
      promotion: { kind: 'amount', amount_cents: 4000, minimum_cents: 6000 },
    })
    const refused = await price({ 1: 0 })
    expect(refused).toMatchObject({ status: 422, problem: 'refused' })
    expect(refused.errors[0]).toContain('What is left would cost more than you paid')
    expect(await fewer({ 1: 0 }, 0)).toMatchObject({ status: 422, problem: 'refused' })
    expect(await checkout.order(orderNumber)).toEqual(first)
    expect(await uses()).toEqual([{ state: 'used', amount_cents: 4000 }])
  })

  it('a discount shrinks proportionally if its promotion has other terms now', async () => {
    const { deps, takeOff } = await begin(undefined, { promotion: { kind: 'percent', basis_points: 1000 } })
    await deps.db.updateTable('promotions').set({ basis_points: 5000, minimum_cents: 100_000 }).execute()
    const { data } = await takeOff({ 0: 1 })
    expect(data.totals).toMatchObject({ packagesCents: 3500, discountCents: 350 })
  })

  it("tax uses the rates of the order's day outside any transaction and never exceeds the tax paid", async () => {
    let factor = 1
    const quote: Deps['tax']['quote'] = async ({ goods, shippingCents }) => ({
      goodsCents: goods.reduce((sum, one) => sum + one.cents, 0) * 0.1 * factor,
      shippingCents: shippingCents * 0 * factor,
    })
    const { deps, takeOff, asked: taxRequests } = await begin(undefined, { quote })
    factor = 100
    const { data } = await takeOff({ 0: 1 })
    expect(data.totals.taxCents).toBe(600)
    const { placed_at } = await deps.db.selectFrom('orders').select('placed_at').executeTakeFirstOrThrow()
    expect(taxRequests[0]).toMatchObject({ at: placed_at, state: 'OH', zip: '45402' })
  })

  it('the order awaits images only for the remaining packages', async () => {
    const { deps, takeOff } = await begin()
    await deps.db.updateTable('orders').set({ awaits_poses: true }).execute()
    await deps.db.updateTable('order_lines').set({ needs_poses: true }).where('position', '=', 1).execute()
    const awaits = async () =>
      (await deps.db.selectFrom('orders').select('awaits_poses').executeTakeFirstOrThrow()).awaits_poses
    await takeOff({ 0: 1 })
    expect(await awaits()).toBe(true)
    await takeOff({ 1: 0 })
    expect(await awaits()).toBe(false)
  })

  it('changes that the version does not cover are checked again under the lock', async () => {
    const between: (() => Promise<unknown>)[] = []
    const { deps, price, fewer, ledger, shop } = await begin(
      [
        [onePrint(25), 2],
        [oneFile(12), 1],
      ],
      {
        quote: async ({ goods, shippingCents }) => {
          await between.shift()?.()
          return {
            goodsCents: Math.round(goods.reduce((sum, one) => sum + one.cents, 0) * 0.05),
            shippingCents: shippingCents * 0,
          }
        },
      },
    )
    const { backCents } = (await price({ 1: 0 })).data
    between.push(() => deps.db.updateTable('downloads').set({ downloaded_at: deps.clock() }).execute())
    expect((await fewer({ 1: 0 }, backCents)).errors[0]).toContain('were downloaded already')
    const half = (await price({ 0: 1 })).data.backCents
    const { id } = await deps.db
      .insertInto('batches')
      .values({ studio_id: shop.studioId, job_id: shop.jobId, name: 'First', state: 'closed' })
      .returning('id')
      .executeTakeFirstOrThrow()
    between.push(() => deps.db.updateTable('orders').set({ state: 'batched', batch_id: id }).execute())
    expect((await fewer({ 0: 1 }, half)).errors[0]).toContain('putting this order together for the lab')
    expect(await ledger()).toHaveLength(1)
  })

  it('the quote is repeated if the order changes while it is priced', async () => {
    const between: (() => Promise<unknown>)[] = []
    const quote: Deps['tax']['quote'] = async () => {
      await between.shift()?.()
      return { goodsCents: 100, shippingCents: 0 }
    }
    const { price, fewer, ledger, till: checkout, orderNumber, totalCents } = await begin(undefined, { quote })
    const { backCents } = (await price({ 1: 0 })).data
    const other = (await price({ 0: 1 })).data.backCents
    between.push(() => fewer({ 0: 1 }, other))
    expect(await fewer({ 1: 0 }, backCents)).toMatchObject({ status: 200 })
    const order = await checkout.order(orderNumber)
    expect(order.lines.map(({ quantity }) => quantity)).toEqual([1])
    const back = (await ledger()).slice(1).reduce((sum, row) => sum + row.amount_cents, 0)
    expect(back).toBe(totalCents - order.totals.totalCents)
  })

  it('a reduction cannot raise quantities above those sold', async () => {
    const { price, fewer } = await begin()
    for (const refused of [await price({ 0: 3 }), await fewer({ 0: 3 }, 0)])
      expect(refused).toMatchObject({ status: 422, errors: ['Take packages off and add others one after the other'] })
  })

  it.each(['submitted', 'inProduction', 'shipped'] as const)('an order that is %s cannot be reduced', async (state) => {
    const { deps, price, fewer, ledger } = await begin()
    await deps.db.updateTable('orders').set({ state }).execute()
    const errors = ['This order is with the lab already. Ask the studio if something has to be changed']
    expect(await price({ 0: 1 })).toMatchObject({ status: 422, errors })
    expect(await fewer({ 0: 1 }, 1)).toMatchObject({ status: 422, errors })
    expect(await ledger()).toHaveLength(1)
  })

  it('a session without a grant cannot reduce an order', async () => {
    const { app, shop, price, fewer, ledger } = await begin()
    const stranger = cartClient(app, shop, await shop.enter())
    expect(await price({ 0: 1 }, stranger)).toMatchObject({ status: 404 })
    expect(await fewer({ 0: 1 }, 1, stranger)).toMatchObject({ status: 404 })
    expect(await ledger()).toHaveLength(1)
  })

  it('a reduction is in the audit log, and the customer gets one email about it', async () => {
    const { deps, takeOff, queued, orderNumber } = await begin()
    const { data } = await takeOff({ 0: 1, 1: 0 })
    const back = data.refunds[0].amountCents as number
    const trail = await deps.db.selectFrom('audit_log').selectAll().where('action', '=', 'order.reduced').execute()
    const lines = 'Package for 25: 2 to 1, Package for 10: 1 to 0'
    expect(trail).toMatchObject([{ entity_id: orderNumber, detail: { lines, backCents: back } }])
    const handlers = new Map<string, (job: { payload: never }) => Promise<void>>()
    const work = async (name: string, _most: number, does: (job: { payload: never }) => Promise<void>) =>
      void handlers.set(name, does)
    await workOnOrderEmails({ work } as never, deps)
    const [payload] = queued('send-changed-email')
    for (const _ of [1, 2]) await handlers.get('send-changed-email')?.({ payload: payload as never })
    const mails = await deps.db.selectFrom('mail_log').select(['kind', 'subject', 'body_text']).execute()
    expect(mails).toMatchObject([{ kind: 'changed', subject: `Your order ${orderNumber} with riverside was changed` }])
    expect(mails[0]?.body_text).toContain(
      `$${(back / 100).toFixed(2)} of what you paid goes back to the card ending in 4242`,
    )
    expect(mails[0]?.body_text).toContain('1 × Package for 25 (Ada Lovelace)')
    expect(mails[0]?.body_text).not.toContain('Package for 10')
  })
})
