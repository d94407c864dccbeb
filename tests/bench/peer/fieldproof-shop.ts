import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Mutation, mutationVersion } from '#domain/cart/mutation.ts'
import { sessionCookie } from '#server/access/sessions/sessions.ts'
import type { Db } from '#server/database/database.ts'
import type { ProductStorage } from '#support/product/product-storage.ts'
import { freePort, startProduct } from '#support/product/start-product.ts'
import { readData, readOffer } from '../server/bench-customer.ts'
import { formatRequest, type LoadResponse, openConnection } from './load-generator.ts'
import { customerOf, customersWithCart, type Shop } from './shop.ts'

/** Sessions made beforehand. Each cart that is created takes one. */
const sessions = 80_000

const tokenOf = (number: number): string => `bench-${String(number).padStart(16, '0')}`
const cookieOf = (number: number): { Cookie: string } => ({ Cookie: `${sessionCookie}=${tokenOf(number)}` })

/** Creates sessions that have opened the demo's spring job and confirmed Ada Lovelace. */
const createSessions = (db: Db) =>
  sql`
  with
    ada as (select u.studio_id, u.job_id, u.id from subjects u join access_codes c on c.studio_id = u.studio_id and c.job_id = u.job_id
             where c.code = 'SPRING' and c.subject_id is null and u.first_name = 'Ada' and u.last_name = 'Lovelace'),
    created as (insert into customer_sessions (expires_at)
                select now() + interval '1 day' from generate_series(1, ${sessions}) returning id),
    numbered as (select id, row_number() over (order by id) - 1 as number from created),
    keys as (insert into session_keys (session_id, token_hash)
             select id, encode(sha256(convert_to('bench-' || lpad(number::text, 16, '0'), 'UTF8')), 'hex') from numbered),
    kinds as (select * from (values ('job'), ('subject')) k (kind)),
    grants as (insert into session_grants (studio_id, session_id, job_id, kind, subject_id, grant_id, created_at, expires_at)
               select a.studio_id, n.id, a.job_id, k.kind, case k.kind when 'subject' then a.id end,
                      'bench-' || k.kind || '-' || lpad(n.id::text, 12, '0'), now(), now() + interval '1 day'
                 from numbered n cross join ada a cross join kinds k returning studio_id, grant_id)
  insert into grant_links (grant_id, studio_id) select grant_id, studio_id from grants`.execute(db)

/** Returns the demo's spring job and how to add its package B for Ada, as a phone does. */
const readCatalogue = async (url: string) => {
  const get = async <Data>(path: string): Promise<Data> => readData(await fetch(url + path, { headers: cookieOf(0) }))
  const { jobId } = await get<{ jobId: number }>('/api/customer/studios/riverside/jobs?code=SPRING')
  const job = `/api/customer/jobs/${jobId}`
  const [subject] = await get<{ id: number }[]>(`${job}/subjects?firstName=Ada&lastName=Lovelace`)
  if (!subject) throw new Error('the demo has no Ada Lovelace')
  return { cartPath: `${job}/cart`, addLine: await readOffer(get, job, subject.id) }
}

const changeQuantity = (lineId: string, quantity: number): Mutation => ({
  id: randomUUID(),
  v: mutationVersion,
  at: new Date().toISOString(),
  do: 'line.quantity',
  lineId,
  quantity,
})

const isOk =
  (part: string) =>
  ({ status, body }: LoadResponse): boolean =>
    status === 200 && body.includes(part) && !body.includes('"refused"')

type Customer = { number: number; lineId: string; quantity: number; etag: string }

/** Whether the bench runs `ANALYZE`. Otherwise the only statistics are those that the product makes each minute. */
const isAnalyzed = process.env.ANALYZE !== 'never'

