import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { sumCents } from '#domain/pricing/money.ts'
import type { Database } from '#server/database/database.ts'
import { migrate, migrations } from '#server/database/migrate.ts'
import { openDatabase } from '#server/database/open-database.ts'
import { startOrderEmailWorkers } from '#server/orders/emails/order-emails.ts'
import { startPaymentWorkers } from '#server/payments/attempts/reconcile-payments.ts'
import { startBackgroundJobs } from '#server/queue/background-jobs.ts'
import { queues } from '#server/queue/queues.ts'
import { silentLog } from '#support/database/test-database.ts'
import { seededRandom } from '#support/network/fault-plans.ts'
import { type NetworkProxy, startNetworkProxy } from '#support/network/network-proxy.ts'
import { emptyStorages } from '#support/product/empty-product-storage.ts'
import { createProductKiller } from '#support/product/product-killer.ts'
import type { ProductStorage } from '#support/product/product-storage.ts'
import { startRestartableProduct } from '#support/product/restartable-product.ts'
import { casesOfRun, testSeed } from '#support/seed.ts'
import { testDeps } from '#support/server/test-app.ts'
import { createCartFixtures, onePrint } from '#tests/server/carts/cart-fixtures.ts'
import { setUpPlatform } from '#tests/server/payments/checkout-driver.ts'
import { type PaymentFault, type TestedProvider, testedProviders } from './payment-providers.ts'
import { drawCheckoutScenario, runShopper, type Shopper } from './simulated-shopper.ts'

const isLong = process.env.LONG === '1'
const checkouts = isLong ? 1_000 : 14
const parallelShoppers = 16

const combinations = Object.keys(testedProviders).flatMap((provider, n) =>
  emptyStorages.map((storage, m) => ({
    storage,
    provider: provider as keyof typeof testedProviders,
    half: (n + m) % 2,
  })),
)
/** Only the long run takes all combinations. A full run takes each provider and each storage once, a short run one combination. */
const testedCombinations = isLong ? combinations : casesOfRun(combinations.filter(({ half }) => half === testSeed % 2))

// Production mode, because it creates no demo data.
const settings = {
  ...{ NODE_ENV: 'production', SECRET: 's'.repeat(40), PUBLIC_URL: 'http://localhost:4600', LOG_LEVEL: 'warn' },
}

const everyFault = [
  ...[
    'break after',
    'break before',
    'cut-answer',
    'kill answering',
    'kill begun',
    'kill charged',
    'kill during',
    'late',
  ],
]

type CheckoutRun = Awaited<ReturnType<typeof setUp>>

/** A job with one package and a session for every shopper; all carts are empty. */
const setUp = (storage: ProductStorage, provider: TestedProvider) =>
  storage.read(async (db) => {
    await migrate(db, migrations)
    const deps = testDeps({ db } as Database, { clock: () => new Date() })
    await setUpPlatform(deps)
    const shop = await createCartFixtures(deps)
    const account = { payment_account_id: provider.account, platform_fee_basis_points: 250 }
    await db.updateTable('studios').set(account).where('id', '=', shop.studioId).execute()
    const print = await shop.offer(onePrint(19.95))
    const random = seededRandom(testSeed)
    const shoppers: Shopper[] = []
    for (let n = 0; n < checkouts; n += 1) {
      const { headers } = await shop.enter()
      const identity = { n, cookie: headers.cookie, email: `shopper${n}@example.com`, checkoutId: randomUUID() }
      shoppers.push({
        ...identity,
        scenario: drawCheckoutScenario(random, n),
        attempts: [],
        totalCents: 0,
        orderNumber: null,
      })
    }
    return { shop, print, shoppers }
  })

