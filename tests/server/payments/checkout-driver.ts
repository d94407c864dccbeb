import type { FastifyInstance } from 'fastify'
import type { CartTotals, CheckoutDetails } from '#contract/customer/checkout-calls.ts'
import type { Order } from '#contract/customer/order-calls.ts'
import type { Totals } from '#contract/shapes/order-structs.ts'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import type { Db } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import type { Charge, Payment } from '#server/payments/port/payment-provider.ts'
import { given } from '#support/server/given.ts'
import {
  addLine,
  type CartFixtures,
  type CustomerSession,
  cartClient,
  completeLineContent,
  createCartFixtures,
  newUuid,
  onePrint,
} from '../carts/cart-fixtures.ts'

const address = {
  firstName: 'Grace',
  lastName: 'Hopper',
  address1: '1 Mill Street',
  address2: '',
  city: 'Dayton',
  state: 'OH',
  zip: '45402',
}

export const details = (overrides: Partial<CheckoutDetails> = {}): CheckoutDetails => ({
  customer: { firstName: 'Grace', lastName: 'Hopper', email: 'Grace@Example.com', phone: '937-555-0142' },
  billingAddress: address,
  shippingAddress: address,
  shippingAddressSameAsBillingAddress: true,
  payMethod: 'card',
  shippingOption: { code: 'standard' },
  isPartOfBatchOrder: false,
  promoCode: { code: null },
  paymentToken: null,
  mailToHome: true,
  orderMethod: 'gallery',
  jobVersion: { major: 3, minor: 0 },
  isV3Job: true,
  recreatePaymethod: false,
  ...overrides,
})

/** Inserts shipping options and tax rates. Call it once per database. */
export const setUpPlatform = async ({ db }: Deps): Promise<void> => {
  await db
    .insertInto('shipping_options')
    .values([
      { code: 'standard', label: 'Standard Shipping', ships_to: 'home', price_cents: 695, each_more_cents: 100 },
      { code: 'priority', label: 'Priority Shipping', ships_to: 'home', price_cents: 1295 },
      { code: 'studio', label: 'Studio Shipping', ships_to: 'studio', price_cents: 0 },
    ])
    .execute()
  await db
    .insertInto('tax_rates')
    .values([
      { region: 'OH', tax_class: 'standard', rate_millionths: 57_500 },
      { region: 'OH', tax_class: 'shipping', rate_millionths: 57_500 },
      { region: 'OH', postal_prefix: '454', tax_class: 'standard', rate_millionths: 72_500 },
    ])
    .execute()
}

type Submit = {
  checkoutId: string
  attemptId: string
  paymentToken: string | null
  totalCents: number
  /** The version of the cart that was shown; by default the current one. */
  cartVersion?: number
  authentication?: 'confirmed' | 'cancelled'
}

/** A customer's checkout, as their device performs it. */
export const checkoutDriver = (app: FastifyInstance, fixtures: CartFixtures, session: CustomerSession) => {
  const { request, ...client } = cartClient(app, fixtures, session)
  const saveDetails = (checkoutId: string, overrides: Partial<CheckoutDetails> = {}) =>
    request('POST', 'checkout', { body: { checkoutId, ...details(overrides) } })
  const review = async (orderMethod: OrderMethod = 'gallery') =>
    (await request('GET', `checkout/totals?orderMethod=${orderMethod}`)).data as CartTotals
  /** Pays for a prepaid cart, each time with a new attempt. */
  const prepay = async (checkoutId: string) => {
    const { totalCents, cartVersion } = await review('prepay')
    const submitBody = { checkoutId, attemptId: newUuid(), paymentToken: 'test_visa', totalCents, cartVersion }
    return await request('POST', 'checkout/submit', { body: { orderMethod: 'prepay', ...submitBody } })
  }
  const totals = async (): Promise<Totals> => {
    const { cartVersion: _, promotionCode: __, ...sums } = await review()
    return sums
  }
  const submit = async (body: Submit) => {
    const cartVersion = body.cartVersion ?? (await client.cart()).version
    return await request('POST', 'checkout/submit', { body: { orderMethod: 'gallery', ...body, cartVersion } })
  }
  const order = async (number: string) => (await request('GET', `orders/${number}`)).data as Order
  return { request, ...client, saveDetails, review, prepay, totals, submit, order }
}

/** A job, a customer, and a complete cart with a line of two packages (by default $25 each) and saved details. */
export const readyToPay = async (deps: Deps, app: FastifyInstance, offered = onePrint(25)) => {
  await setUpPlatform(deps)
  return await readyToPayWithFixtures(deps, app, { fixtures: await createCartFixtures(deps), offered })
}

type ReadyInput = { fixtures: CartFixtures; offered: ReturnType<typeof onePrint> }

/** Like `readyToPay`, for an existing job on a platform that is set up. */
export const readyToPayWithFixtures = async (deps: Deps, app: FastifyInstance, { fixtures, offered }: ReadyInput) => {
  await given(deps).feature(fixtures.studioId, 'digitalDownloads')
  const session = await fixtures.enter()
  const driver = checkoutDriver(app, fixtures, session)
  const offeredPackage = await fixtures.offer(offered)
  const line = addLine(offeredPackage, fixtures.adaId, {
    quantity: 2,
    ...completeLineContent(offeredPackage, fixtures.adaImageId),
  })
  await driver.sync([line])
  const checkoutId = newUuid()
  await driver.saveDetails(checkoutId)
  const { totalCents } = await driver.totals()
  const submitBody = (overrides: Partial<Submit> = {}): Submit => ({
    checkoutId,
    attemptId: newUuid(),
    paymentToken: 'test_visa',
    totalCents,
    ...overrides,
  })
  return { fixtures, session, driver, offeredPackage, line, checkoutId, totalCents, submitBody }
}

/**
 * A provider whose connection breaks `before` it receives a charge or `after` it made the charge. If `broken.find` is
 * set, looking up an attempt fails, too.
 */
export const unreliablePayment = (provider: Payment) => {
  const broken = { charge: 'none' as 'none' | 'before' | 'after', find: false }
  const charges: Charge[] = []
  const payment: Payment = {
    ...provider,
    charge: async (charge) => {
      if (broken.charge === 'before') throw new Error('the connection was lost')
      const outcome = await provider.charge(charge)
      charges.push(charge)
      if (broken.charge === 'after') throw new Error('the connection was lost')
      return outcome
    },
    find: async (attempt) => {
      if (broken.find) throw new Error('the connection was lost')
      return await provider.find(attempt)
    },
  }
  return { payment, broken, charges }
}

/** The same database for a slow process: `pause` runs after each statement and delays its result. */
export const withPauses = (db: Db, pause: (statement: string) => Promise<void>): Db =>
  replaceMethod(db, 'getExecutor', () =>
    replaceMethod(db.getExecutor(), 'executeQuery', async (query) => {
      const result = await db.getExecutor().executeQuery(query)
      await pause(query.sql)
      return result as never // rows of any query
    }),
  )

const replaceMethod = <Target extends object, Name extends keyof Target>(
  target: Target,
  name: Name,
  replacement: Target[Name],
): Target =>
  new Proxy(target, {
    get: (original, property) => {
      const value: unknown = property === name ? replacement : Reflect.get(original, property)
      return typeof value === 'function' ? value.bind(original) : value
    },
  })