/** Waits until the product has analyzed the sessions of a PostgreSQL that were inserted before it started. */
const untilAnalyzed = (storage: ProductStorage): Promise<void> =>
  storage.read(async (db) => {
    const deadline = Date.now() + 130_000
    while (Date.now() < deadline) {
      const { rows } = await sql<{ rows: number }>`
        select reltuples::float8 as rows from pg_class where relname = 'customer_sessions'`.execute(db)
      if (Number(rows[0]?.rows) >= sessions) return
      await setTimeout(500)
    }
    throw new Error('the product has not analyzed the sessions within two minutes')
  })

/** Starts the product in production mode on an empty storage, with the demo data and sessions and carts made beforehand. */
export const startFieldproof = async (name: string, storage: ProductStorage): Promise<Shop> => {
  const { dataDir } = storage
  // Production mode creates no demo data.
  await (await startProduct({ dataDir, env: storage.env })).stop()
  await storage.read(async (db) => {
    await createSessions(db)
    if (isAnalyzed) await sql`analyze`.execute(db)
  })
  const port = await freePort()
  const product = await startProduct({
    dataDir,
    port,
    env: {
      ...storage.env,
      NODE_ENV: 'production',
      SECRET: randomUUID(),
      PAYMENT: 'test',
      PARTNER: 'test',
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      REQUESTS_PER_MINUTE: '100000000',
    },
  })
  if (!isAnalyzed && 'DATABASE_URL' in storage.env) await untilAnalyzed(storage)
  const { cartPath, addLine } = await readCatalogue(product.url)
  const formatSync = (number: number, mutations: readonly Mutation[], base?: string): Buffer =>
    formatRequest('POST', `${cartPath}/sync`, {
      headers: cookieOf(number),
      body: { orderMethod: 'gallery', mutations, base },
    })
  const formatRead = (number: number, headers: Record<string, string> = {}): Buffer =>
    formatRequest('GET', `${cartPath}?orderMethod=gallery`, { headers: { ...cookieOf(number), ...headers } })
  const connection = await openConnection(port)
  const customers: Customer[] = []
  for (let number = 0; number < customersWithCart; number += 1) {
    const lines = [addLine(), addLine(), addLine()]
    const response = await connection.send(formatSync(number, lines))
    const [line] = lines
    if (!isOk('"cartPackages":[{')(response) || line?.do !== 'line.add') throw new Error(response.body)
    const { head } = await connection.send(formatRead(number))
    const [, etag] = /\r\netag: (.+?)\r\n/i.exec(`${head}\r\n`) ?? []
    if (etag === undefined) throw new Error('a cart has no etag')
    customers.push({ number, lineId: line.lineId, quantity: 1, etag })
  }
  connection.close()
  let nextSession = customersWithCart
  return {
    name,
    port,
    processIds: [product.pid],
    scenarios: {
      create: () => ({
        next: () => {
          if (nextSession === sessions) throw new Error('all sessions made beforehand are used')
          nextSession += 1
          return formatSync(nextSession - 1, [addLine()])
        },
        check: isOk('"cartPackages":[{'),
      }),
      read: (connections) => ({
        next: (...turn) => formatRead(customerOf(customers, connections, turn).number),
        check: isOk('"cartPackages":[{'),
      }),
      refresh: (connections) => ({
        next: (...turn) => {
          const { number, etag } = customerOf(customers, connections, turn)
          return formatRead(number, { 'If-None-Match': etag })
        },
        check: ({ status }) => status === 304,
      }),
      change: (connections) => ({
        next: (...turn) => {
          const customer = customerOf(customers, connections, turn)
          customer.quantity = (customer.quantity % 9) + 1
          return formatSync(customer.number, [changeQuantity(customer.lineId, customer.quantity)], customer.etag)
        },
        check: (response, ...turn) => {
          const [, etag] = /"etag":"(W\/\\".+?\\")"/.exec(response.body) ?? []
          if (etag !== undefined) customerOf(customers, connections, turn).etag = JSON.parse(`"${etag}"`)
          return etag !== undefined && isOk('"changes":{')(response)
        },
      }),
    },
    stop: async () => {
      await product.stop()
      await storage.remove()
    },
  }
}
