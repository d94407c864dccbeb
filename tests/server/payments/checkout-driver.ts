import type { FastifyInstance } from 'fastify'
import type { CartTotals, CheckoutDetails, Order, Totals } from '#contract/customer/checkout-calls.ts'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import type { Db } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import type { Charge, Payment } from '#server/payments/port/payment-provider.ts'
import {
  add,
  type CartFixtures,
  cartClient,
  completeLineContent,
  createCartFixtures,
  newUuid,
  onePrint,
  type Parent,
} from '../carts/cart-fixtures.ts'
import { addFeature } from '../discovery/job-fixtures.ts'

const address = {
  firstName: 'Grace',
  lastName: 'Hopper',
  address1: '1 Mill Street',
  address2: '',
  city: 'Dayton',
  state: 'OH',
  zip: '45402',
}

export const details = (own: Partial<CheckoutDetails> = {}): CheckoutDetails => ({
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
  ...own,
})

/** Inserts shipping options and tax rates, once per database. */
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
export const checkoutDriver = (app: FastifyInstance, shop: CartFixtures, parent: Parent) => {
  const { ask, ...phone } = cartClient(app, shop, parent)
  const keep = (checkoutId: string, own: Partial<CheckoutDetails> = {}) =>
    ask('POST', 'checkout', { body: { checkoutId, ...details(own) } })
  const review = async (orderMethod: OrderMethod = 'gallery') =>
    (await ask('GET', `checkout/totals?orderMethod=${orderMethod}`)).data as CartTotals
  /** Pays for a prepaid cart, each time with a new attempt. */
  const prepay = async (checkoutId: string) => {
    const { totalCents, cartVersion } = await review('prepay')
    const paying = { checkoutId, attemptId: newUuid(), paymentToken: 'test_visa', totalCents, cartVersion }
    return await ask('POST', 'checkout/submit', { body: { orderMethod: 'prepay', ...paying } })
  }
  const totals = async (): Promise<Totals> => {
    const { cartVersion: _, ...sums } = await review()
    return sums
  }
  const submit = async (body: Submit) => {
    const cartVersion = body.cartVersion ?? (await phone.cart()).version
    return await ask('POST', 'checkout/submit', { body: { orderMethod: 'gallery', ...body, cartVersion } })
  }
  const order = async (number: string) => (await ask('GET', `orders/${number}`)).data as Order
  return { ask, ...phone, keep, review, prepay, totals, submit, order }
}

/** A job, a customer, and a complete cart with a line of two packages (by default $25) and saved details. */
export const readyToPay = async (deps: Deps, app: FastifyInstance, offered = onePrint(25)) => {
  await setUpPlatform(deps)
  return await readyToPayInShop(deps, app, { shop: await createCartFixtures(deps), offered })
}

type Counter = { shop: CartFixtures; offered: ReturnType<typeof onePrint> }

/** The same for an existing job on a platform that is set up. */
export const readyToPayInShop = async (deps: Deps, app: FastifyInstance, { shop, offered }: Counter) => {
  await addFeature(deps, shop.studioId, 'digitalDownloads')
  const parent = await shop.enter()
  const till = checkoutDriver(app, shop, parent)
  const made = await shop.offer(offered)
  const line = add(made, shop.adaId, { quantity: 2, ...completeLineContent(made, shop.adaImageId) })
  await till.sync([line])
  const checkoutId = newUuid()
  await till.keep(checkoutId)
  const { totalCents } = await till.totals()
  const paying = (own: Partial<Submit> = {}): Submit => ({
    checkoutId,
    attemptId: newUuid(),
    paymentToken: 'test_visa',
    totalCents,
    ...own,
  })
  return { shop, parent, till, made, line, checkoutId, totalCents, paying }
}

/**
 * A provider whose connection breaks `before` it receives a charge, `after` it made the charge, or `twice` (also when
 * it is queried).
 */
export const unreliablePayment = (provider: Payment) => {
  const broken = { charge: 'none' as 'none' | 'before' | 'after', find: false }
  const charges: Charge[] = []
  const payment: Payment = {
    ...provider,
    charge: async (charge) => {
      if (broken.charge === 'before') throw new Error('the line broke')
      const outcome = await provider.charge(charge)
      charges.push(charge)
      if (broken.charge === 'after') throw new Error('the line broke')
      return outcome
    },
    find: async (attempt) => {
      if (broken.find) throw new Error('the line broke')
      return await provider.find(attempt)
    },
  }
  return { payment, broken, charges }
}

/** The same database for a process that is slow: `pause` decides the delay after each statement. */
export const pausing = (db: Db, pause: (statement: string) => Promise<void>): Db =>
  instead(db, 'getExecutor', () =>
    instead(db.getExecutor(), 'executeQuery', async (query) => {
      const result = await db.getExecutor().executeQuery(query)
      await pause(query.sql)
      return result as never // rows of any query
    }),
  )

const instead = <Whole extends object, Name extends keyof Whole>(whole: Whole, name: Name, part: Whole[Name]): Whole =>
  new Proxy(whole, {
    get: (target, asked) => {
      const found: unknown = asked === name ? part : Reflect.get(target, asked)
      return typeof found === 'function' ? found.bind(target) : found
    },
  })
