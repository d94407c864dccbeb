import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { sumCents } from '#domain/pricing/money.ts'
import type { Database } from '#server/database/database.ts'
import { migrate } from '#server/database/migrate.ts'
import { migrations } from '#server/database/migrations/migrations.ts'
import { openDatabase } from '#server/database/open-database.ts'
import { workOnOrderEmails } from '#server/orders/emails/order-emails.ts'
import { workOnPayments } from '#server/payments/attempts/reconcile-payments.ts'
import { startBackgroundJobs } from '#server/queue/background-jobs.ts'
import { queues } from '#server/queue/queues.ts'
import { silentLog } from '#support/database/test-database.ts'
import { seededRandom } from '#support/network/fault-plans.ts'
import { type NetworkProxy, startNetworkProxy } from '#support/network/network-proxy.ts'
import { emptyStorages } from '#support/product/empty-product-storage.ts'
import { createProductKiller } from '#support/product/product-killer.ts'
import type { ProductStorage } from '#support/product/product-storage.ts'
import { startRestartableProduct } from '#support/product/restartable-product.ts'
import { chosen, testSeed } from '#support/seed.ts'
import { testDeps } from '#support/server/test-app.ts'
import { createCartFixtures, onePrint } from '../../server/carts/cart-fixtures.ts'
import { setUpPlatform } from '../../server/payments/checkout-driver.ts'
import { type PaymentFault, type TestedProvider, testedProviders } from './payment-providers.ts'
import { drawCheckoutScenario, runShopper, type Shopper } from './simulated-shopper.ts'

const isLong = process.env.LONG === '1'
const checkouts = isLong ? 1_000 : 14
const atOnce = 16

const grounds = Object.keys(testedProviders).flatMap((provider) =>
  emptyStorages.map((base) => ({ base, provider: provider as keyof typeof testedProviders })),
)
/** A short run takes one of them, chosen by the seed. */
const tried = chosen(grounds)

// In production mode no demo is rendered.
const settings = {
  ...{ NODE_ENV: 'production', SECRET: 's'.repeat(40), PUBLIC_URL: 'http://localhost:4600', LOG_LEVEL: 'warn' },
}

