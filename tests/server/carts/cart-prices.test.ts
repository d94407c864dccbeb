import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cartCents, lineCents } from '#domain/cart/add-ons.ts'
import { type Cart, emptyCart } from '#domain/cart/cart.ts'
import { type Mutation, mutationVersion, type RecordedMutation } from '#domain/cart/mutation.ts'
import type { JobServices } from '#domain/cart/order-service-types.ts'
import { cartServicesOf } from '#domain/cart/order-services.ts'
import { replayMutations } from '#domain/cart/replay.ts'
import type { Package, PackageAddon } from '#domain/catalogue/catalogue.ts'
import { sumCents, toDollars } from '#domain/pricing/money.ts'
import { priceOrder } from '#domain/pricing/pricing.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { testSeed } from '#support/seed.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { nameAndYear } from '../../domain/cart/order-service-fixtures.ts'
import { addFeature } from '../discovery/job-fixtures.ts'
import { checkoutDriver, details, setUpPlatform } from '../payments/checkout-driver.ts'
import { add, completeLineContent, createCartFixtures, newUuid, onePrint, quantity, statuses } from './cart-fixtures.ts'
import { expectedPrices, packagePrices, type Service } from './expected-prices.ts'
import { seedOrderServices, setService } from './order-service-fixtures.ts'

const long = process.env.LONG === '1'
const [lists, walks, cartsOfWalk] = long ? [20, 50, 10] : [3, 5, 10]
const carts = lists * walks * cartsOfWalk

const names = ['basic', 'premium', 'box', 'personal'] as const

/** Six packages, the last of them a file, and an add-on of each kind. */
const addons: ((minimum: number) => Partial<PackageAddon>)[] = [
  ...Array.from({ length: 6 }, () => () => ({})),
  () => ({ type: 'addon_standard', requiresStandard: true }),
  (minimum) => ({ type: 'addon_price', requiredMinPrice: toDollars(minimum) }),
]
const cents = fc.oneof(fc.integer({ min: 0, max: 200 }), fc.integer({ min: 0, max: 999_999 }))
const whose = fc.nat(1)
const priceList = fc.record({
  packages: fc.array(cents, { minLength: addons.length, maxLength: addons.length }),
  services: fc.array(fc.integer({ min: 0, max: 5000 }), { minLength: names.length, maxLength: names.length }),
  minimum: fc.integer({ min: 0, max: 400_000 }),
})
type PriceList = typeof priceList extends fc.Arbitrary<infer List> ? List : never

const anyQuantity = fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 99 }))
const anyBuy = fc.record({
  do: fc.constant('buy' as const),
  ware: fc.nat(addons.length - 1),
  whose,
  quantity: anyQuantity,
})
const anyServe = fc.record({ do: fc.constant('serve' as const), service: fc.nat(names.length - 1), whose })
const anyChange = fc.oneof(
  { weight: 3, arbitrary: anyBuy },
  { weight: 2, arbitrary: anyServe },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('change' as const), line: fc.nat(9), quantity: fc.nat(4) }),
  },
)
type Wanted = typeof anyChange extends fc.Arbitrary<infer One> ? One : never

/** A random cart and the carts that successive changes make of it. */
const anyWalk = fc
  .tuple(
    fc.array(anyBuy, { minLength: 2, maxLength: 4 }),
    fc.array(
      anyChange.map((one) => [one]),
      { minLength: cartsOfWalk - 1, maxLength: cartsOfWalk - 1 },
    ),
  )
  .map(([first, then]): Wanted[][] => [first, ...then])

/** Orders a service, with its printed words where it has some. */
const serving = (ids: Record<Service, number>, name: Service, subjectId: number): Mutation =>
  setService(ids[name], subjectId, name === 'personal' ? { personalization: nameAndYear() } : {})

const ada = { firstName: 'Ada', lastName: 'Lovelace', imageThumbnailUrl: null }
const clear = (): Mutation => ({ id: newUuid(), v: mutationVersion, at: '2027-04-15T09:00:00.000Z', do: 'cart.clear' })

