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
import { given } from '#support/server/given.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { nameAndYear } from '#tests/domain/cart/order-service-fixtures.ts'
import { checkoutDriver, details, setUpPlatform } from '../payments/checkout-driver.ts'
import {
  addLine,
  completeLineContent,
  createCartFixtures,
  newUuid,
  onePrint,
  setQuantity,
  statuses,
} from './cart-fixtures.ts'
import { expectedPrices, packagePrices, type Service } from './expected-prices.ts'
import { seedOrderServices, setService } from './order-service-fixtures.ts'

const isLong = process.env.LONG === '1'
const [listCount, walkCount, cartsPerWalk] = isLong ? [20, 50, 10] : [3, 5, 10]
const cartCount = listCount * walkCount * cartsPerWalk

const serviceNames = ['basic', 'premium', 'box', 'personal'] as const

/** Six packages, of which the last is a file, and one add-on of each kind. */
const addons: ((minimum: number) => Partial<PackageAddon>)[] = [
  ...Array.from({ length: 6 }, () => () => ({})),
  () => ({ type: 'addon_standard', requiresStandard: true }),
  (minimum) => ({ type: 'addon_price', requiredMinPrice: toDollars(minimum) }),
]
const anyCents = fc.oneof(fc.integer({ min: 0, max: 200 }), fc.integer({ min: 0, max: 999_999 }))
const subjectIndex = fc.nat(1)
const priceList = fc.record({
  packages: fc.array(anyCents, { minLength: addons.length, maxLength: addons.length }),
  services: fc.array(fc.integer({ min: 0, max: 5000 }), {
    minLength: serviceNames.length,
    maxLength: serviceNames.length,
  }),
  minimum: fc.integer({ min: 0, max: 400_000 }),
})
type PriceList = typeof priceList extends fc.Arbitrary<infer List> ? List : never

const anyQuantity = fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 99 }))
const anyBuy = fc.record({
  do: fc.constant('buy' as const),
  packageIndex: fc.nat(addons.length - 1),
  subjectIndex,
  quantity: anyQuantity,
})
const anyServiceOrder = fc.record({
  do: fc.constant('service' as const),
  service: fc.nat(serviceNames.length - 1),
  subjectIndex,
})
const anyChange = fc.oneof(
  { weight: 3, arbitrary: anyBuy },
  { weight: 2, arbitrary: anyServiceOrder },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('change' as const), line: fc.nat(9), quantity: fc.nat(4) }),
  },
)
type CartChange = typeof anyChange extends fc.Arbitrary<infer Change> ? Change : never

/** A random cart, followed by random changes of it. */
const anyWalk = fc
  .tuple(
    fc.array(anyBuy, { minLength: 2, maxLength: 4 }),
    fc.array(
      anyChange.map((change) => [change]),
      { minLength: cartsPerWalk - 1, maxLength: cartsPerWalk - 1 },
    ),
  )
  .map(([first, laterChanges]): CartChange[][] => [first, ...laterChanges])

/** The mutation that orders a service, with its printed texts if it has any. */
const orderService = (ids: Record<Service, number>, name: Service, subjectId: number): Mutation =>
  setService(ids[name], subjectId, name === 'personal' ? { personalization: nameAndYear() } : {})

const ada = { firstName: 'Ada', lastName: 'Lovelace', imageThumbnailUrl: null }
const clear = (): Mutation => ({ id: newUuid(), v: mutationVersion, at: '2027-04-15T09:00:00.000Z', do: 'cart.clear' })

/** Adds up the prices in the database without the product's functions. */
const databaseCents = (
  prices: { packageCents: Map<number, number>; serviceCents: Map<number, number> },
  cart: Cart,
) => {
  let [packagesCents, servicesCents] = [0, 0]
  for (const line of cart.cartPackages)
    packagesCents += (prices.packageCents.get(line.packageId) ?? Number.NaN) * line.quantity
  for (const service of cartServicesOf(cart))
    servicesCents += prices.serviceCents.get(service.orderServiceId) ?? Number.NaN
  return { packagesCents, servicesCents, totalCents: packagesCents + servicesCents }
}

/** The sums that the device shows for a cart. */
const deviceCents = (cart: Cart) => {
  const packagesCents = sumCents(cart.cartPackages.map(lineCents))
  return { packagesCents, servicesCents: cartCents(cart) - packagesCents, totalCents: cartCents(cart) }
}

