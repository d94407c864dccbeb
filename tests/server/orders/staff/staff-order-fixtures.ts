import { sql } from 'kysely'
import type { Permission } from '#contract/shapes/call.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import type { Deps } from '#server/deps.ts'
import { signToken } from '#support/server/sign-token.ts'
import { manualClock, recordingQueue, testApp, testDeps } from '#support/server/test-app.ts'
import { add, completeLineContent, createCartFixtures, newUuid, onePrint } from '../../carts/cart-fixtures.ts'
import { checkoutDriver, details, setUpPlatform } from '../../payments/checkout-driver.ts'

export const toStudio = { isPartOfBatchOrder: true, mailToHome: false, shippingOption: { code: '' } }

type Own = { permissions?: readonly Permission[]; studioId?: number; jobId?: number; idempotencyKey?: string }
type OrderInput = {
  own?: Partial<ReturnType<typeof details>>
  method?: 'prepay' | 'gallery'
  of?: Package
  who?: number
}

/** A job with customers who order, and the studio's staff; queued jobs are recorded. */
export const createStaffOrderFixtures = async (database: Parameters<typeof testDeps>[0]) => {
  const time = manualClock()
  const plain = testDeps(database, time)
  const { jobs, enqueue } = recordingQueue()
  const deps: Deps = { ...plain, jobs: { enqueue } }
  const app = await testApp(deps)
  await setUpPlatform(deps)
  const shop = await createCartFixtures(deps)
  const made = await shop.offer(onePrint(25))
  const { id: userId } = await deps.db
    .insertInto('users')
    .values({ email: 'sam@riverside.test', name: 'Sam', role: 'owner', studio_id: shop.studioId, password_hash: 'x' })
    .returning('id')
    .executeTakeFirstOrThrow()

  const tell = async (method: 'GET' | 'POST' | 'DELETE', path: string, payload?: object, own: Own = {}) => {
    const {
      permissions = ['studio.crud', 'studio.financials.read'],
      studioId = shop.studioId,
      jobId = shop.jobId,
    } = own
    const { idempotencyKey } = own
    const user = { id: userId, name: 'Sam', email: 'sam@riverside.test', permissions, studioId }
    const { token } = await signToken(deps, user)
    const answer = await app.inject({
      method,
      url: `/api/studioadmin/studios/${shop.studioId}/jobs/${jobId}/${path}`,
      headers: { authorization: `Bearer ${token}`, ...(idempotencyKey && { 'idempotency-key': idempotencyKey }) },
      ...(payload && { payload }),
    })
    return { status: answer.statusCode, ...answer.json() }
  }

  /** A customer's order: from the gallery with its image, or prepaid without one. */
  const order = async (wanted: OrderInput = {}): Promise<string> => {
    const { own = {}, method = 'gallery', who = shop.adaId, of = made } = wanted
    const till = checkoutDriver(app, shop, await shop.enter([who]))
    const { textNodes, imageNodes } = completeLineContent(of, shop.adaImageId)
    const content = method === 'gallery' ? { textNodes, imageNodes } : { textNodes }
    await till.sync([add(of, who, content)], method)
    const checkoutId = newUuid()
    await till.ask('POST', 'checkout', { body: { ...details(own), orderMethod: method, checkoutId } })
    const { totalCents, cartVersion } = (await till.ask('GET', `checkout/totals?orderMethod=${method}`)).data
    const paid = {
      orderMethod: method,
      checkoutId,
      attemptId: newUuid(),
      paymentToken: 'test_visa',
      totalCents,
      cartVersion,
    }
    const { data, errors } = await till.ask('POST', 'checkout/submit', { body: paid })
    if (!data?.orderNumber) throw new Error(`not ordered: ${errors}`)
    time.advance(1000)
    return data.orderNumber
  }
  /** Copies an order with its lines this many times. */
  const copy = async (orderNumber: string, count: number): Promise<void> => {
    await sql`
      with made as (
        insert into orders select p.* from orders o cross join generate_series(1, ${count}::int) n
          cross join lateral jsonb_populate_record(o, jsonb_build_object('id', nextval(pg_get_serial_sequence('orders', 'id')),
            'order_number', 'FP-' || lpad(n::text, 8, '0'), 'checkout_id', null, 'cart_id', null)) p
         where o.order_number = ${orderNumber} returning studio_id, id)
      insert into order_lines select p.* from made m
        join order_lines l on l.studio_id = m.studio_id and l.order_id = (
          select o.id from orders o where o.order_number = ${orderNumber})
        cross join lateral jsonb_populate_record(l, jsonb_build_object(
          'id', nextval(pg_get_serial_sequence('order_lines', 'id')), 'order_id', m.id)) p`.execute(deps.db)
  }
  const numbers = async (query: string): Promise<string[]> => {
    const { data } = await tell('GET', `orders?${query}`)
    return (data.resultItems ?? data).map(({ orderNumber }: { orderNumber: string }) => orderNumber)
  }
  const stateOf = async (orderNumber: string): Promise<string> =>
    (await tell('GET', `orders/${orderNumber}`)).data.state
  const queued = (name: string) => jobs.filter((job) => job.name === name).map(({ payload }) => payload)
  return { deps, app, shop, time, made, tell, order, copy, numbers, stateOf, queued, userId }
}