/** The cents in the database, added up without the product's functions. */
const databaseCents = (of: { packageCents: Map<number, number>; serviceCents: Map<number, number> }, cart: Cart) => {
  let [packagesCents, servicesCents] = [0, 0]
  for (const line of cart.cartPackages)
    packagesCents += (of.packageCents.get(line.packageId) ?? Number.NaN) * line.quantity
  for (const one of cartServicesOf(cart)) servicesCents += of.serviceCents.get(one.orderServiceId) ?? Number.NaN
  return { packagesCents, servicesCents, totalCents: packagesCents + servicesCents }
}

/** The cents that the device shows for a cart. */
const deviceCents = (cart: Cart) => {
  const packagesCents = sumCents(cart.cartPackages.map(lineCents))
  return { packagesCents, servicesCents: cartCents(cart) - packagesCents, totalCents: cartCents(cart) }
}

/** A cart by the domain's pricing, mailed to where goods are taxed at 7.25 % and mail at 5.75 %. */
const mailedCents = (cart: Cart) => {
  const isMailed = cart.cartPackages.some(({ cartPackageItems }) =>
    cartPackageItems.some((item) => item.productCode !== 'SingleDigDown'),
  )
  const packages = sumCents(cart.cartPackages.map((line) => line.quantity))
  const {
    perLine: _,
    services: __,
    shipping: ___,
    ...totals
  } = priceOrder({
    lines: cart.cartPackages.map((line) => ({ lineId: line.lineId, cents: lineCents(line) })),
    servicesCents: deviceCents(cart).servicesCents,
    promotion: null,
    shippingCents: isMailed ? 695 + 100 * (packages - 1) : 0,
    taxRates: { goodsMillionths: 72_500, shippingMillionths: 57_500 },
  })
  return totals
}

const file = (made: Omit<Package, 'id' | 'version'>) => ({
  ...made,
  items: made.items.map((item) => ({ ...item, productCode: 'SingleDigDown' })),
})