/** The totals of a mailed cart by the domain's pricing, with 7.25 % tax on goods and 5.75 % on shipping. */
const mailedCents = (cart: Cart) => {
  const isMailed = cart.cartPackages.some(({ cartPackageItems }) =>
    cartPackageItems.some((item) => item.productCode !== 'SingleDigDown'),
  )
  const packages = sumCents(cart.cartPackages.map((line) => line.quantity))
  const {
    perLine: _,
    services: __,
    shipping: ___,
    promotions: ____,
    lateFee: _____,
    latePrice: ______,
    ...totals
  } = priceOrder({
    lines: cart.cartPackages.map((line) => ({ lineId: line.lineId, cents: lineCents(line) })),
    servicesCents: deviceCents(cart).servicesCents,
    promotions: [],
    shippingCents: isMailed ? 695 + 100 * (packages - 1) : 0,
    taxRates: { goodsMillionths: 72_500, shippingMillionths: 57_500 },
  })
  return totals
}

const file = (offeredPackage: Omit<Package, 'id' | 'version'>) => ({
  ...offeredPackage,
  items: offeredPackage.items.map((item) => ({ ...item, productCode: 'SingleDigDown' })),
})

describe.each(enginesFor(import.meta.filename))('cart prices on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const deps = testDeps(database())
    const app = await testApp(deps)
    await setUpPlatform(deps)
    const fixtures = await createCartFixtures(deps)
    const services = await seedOrderServices(deps, fixtures)
    await given(deps).feature(fixtures.studioId, 'digitalDownloads')
    const boId = await fixtures.addSubject('Bo')
    const session = await fixtures.enter([fixtures.adaId, boId])
    const driver = checkoutDriver(app, fixtures, session)
    const url = `/api/customer/studios/${fixtures.studioId}/jobs/${fixtures.jobId}/services`
    const readOffer = async () => (await app.inject({ url, headers: session.headers })).json().data as JobServices // its contract
    return { deps, app, fixtures, services, boId, driver, readOffer }
  }
  type PriceFixtures = Awaited<ReturnType<typeof setUp>>

  it('prices add up to the amounts calculated by hand', async () => {
    const { app, fixtures, services } = await setUp()
    for (const [name, steps, packagesCents, servicesCents, mailed] of expectedPrices) {
      const driver = checkoutDriver(app, fixtures, await fixtures.enter())
      const lineIds = steps.map(() => newUuid())
      const mutations: Mutation[] = []
      for (const [index, [step, value, count]] of steps.entries()) {
        if (step === 'service') mutations.push(orderService(services, value, fixtures.adaId))
        else if (step === 'change') mutations.push(setQuantity(lineIds[value] ?? '', count))
        else {
          const [price, addon] = packagePrices[step]
          const offeredPackage = await fixtures.offer(
            step === 'file' ? file(onePrint(price, addon)) : onePrint(price, addon),
          )
          mutations.push(addLine(offeredPackage, fixtures.adaId, { lineId: lineIds[index] ?? '', quantity: value }))
        }
      }
      await driver.sync(mutations)
      const { data } = await driver.request('GET', 'cart/details?orderMethod=gallery')
      const sums = { packagesCents, servicesCents, totalCents: packagesCents + servicesCents }
      expect([name, data]).toMatchObject([name, sums])
      if (!mailed) continue
      await driver.saveDetails(newUuid())
      const [shippingCents, taxCents, totalCents] = mailed
      const totals = { ...sums, discountCents: 0, lateFeeCents: 0, shippingCents, taxCents, totalCents }
      expect([name, await driver.totals()]).toEqual([name, totals])
    }
  })

  /** Offers packages and services at these prices; returns the packages, and the database's prices by id. */
  const offerList = async ({ fixtures, services }: PriceFixtures, list: PriceList) => {
    const prints = addons.map((addon, index) => onePrint(toDollars(list.packages[index] ?? 0), addon(list.minimum)))
    const packages: Package[] = []
    for (const [index, print] of prints.entries())
      packages.push(await fixtures.offer(index === 5 ? file(print) : print))
    for (const [index, name] of serviceNames.entries())
      await services.setServicePrice(services[name], list.services[index] ?? 0)
    const serviceCents = new Map(serviceNames.map((name, index) => [services[name], list.services[index] ?? 0]))
    return {
      packages,
      packageCents: new Map(packages.map(({ id }, index) => [id, list.packages[index] ?? 0])),
      serviceCents,
    }
  }

  it(
    `prices of ${cartCount} random carts are the same on the server, on the device and by the price list (seed ${testSeed})`,
    async () => {
      const priceFixtures = await setUp()
      const { driver, fixtures, boId, services, readOffer } = priceFixtures
      const subjectIds = [fixtures.adaId, boId]
      const tally = { lines: 0, services: 0, rejected: 0, mailed: 0 }
      for (const [index, list] of fc.sample(priceList, { seed: testSeed, numRuns: listCount }).entries()) {
        const offeredList = await offerList(priceFixtures, list)
        const { services: jobServices, ...flags } = await readOffer()
        const toRecordedMutation = (change: CartChange, { cartPackages }: Cart): RecordedMutation => {
          if (change.do === 'change') {
            const line = cartPackages[change.line % Math.max(1, cartPackages.length)]
            return { mutation: setQuantity(line?.lineId ?? newUuid(), change.quantity), snapshot: null }
          }
          const subjectId = subjectIds[change.subjectIndex] ?? 0
          if (change.do === 'service') {
            const name = serviceNames[change.service] ?? 'box'
            const service = jobServices.find((candidate) => candidate.orderServiceId === services[name])
            return { mutation: orderService(services, name, subjectId), snapshot: service ? { service, flags } : null }
          }
          const offeredPackage = offeredList.packages[change.packageIndex]
          if (!offeredPackage) throw new Error('each price has a package')
          const snapshot = { package: offeredPackage, subject: ada, images: [] }
          return { mutation: addLine(offeredPackage, subjectId, { quantity: change.quantity }), snapshot }
        }
        for (const walk of fc.sample(anyWalk, { seed: testSeed + index, numRuns: walkCount })) {
          let cart = emptyCart(fixtures.jobId, 'gallery')
          for (const [step, change] of walk.entries()) {
            const before = cart
            const outbox = change.map((cartChange) => toRecordedMutation(cartChange, before))
            const replayed = replayMutations(before, outbox)
            cart = replayed.cart
            await driver.sync([...(step === 0 ? [clear()] : []), ...outbox.map(({ mutation }) => mutation)])
            const { data } = await driver.request('GET', 'cart/details?orderMethod=gallery')
            const { packagesCents, servicesCents, totalCents } = data
            expect({ packagesCents, servicesCents, totalCents }).toEqual(deviceCents(cart))
            expect(deviceCents(cart)).toEqual(databaseCents(offeredList, cart))
            tally.lines += cart.cartPackages.length
            tally.services += cartServicesOf(cart).length
            tally.rejected += replayed.rejected.length
            if (step % 5 > 0 || cart.cartPackages.length === 0) continue
            if (tally.mailed === 0) await driver.saveDetails(newUuid())
            expect(await driver.totals()).toEqual(mailedCents(cart))
            tally.mailed += 1
          }
        }
      }
      // Most carts must not be empty.
      expect(tally.lines).toBeGreaterThan(cartCount)
      expect(tally.mailed).toBeGreaterThan(cartCount / 10)
      expect(Math.min(tally.services, tally.rejected)).toBeGreaterThan(0)
    },
    isLong ? 3_000_000 : 120_000,
  )

  it('a mutation that contains a price is rejected', async () => {
    const { driver, fixtures, services } = await setUp()
    const line = addLine(await fixtures.offer(onePrint(25)), fixtures.adaId)
    const service = setService(services.box, fixtures.adaId)
    await driver.sync([line])
    const mutations = [
      { ...line, price: 0.01 },
      { ...line, retailCost: 0.01 },
      { ...line, snapshot: { package: { retailCost: 0.01 } } },
      { ...setQuantity(line.lineId, 2), price: 0.01 },
      { ...service, priceCents: 1 },
      { ...service, snapshot: { service: { price: 0.01 } } },
    ].map((mutation) => ({ ...mutation, id: newUuid() }))
    expect(statuses((await driver.sync(mutations)).results)).toEqual(mutations.map(() => 'bad-request'))
    const { data } = await driver.request('GET', 'cart/details?orderMethod=gallery')
    expect(data).toMatchObject({ packagesCents: 2500, servicesCents: 0, totalCents: 2500 })
  })

  it('a REST call that contains a price is rejected', async () => {
    const { driver, fixtures } = await setUp()
    const offeredPackage = await fixtures.offer(onePrint(25))
    const post = { packageId: offeredPackage.id, subjectId: fixtures.adaId, orderMethod: 'gallery' }
    const { data: line } = await driver.request('POST', 'cartpackages', { body: post })
    const unknown = { status: 400, fields: { price: ['is not known here'] } }
    const requests: ['POST' | 'PATCH', string, object, object][] = [
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
    for (const [method, path, body, expected] of requests)
      expect([path, await driver.request(method, path, { body })]).toMatchObject([path, expected])
    const { data } = await driver.request('GET', 'cart/details?orderMethod=gallery')
    expect(data).toMatchObject({ packagesCents: 2500, servicesCents: 0, totalCents: 2500 })
  })

  it.each([0, 0.01, 3.24, 3.26])(
    'a service with an outdated price of %d is not charged until the current price is accepted',
    async (price) => {
      const { deps, driver, fixtures, services } = await setUp()
      const offeredPackage = await fixtures.offer(onePrint(25))
      const mutation = setService(services.box, fixtures.adaId, { price })
      await driver.sync([
        addLine(offeredPackage, fixtures.adaId, completeLineContent(offeredPackage, fixtures.adaImageId)),
        mutation,
      ])
      const checkoutId = newUuid()
      await driver.saveDetails(checkoutId)
      expect(await driver.request('GET', 'checkout/totals?orderMethod=gallery')).toMatchObject({
        problem: 'prices-changed',
      })
      for (const totalCents of [2500, 2500 + Math.round(price * 100), 2825]) {
        const submitted = { checkoutId, attemptId: newUuid(), paymentToken: 'test_visa', totalCents }
        expect(await driver.submit(submitted)).toMatchObject({ status: 422, problem: 'prices-changed' })
      }
      expect(await deps.db.selectFrom('ledger').select('amount_cents').execute()).toEqual([])
      const body = { subjectId: fixtures.adaId, orderServiceId: services.box, orderMethod: 'gallery', price: 3.25 }
      await driver.request('POST', 'cartOrderServices', { body })
      expect(await driver.totals()).toMatchObject({ packagesCents: 2500, servicesCents: 325 })
    },
  )

  it('a submit charges the server’s price to the cent, or nothing', async () => {
    const { deps, driver, fixtures } = await setUp()
    const offeredPackage = await fixtures.offer(onePrint(25))
    await driver.sync([
      addLine(offeredPackage, fixtures.adaId, completeLineContent(offeredPackage, fixtures.adaImageId)),
    ])
    const checkoutId = newUuid()
    await driver.saveDetails(checkoutId)
    const { totalCents } = await driver.totals()
    const submit = (sentCents: number) =>
      driver.submit({ checkoutId, attemptId: newUuid(), paymentToken: 'test_visa', totalCents: sentCents })
    for (const wrongCents of [totalCents - 1, totalCents + 1, 0, 2500])
      expect(await submit(wrongCents)).toMatchObject({ status: 422, problem: 'totals-changed' })
    expect(await deps.db.selectFrom('orders').select('id').execute()).toEqual([])
    expect(await deps.db.selectFrom('ledger').select('amount_cents').execute()).toEqual([])
    expect(await submit(totalCents)).toMatchObject({ status: 200 })
    expect(await deps.db.selectFrom('ledger').select('amount_cents').execute()).toEqual([{ amount_cents: totalCents }])
  })

  it('a line with an earlier, cheaper package version has no totals until its price is accepted', async () => {
    const { driver, fixtures } = await setUp()
    const oldPackage = await fixtures.offer(onePrint(1))
    await fixtures.revise(oldPackage, { retailCost: 25 })
    await driver.sync([addLine(oldPackage, fixtures.adaId, completeLineContent(oldPackage, fixtures.adaImageId))])
    await driver.saveDetails(newUuid())
    expect(await driver.request('GET', 'checkout/totals?orderMethod=gallery')).toMatchObject({
      problem: 'prices-changed',
    })
  })
})
