import { sql } from 'kysely'
import type { Package } from '#domain/catalogue/catalogue.ts'
import type { Deps } from '#server/deps.ts'
import { insertableColumns } from '#support/database/insertable-columns.ts'
import { staffClient } from '#support/server/staff-client.ts'
import { manualClock, recordingQueue, testApp, testDeps } from '#support/server/test-app.ts'
import {
  addLine,
  completeLineContent,
  createCartFixtures,
  newUuid,
  onePrint,
} from '#tests/server/carts/cart-fixtures.ts'
import { checkoutDriver, details, setUpPlatform } from '#tests/server/payments/checkout-driver.ts'

export const toStudio = { isPartOfBatchOrder: true, mailToHome: false, shippingOption: { code: '' } }

type OrderInput = {
  checkoutDetails?: Partial<ReturnType<typeof details>>
  method?: 'prepay' | 'gallery'
  soldPackage?: Package
  subjectId?: number
}

/** A job with customers who order, and the studio's staff; queued jobs are recorded. */
export const createStaffOrderFixtures = async (database: Parameters<typeof testDeps>[0]) => {
  const time = manualClock()
  const defaultDeps = testDeps(database, time)
  const { jobs, enqueue } = recordingQueue()
  const deps: Deps = { ...defaultDeps, jobs: { enqueue } }
  const app = await testApp(deps)
  await setUpPlatform(deps)
  const fixtures = await createCartFixtures(deps)
  const offeredPackage = await fixtures.offer(onePrint(25))
  const { id: userId, staffRequest } = await staffClient(deps, app, fixtures.studioId, {
    jobId: fixtures.jobId,
    permissions: ['studio.crud', 'studio.financials.read'],
    user: { email: 'sam@riverside.test', role: 'owner' },
  })

  /** A customer's order: from the gallery with its image, or prepaid without one. */
  const order = async (input: OrderInput = {}): Promise<string> => {
    const { checkoutDetails = {}, method = 'gallery', subjectId = fixtures.adaId, soldPackage = offeredPackage } = input
    const driver = checkoutDriver(app, fixtures, await fixtures.enter([subjectId]))
    const { textNodes, imageNodes } = completeLineContent(soldPackage, fixtures.adaImageId)
    const content = method === 'gallery' ? { textNodes, imageNodes } : { textNodes }
    await driver.sync([addLine(soldPackage, subjectId, content)], method)
    const checkoutId = newUuid()
    await driver.request('POST', 'checkout', { body: { ...details(checkoutDetails), orderMethod: method, checkoutId } })
    const { totalCents, cartVersion } = (await driver.request('GET', `checkout/totals?orderMethod=${method}`)).data
    const submitBody = {
      orderMethod: method,
      checkoutId,
      attemptId: newUuid(),
      paymentToken: 'test_visa',
      totalCents,
      cartVersion,
    }
    const { data, errors } = await driver.request('POST', 'checkout/submit', { body: submitBody })
    if (!data?.orderNumber) throw new Error(`not ordered: ${errors}`)
    time.advance(1000)
    return data.orderNumber
  }
  /** Copies an order with its lines this many times. */
  const copy = async (orderNumber: string, count: number): Promise<void> => {
    const columns = await insertableColumns(deps.db, 'orders')
    await sql`
      with made as (
        insert into orders (${sql.join(columns.map((name) => sql.ref(name)))})
        select ${sql.join(columns.map((name) => sql.ref(`p.${name}`)))} from orders o cross join generate_series(1, ${count}::int) n
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
    const { data } = await staffRequest('GET', `orders?${query}`)
    return (data.resultItems ?? data).map(({ orderNumber }: { orderNumber: string }) => orderNumber)
  }
  const stateOf = async (orderNumber: string): Promise<string> =>
    (await staffRequest('GET', `orders/${orderNumber}`)).data.state
  const queued = (name: string) => jobs.filter((job) => job.name === name).map(({ payload }) => payload)
  return { deps, app, fixtures, time, offeredPackage, staffRequest, order, copy, numbers, stateOf, queued, userId }
}