describe.each(enginesFor(import.meta.filename))('cart prices on $name', (engine) => {
  const database = freshDatabase(engine)

  const begin = async () => {
    const deps = testDeps(database())
    const app = await testApp(deps)
    await setUpPlatform(deps)
    const shop = await createCartFixtures(deps)
    const services = await seedOrderServices(deps, shop)
    await addFeature(deps, shop.studioId, 'digitalDownloads')
    const boId = await shop.giveSubject('Bo')
    const parent = await shop.enter([shop.adaId, boId])
    const till = checkoutDriver(app, shop, parent)
    const url = `/api/customer/studios/${shop.studioId}/jobs/${shop.jobId}/services`
    const offered = async () => (await app.inject({ url, headers: parent.headers })).json().data as JobServices // its contract
    return { deps, app, shop, services, boId, till, offered }
  }
  type Begun = Awaited<ReturnType<typeof begin>>

  it('prices add up to the amounts worked out by hand', async () => {
    const { app, shop, services } = await begin()
    for (const [name, bought, packagesCents, servicesCents, mailed] of expectedPrices) {
      const till = checkoutDriver(app, shop, await shop.enter())
      const lineIds = bought.map(() => newUuid())
      const told: Mutation[] = []
      for (const [index, [what, which, count]] of bought.entries()) {
        if (what === 'serve') told.push(serving(services, which, shop.adaId))
        else if (what === 'change') told.push(quantity(lineIds[which] ?? '', count))
        else {
          const [price, addon] = packagePrices[what]
          const made = await shop.offer(what === 'file' ? file(onePrint(price, addon)) : onePrint(price, addon))
          told.push(add(made, shop.adaId, { lineId: lineIds[index] ?? '', quantity: which }))
        }
      }
      await till.sync(told)
      const { data } = await till.ask('GET', 'cart/details?orderMethod=gallery')
      const sums = { packagesCents, servicesCents, totalCents: packagesCents + servicesCents }
      expect([name, data]).toMatchObject([name, sums])
      if (!mailed) continue
      await till.keep(newUuid())
      const [shippingCents, taxCents, totalCents] = mailed
      const totals = { ...sums, discountCents: 0, shippingCents, taxCents, totalCents }
      expect([name, await till.totals()]).toEqual([name, totals])
    }
  })

  /** Offers a list of random prices; `cents` are the database's prices. */
  const offerList = async ({ shop, services }: Begun, list: PriceList) => {
    const prints = addons.map((addon, index) => onePrint(toDollars(list.packages[index] ?? 0), addon(list.minimum)))
    const wares: Package[] = []
    for (const [index, print] of prints.entries()) wares.push(await shop.offer(index === 5 ? file(print) : print))
    for (const [index, name] of names.entries()) await services.priceIt(services[name], list.services[index] ?? 0)
    const serviceCents = new Map(names.map((name, index) => [services[name], list.services[index] ?? 0]))
    return { wares, packageCents: new Map(wares.map(({ id }, index) => [id, list.packages[index] ?? 0])), serviceCents }
  }

  it(
    `server prices of ${carts} random carts equal the device’s (seed ${testSeed})`,
    async () => {
      const begun = await begin()
      const { till, shop, boId, services, offered } = begun
      const people = [shop.adaId, boId]
      const tally = { lines: 0, served: 0, refused: 0, mailed: 0 }
      for (const [at, list] of fc.sample(priceList, { seed: testSeed, numRuns: lists }).entries()) {
        const onShelf = await offerList(begun, list)
        const { services: byJob, ...flags } = await offered()
        const recordedOf = (wanted: Wanted, { cartPackages }: Cart): RecordedMutation => {
          if (wanted.do === 'change') {
            const line = cartPackages[wanted.line % Math.max(1, cartPackages.length)]
            return { mutation: quantity(line?.lineId ?? newUuid(), wanted.quantity), snapshot: null }
          }
          const subjectId = people[wanted.whose] ?? 0
          if (wanted.do === 'serve') {
            const name = names[wanted.service] ?? 'box'
            const service = byJob.find((one) => one.orderServiceId === services[name])
            return { mutation: serving(services, name, subjectId), snapshot: service ? { service, flags } : null }
          }
          const made = onShelf.wares[wanted.ware]
          if (!made) throw new Error('there are as many wares as prices')
          const snapshot = { package: made, subject: ada, images: [] }
          return { mutation: add(made, subjectId, { quantity: wanted.quantity }), snapshot }
        }
        for (const walk of fc.sample(anyWalk, { seed: testSeed + at, numRuns: walks })) {
          let cart = emptyCart(shop.jobId, 'gallery')
          for (const [step, wanted] of walk.entries()) {
            const before = cart
            const outbox = wanted.map((one) => recordedOf(one, before))
            const folded = replayMutations(before, outbox)
            cart = folded.cart
            await till.sync([...(step === 0 ? [clear()] : []), ...outbox.map(({ mutation }) => mutation)])
            const { data } = await till.ask('GET', 'cart/details?orderMethod=gallery')
            const { packagesCents, servicesCents, totalCents } = data
            expect({ packagesCents, servicesCents, totalCents }).toEqual(deviceCents(cart))
            expect(deviceCents(cart)).toEqual(databaseCents(onShelf, cart))
            tally.lines += cart.cartPackages.length
            tally.served += cartServicesOf(cart).length
            tally.refused += folded.refused.length
            if (step % 5 > 0 || cart.cartPackages.length === 0) continue
            if (tally.mailed === 0) await till.keep(newUuid())
            expect(await till.totals()).toEqual(mailedCents(cart))
            tally.mailed += 1
          }
        }
      }
      // Most carts must not be empty.
      expect(tally.lines).toBeGreaterThan(carts)
      expect(tally.mailed).toBeGreaterThan(carts / 10)
      expect(Math.min(tally.served, tally.refused)).toBeGreaterThan(0)
    },
    long ? 3_000_000 : 120_000,
  )

  it('a device’s prices are ignored', async () => {
    const { till, shop, services } = await begin()
    const line = add(await shop.offer(onePrint(25)), shop.adaId)
    const service = setService(services.box, shop.adaId)
    await till.sync([line])
    const told = [
      { ...line, price: 0.01 },
      { ...line, retailCost: 0.01 },
      { ...line, snapshot: { package: { retailCost: 0.01 } } },
      { ...quantity(line.lineId, 2), price: 0.01 },
      { ...service, priceCents: 1 },
      { ...service, snapshot: { service: { price: 0.01 } } },
    ].map((one) => ({ ...one, id: newUuid() }))
    expect(statuses((await till.sync(told)).results)).toEqual(told.map(() => 'bad-request'))
    const { data } = await till.ask('GET', 'cart/details?orderMethod=gallery')
    expect(data).toMatchObject({ packagesCents: 2500, servicesCents: 0, totalCents: 2500 })
  })

  it('a caller’s prices are ignored', async () => {
    const { till, shop } = await begin()
    const made = await shop.offer(onePrint(25))
    const post = { packageId: made.id, subjectId: shop.adaId, orderMethod: 'gallery' }
    const { data: line } = await till.ask('POST', 'cartpackages', { body: post })
    const unknown = { status: 400, fields: { price: ['is not known here'] } }
    const asked: ['POST' | 'PATCH', string, object, object][] = [
      ['POST', 'cartpackages', { ...post, price: 0.01 }, unknown],
      ['PATCH', `cartpackages/${line.id}`, { quantity: 2, price: 0.01 }, unknown],
      [
        'PATCH',
        `cartpackageitems/text-nodes/${line.cartPackageItems[0].textNodes[0].id}`,
        { value: '', price: 0 },
        unknown,
      ],
      ['POST', 'checkout', { checkoutId: newUuid(), ...details(), price: 0.01 }, unknown],
    ]
    for (const [method, path, body, expected] of asked)
      expect([path, await till.ask(method, path, { body })]).toMatchObject([path, expected])
    const { data } = await till.ask('GET', 'cart/details?orderMethod=gallery')
    expect(data).toMatchObject({ packagesCents: 2500, servicesCents: 0, totalCents: 2500 })
  })

  it.each([0, 0.01, 3.24, 3.26])('a service shown at an outdated price of %d is not charged at it', async (price) => {
    const { deps, till, shop, services } = await begin()
    const made = await shop.offer(onePrint(25))
    const told = setService(services.box, shop.adaId, { price })
    await till.sync([add(made, shop.adaId, completeLineContent(made, shop.adaImageId)), told])
    const checkoutId = newUuid()
    await till.keep(checkoutId)
    expect(await till.ask('GET', 'checkout/totals?orderMethod=gallery')).toMatchObject({ problem: 'prices-changed' })
    for (const totalCents of [2500, 2500 + Math.round(price * 100), 2825]) {
      const submitted = { checkoutId, attemptId: newUuid(), paymentToken: 'test_visa', totalCents }
      expect(await till.submit(submitted)).toMatchObject({ status: 422, problem: 'prices-changed' })
    }
    expect(await deps.db.selectFrom('ledger').select('amount_cents').execute()).toEqual([])
    const named = { subjectId: shop.adaId, orderServiceId: services.box, orderMethod: 'gallery', price: 3.25 }
    await till.ask('POST', 'cartOrderServices', { body: named })
    expect(await till.totals()).toMatchObject({ packagesCents: 2500, servicesCents: 325 })
  })

  it('a submit charges the server’s price to the cent, or nothing', async () => {
    const { deps, till, shop } = await begin()
    const made = await shop.offer(onePrint(25))
    await till.sync([add(made, shop.adaId, completeLineContent(made, shop.adaImageId))])
    const checkoutId = newUuid()
    await till.keep(checkoutId)
    const { totalCents } = await till.totals()
    const submit = (cents: number) =>
      till.submit({ checkoutId, attemptId: newUuid(), paymentToken: 'test_visa', totalCents: cents })
    for (const cents of [totalCents - 1, totalCents + 1, 0, 2500])
      expect(await submit(cents)).toMatchObject({ status: 422, problem: 'totals-changed' })
    expect(await deps.db.selectFrom('orders').select('id').execute()).toEqual([])
    expect(await deps.db.selectFrom('ledger').select('amount_cents').execute()).toEqual([])
    expect(await submit(totalCents)).toMatchObject({ status: 200 })
    expect(await deps.db.selectFrom('ledger').select('amount_cents').execute()).toEqual([{ amount_cents: totalCents }])
  })

  it('a package version that was cheaper is no longer sold', async () => {
    const { till, shop } = await begin()
    const old = await shop.offer(onePrint(1))
    await shop.revise(old, { retailCost: 25 })
    await till.sync([add(old, shop.adaId, completeLineContent(old, shop.adaImageId))])
    await till.keep(newUuid())
    expect(await till.ask('GET', 'checkout/totals?orderMethod=gallery')).toMatchObject({ problem: 'prices-changed' })
  })
})