const everyTrouble = [
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

type Made = Awaited<ReturnType<typeof setUp>>

/** A job with one package and a session for every shopper; all carts are empty. */
const setUp = (base: ProductStorage, provider: TestedProvider) =>
  base.read(async (db) => {
    await migrate(db, migrations)
    const deps = testDeps({ db } as Database, { clock: () => new Date() })
    await setUpPlatform(deps)
    const shop = await createCartFixtures(deps)
    const account = { stripe_account_id: provider.account, commission_basis_points: 250 }
    await db.updateTable('studios').set(account).where('id', '=', shop.studioId).execute()
    const made = await shop.offer(onePrint(19.95))
    const chance = seededRandom(testSeed)
    const shoppers: Shopper[] = []
    for (let n = 0; n < checkouts; n += 1) {
      const { headers } = await shop.enter()
      const who = { n, cookie: headers.cookie, email: `shopper${n}@example.com`, checkoutId: randomUUID() }
      shoppers.push({
        ...who,
        scenario: drawCheckoutScenario(chance, n),
        attempts: [],
        totalCents: 0,
        orderNumber: null,
      })
    }
    return { shop, made, shoppers }
  })

/** Moves the time by an hour: jobs of a dead server go to another one, delayed jobs are due, and abandoned attempts end. */
const anHourLater = async (base: ProductStorage, provider: TestedProvider): Promise<void> => {
  const databaseUrl = base.env.DATABASE_URL
  const database = await openDatabase({ dataDir: base.dataDir, ...(databaseUrl && { databaseUrl }), log: silentLog })
  await sql`update pgboss.job set state = 'retry' where state = 'active'`.execute(database.db)
  const due = sql`update pgboss.job set start_after = now() where state in ('created', 'retry')`
  const hours = () => new Date(Date.now() + 61 * 60_000)
  const jobs = await startBackgroundJobs({ database, log: silentLog, queues, pollSeconds: 1 })
  const deps = testDeps(database, { payment: provider.payment, jobs, clock: hours })
  await workOnPayments(jobs, deps)
  await workOnOrderEmails(jobs, deps)
  const waiting = async () => {
    await due.execute(database.db)
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from pgboss.job
       where name in ('reconcile-payment', 'send-receipt') and state in ('created', 'retry', 'active')`.execute(
      database.db,
    )
    return rows[0]?.count
  }
  await expect.poll(waiting, { timeout: 120_000, interval: 500 }).toBe(0)
  await jobs.stop()
  await database.close()
}

type Audited = { action: string; entity: string; detail: { amountCents?: number; totalCents?: number } }

/** Everything in the database, by the order or attempt it belongs to. */
const readBooks = (base: ProductStorage) =>
  base.read(async (db) => {
    const { rows: orders } = await sql<{
      checkoutId: string
      number: string
      total: number
      attemptId: string | null
      ledger: number[]
      mails: { to: string; says: string }[]
      moves: string[]
    }>`
      select o.checkout_id as "checkoutId", o.order_number as number, o.total_cents as total,
             (select a.id from payment_attempts a where a.checkout_id = o.checkout_id and a.state = 'succeeded') as "attemptId",
             (select coalesce(json_agg(l.amount_cents), '[]') from ledger l where l.order_id = o.id) as ledger,
             (select coalesce(json_agg(json_build_object('to', m.to_email, 'says', m.body_text)), '[]') from mail_log m
               where m.kind = 'receipt' and m.subject like '%' || o.order_number || '%') as mails,
             (select json_agg(v.to_state) from order_moves v where v.order_id = o.id) as moves
        from orders o`.execute(db)
    const { rows: attempts } = await sql<{ id: string; checkoutId: string; state: string; amount: number }>`
      select id, checkout_id as "checkoutId", state, amount_cents as amount from payment_attempts`.execute(db)
    const { rows: trail } = await sql<Audited>`
      select action, entity_id as entity, detail from audit_log order by id`.execute(db)
    const { rows: mails } = await sql<{ kind: string }>`select kind from mail_log`.execute(db)
    const { rows: carts } = await sql<{ state: string; count: number }>`
      select state, count(*)::int as count from carts group by state order by state`.execute(db)
    return { orders, attempts, trail, mails, carts }
  })
type Books = Awaited<ReturnType<typeof readBooks>>

/** The audit trail of an attempt or an order, without the repeated intermediate entries. */
const told = ({ trail }: Books, of: string): string[] =>
  trail
    .filter(({ entity, action }) => entity === of && !/unknown|requires-action/.test(action))
    .map(({ action, detail }) => `${action} ${detail.amountCents ?? detail.totalCents ?? ''}`)

/** Checks that orders, charges and confirmations match to the cent, without omissions and duplicates. */
const expectBalanced = (books: Books, charges: Map<string, number[]>, { shoppers }: Made): void => {
  const byCheckout = new Map(books.orders.map((order) => [order.checkoutId, order]))
  expect(byCheckout.size).toBe(books.orders.length)
  for (const { n, scenario: errand, checkoutId, attempts, totalCents, orderNumber: heard, email } of shoppers) {
    const who = `${n} ${JSON.stringify(errand)}`
    const order = byCheckout.get(checkoutId)
    const charged = attempts.flatMap((attemptId) => charges.get(attemptId) ?? [])
    expect([who, charged]).toEqual([who, order ? [totalCents] : []])
    if (heard !== null) expect([who, order?.number]).toEqual([who, heard])
    for (const { id, state } of books.attempts.filter((attempt) => attempt.checkoutId === checkoutId)) {
      const end = id === order?.attemptId ? 'succeeded' : 'declined'
      expect([who, attempts.includes(id), state]).toEqual([who, true, end])
      const story = [`payment.begun ${totalCents}`, `payment.${end} ${totalCents}`]
      expect([who, told(books, id)]).toEqual([who, story])
    }
    if (!order) continue
    expect([who, order.total, order.ledger, order.moves]).toEqual([who, totalCents, [totalCents], ['placed']])
    expect([who, told(books, order.number)]).toEqual([who, [`order.placed ${totalCents}`]])
    expect([who, order.mails.map(({ to }) => to)]).toEqual([who, [email]])
    const dollars = (totalCents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' })
    expect(order.mails[0]?.says).toContain(dollars)
  }
  expect(books.mails).toHaveLength(books.orders.length)
  expect(sumCents([...charges.values()].flat())).toBe(sumCents(books.orders.map(({ total }) => total)))
  expect([...charges.values()].flat()).toHaveLength(books.orders.length)
}

const shopAll = async (
  { shop, made, shoppers }: Made,
  {
    lines,
    provider,
    kill,
    plan,
  }: { lines: NetworkProxy[] } & Pick<Parameters<typeof runShopper>[0], 'provider' | 'kill' | 'plan'>,
): Promise<void> => {
  let next = 0
  const serveOne = async (line: NetworkProxy): Promise<void> => {
    for (let shopper = shoppers[next++]; shopper; shopper = shoppers[next++]) {
      await runShopper({ proxy: line, shop, made, provider, kill, plan }, shopper)
    }
  }
  await Promise.all(lines.map(serveOne))
}

test.each(tried)(
  `$provider on $base.name: ${checkouts} checkouts, ${atOnce} at a time, come to one order, one charge and one confirmation each, whatever breaks (seed ${testSeed})`,
  async ({ base: { make }, provider: name }) => {
    const base = await make()
    onTestFinished(() => base.remove())
    const troubles = new Map<string, PaymentFault>()
    let kills = 0
    let killer: ReturnType<typeof createProductKiller> | undefined
    const kill = async (): Promise<void> => await killer?.kill()
    const happened = new Set<string>()
    const troubleOf = (attemptId: string): PaymentFault | undefined => {
      const trouble = troubles.get(attemptId)
      troubles.delete(attemptId)
      if (trouble) happened.add(trouble.do === 'late' ? 'late' : `${trouble.do} ${trouble.at}`)
      return trouble
    }
    const provider = await testedProviders[name]({ dataDir: base.dataDir, faultOf: troubleOf, kill })
    const made = await setUp(base, provider)
    const served = await startRestartableProduct({
      dataDir: base.dataDir,
      env: { ...settings, ...base.env, ...provider.env },
    })
    const countedKill = async (): Promise<void> => {
      kills += 1
      await served.kill()
    }
    killer = createProductKiller({ ...served, kill: countedKill })
    const lines = await Promise.all(Array.from({ length: atOnce }, () => startNetworkProxy(served.port)))
    const plan = (attemptId: string, trouble: PaymentFault) => void troubles.set(attemptId, trouble)
    await shopAll(made, { lines, provider, kill, plan })
    await killer.settled()
    await Promise.all(lines.map((line) => line.close()))
    await served.stop()
    await anHourLater(base, provider)
    const books = await readBooks(base)
    const charges = await provider.charges()
    await provider.close()
    const heard = made.shoppers.filter((shopper) => shopper.orderNumber !== null).length
    process.stdout.write(
      `  ${name}, seed ${testSeed}: ${checkouts} checkouts, ${kills} kills, ${heard} heard of their order at the counter, ${books.orders.length} orders, ${books.attempts.length} attempts\n`,
    )
    expectBalanced(books, charges, made)
    expect(served.errors()).toEqual([])
    // Every fault occurred, and yet most shoppers got their order.
    for (const fault of lines.flatMap(({ requests: passed }) => passed.map((one) => one.fault)))
      if (fault !== 'none') happened.add(typeof fault === 'object' ? 'kill answering' : fault)
    expect([...happened].sort()).toEqual(everyTrouble)
    expect(kills).toBeGreaterThanOrEqual(isLong ? 100 : 3)
    expect(heard).toBeGreaterThan(checkouts / 2)
  },
  isLong ? 3_600_000 : 180_000,
)