/** Runs all background jobs an hour later, when those of a crashed server are retried and abandoned attempts have expired. */
const runJobsAnHourLater = async (storage: ProductStorage, provider: TestedProvider): Promise<void> => {
  const databaseUrl = storage.env.DATABASE_URL
  const database = await openDatabase({ dataDir: storage.dataDir, ...(databaseUrl && { databaseUrl }), log: silentLog })
  await sql`update pgboss.job set state = 'retry' where state = 'active'`.execute(database.db)
  const makeJobsDue = sql`update pgboss.job set start_after = now() where state in ('created', 'retry')`
  const clock = () => new Date(Date.now() + 61 * 60_000)
  const jobs = await startBackgroundJobs({ database, log: silentLog, queues, pollSeconds: 1 })
  const deps = testDeps(database, { payment: provider.payment, jobs, clock })
  await startPaymentWorkers(jobs, deps)
  await startOrderEmailWorkers(jobs, deps)
  const countPending = async () => {
    await makeJobsDue.execute(database.db)
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from pgboss.job
       where name in ('reconcile-payment', 'send-receipt') and state in ('created', 'retry', 'active')`.execute(
      database.db,
    )
    return rows[0]?.count
  }
  await expect.poll(countPending, { timeout: 120_000, interval: 500 }).toBe(0)
  await jobs.stop()
  await database.close()
}

type AuditEntry = { action: string; entity: string; detail: { amountCents?: number; totalCents?: number } }

/** Reads orders, attempts, the audit log, mails and carts from the database. */
const readRecords = (storage: ProductStorage) =>
  storage.read(async (db) => {
    const { rows: orders } = await sql<{
      checkoutId: string
      number: string
      total: number
      attemptId: string | null
      ledger: number[]
      mails: { to: string; body: string }[]
      moves: string[]
    }>`
      select o.checkout_id as "checkoutId", o.order_number as number, o.total_cents as total,
             (select a.id from payment_attempts a where a.checkout_id = o.checkout_id and a.state = 'succeeded') as "attemptId",
             (select coalesce(json_agg(l.amount_cents), '[]') from ledger l where l.order_id = o.id) as ledger,
             (select coalesce(json_agg(json_build_object('to', m.to_email, 'body', m.body_text)), '[]') from mail_log m
               where m.kind = 'receipt' and m.subject like '%' || o.order_number || '%') as mails,
             (select json_agg(v.to_state) from order_moves v where v.order_id = o.id) as moves
        from orders o`.execute(db)
    const { rows: attempts } = await sql<{ id: string; checkoutId: string; state: string; amount: number }>`
      select id, checkout_id as "checkoutId", state, amount_cents as amount from payment_attempts`.execute(db)
    const { rows: auditLog } = await sql<AuditEntry>`
      select action, entity_id as entity, detail from audit_log order by id`.execute(db)
    const { rows: mails } = await sql<{ kind: string }>`select kind from mail_log`.execute(db)
    const { rows: carts } = await sql<{ state: string; count: number }>`
      select state, count(*)::int as count from carts group by state order by state`.execute(db)
    return { orders, attempts, auditLog, mails, carts }
  })
type Records = Awaited<ReturnType<typeof readRecords>>

/** The audit log of an attempt or an order, without the repeated intermediate entries. */
const auditLogOf = ({ auditLog }: Records, entityId: string): string[] =>
  auditLog
    .filter(({ entity, action }) => entity === entityId && !/unknown|requires-action/.test(action))
    .map(({ action, detail }) => `${action} ${detail.amountCents ?? detail.totalCents ?? ''}`)

/** Checks that orders, charges and confirmations match to the cent, without omissions and duplicates. */
const expectBalanced = (records: Records, charges: Map<string, number[]>, { shoppers }: CheckoutRun): void => {
  const orderByCheckout = new Map(records.orders.map((order) => [order.checkoutId, order]))
  expect(orderByCheckout.size).toBe(records.orders.length)
  for (const { n, scenario, checkoutId, attempts, totalCents, orderNumber, email } of shoppers) {
    const shopper = `${n} ${JSON.stringify(scenario)}`
    const order = orderByCheckout.get(checkoutId)
    const chargedCents = attempts.flatMap((attemptId) => charges.get(attemptId) ?? [])
    expect([shopper, chargedCents]).toEqual([shopper, order ? [totalCents] : []])
    if (orderNumber !== null) expect([shopper, order?.number]).toEqual([shopper, orderNumber])
    for (const { id, state } of records.attempts.filter((attempt) => attempt.checkoutId === checkoutId)) {
      const endState = id === order?.attemptId ? 'succeeded' : 'declined'
      expect([shopper, attempts.includes(id), state]).toEqual([shopper, true, endState])
      const expectedLog = [`payment.begun ${totalCents}`, `payment.${endState} ${totalCents}`]
      expect([shopper, auditLogOf(records, id)]).toEqual([shopper, expectedLog])
    }
    if (!order) continue
    expect([shopper, order.total, order.ledger, order.moves]).toEqual([shopper, totalCents, [totalCents], ['placed']])
    expect([shopper, auditLogOf(records, order.number)]).toEqual([shopper, [`order.placed ${totalCents}`]])
    expect([shopper, order.mails.map(({ to }) => to)]).toEqual([shopper, [email]])
    const dollars = (totalCents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' })
    expect(order.mails[0]?.body).toContain(dollars)
  }
  expect(records.mails).toHaveLength(records.orders.length)
  expect(sumCents([...charges.values()].flat())).toBe(sumCents(records.orders.map(({ total }) => total)))
  expect([...charges.values()].flat()).toHaveLength(records.orders.length)
}

const runAllShoppers = async (
  { shop, print, shoppers }: CheckoutRun,
  {
    proxies,
    provider,
    kill,
    plan,
  }: { proxies: NetworkProxy[] } & Pick<Parameters<typeof runShopper>[0], 'provider' | 'kill' | 'plan'>,
): Promise<void> => {
  let next = 0
  const runNextShoppers = async (proxy: NetworkProxy): Promise<void> => {
    for (let shopper = shoppers[next++]; shopper; shopper = shoppers[next++]) {
      await runShopper({ proxy, shop, print, provider, kill, plan }, shopper)
    }
  }
  await Promise.all(proxies.map(runNextShoppers))
}

test.each(testedCombinations)(
  `$provider on $storage.name: ${checkouts} checkouts (${parallelShoppers} in parallel) under faults make one order, one charge and one confirmation each (seed ${testSeed})`,
  async ({ storage: { make }, provider: name }) => {
    const storage = await make()
    onTestFinished(() => storage.remove())
    const plannedFaults = new Map<string, PaymentFault>()
    let kills = 0
    let killer: ReturnType<typeof createProductKiller> | undefined
    const kill = async (): Promise<void> => await killer?.kill()
    const occurredFaults = new Set<string>()
    const takeFault = (attemptId: string): PaymentFault | undefined => {
      const fault = plannedFaults.get(attemptId)
      plannedFaults.delete(attemptId)
      if (fault) occurredFaults.add(fault.do === 'late' ? 'late' : `${fault.do} ${fault.at}`)
      return fault
    }
    const provider = await testedProviders[name]({ dataDir: storage.dataDir, faultOf: takeFault, kill })
    const run = await setUp(storage, provider)
    const product = await startRestartableProduct({
      dataDir: storage.dataDir,
      env: { ...settings, ...storage.env, ...provider.env },
    })
    const countedKill = async (): Promise<void> => {
      kills += 1
      await product.kill()
    }
    killer = createProductKiller({ ...product, kill: countedKill })
    const proxies = await Promise.all(Array.from({ length: parallelShoppers }, () => startNetworkProxy(product.port)))
    const plan = (attemptId: string, fault: PaymentFault) => void plannedFaults.set(attemptId, fault)
    await runAllShoppers(run, { proxies, provider, kill, plan })
    await killer.settled()
    await Promise.all(proxies.map((proxy) => proxy.close()))
    await product.stop()
    await runJobsAnHourLater(storage, provider)
    const records = await readRecords(storage)
    const charges = await provider.charges()
    await provider.close()
    const informedShoppers = run.shoppers.filter((shopper) => shopper.orderNumber !== null).length
    process.stdout.write(
      `  ${name}, seed ${testSeed}: ${checkouts} checkouts, ${kills} kills, ${informedShoppers} shoppers got their order number, ${records.orders.length} orders, ${records.attempts.length} attempts\n`,
    )
    expectBalanced(records, charges, run)
    expect(product.errors()).toEqual([])
    // Every kind of fault occurred, and most shoppers still got their order number.
    for (const fault of proxies.flatMap(({ requests }) => requests.map((request) => request.fault)))
      if (fault !== 'none') occurredFaults.add(typeof fault === 'object' ? 'kill answering' : fault)
    expect([...occurredFaults].sort()).toEqual(everyFault)
    expect(kills).toBeGreaterThanOrEqual(isLong ? 100 : 3)
    expect(informedShoppers).toBeGreaterThan(checkouts / 2)
  },
  isLong ? 3_600_000 : 180_000,
)
