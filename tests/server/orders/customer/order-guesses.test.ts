import { Agent, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { orderNumberFrom } from '#domain/orders/order-number.ts'
import { readSettings } from '#server/env.ts'
import { insertableColumns } from '#support/database/insertable-columns.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { median } from '#support/measurement/median.ts'
import { seededRandom } from '#support/network/fault-plans.ts'
import { testSeed } from '#support/seed.ts'
import { manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import { readyToPay } from '#tests/server/payments/checkout-driver.ts'

const isLong = process.env.LONG === '1'

/** Pairs of guesses: an existing and an unknown number, with the same wrong email address. */
const pairs = isLong ? 5_000 : 100
/** The tenth failure for a number is the last that is answered without delay. */
const guessesPerNumber = 9
const concurrentPairs = 8

const agent = new Agent({ keepAlive: true })

type ObservedResponse = { visible: string; bytes: number; ms: number }

/** Everything a client can see of a response, except its id and time of day; and how long it took. */
const observe = (url: string, forwardedFor: string): Promise<ObservedResponse> =>
  new Promise((resolve, reject) => {
    const started = performance.now()
    const clientRequest = get(url, { agent, headers: { 'x-forwarded-for': forwardedFor } }, (answer) => {
      answer.toArray().then((chunks) => {
        const ms = performance.now() - started
        const body = Buffer.concat(chunks)
        const { date: _, 'x-request-id': __, ...headers } = answer.headers
        resolve({ visible: JSON.stringify([answer.statusCode, headers, body.toString()]), bytes: body.length, ms })
      }, reject)
    })
    clientRequest.on('error', reject)
  })

describe.each(enginesFor(import.meta.filename))('guessing orders on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    // Uses a real clock and a trusted proxy, so that each guess can have another client address.
    const settings = readSettings({ NODE_ENV: 'test', TRUST_PROXY: '1' })
    const deps = testDeps(database(), { clock: () => new Date(), wait, settings })
    const manualDeps = { ...deps, ...manualClock() }
    const { driver, submitBody } = await readyToPay(manualDeps, await testApp(manualDeps))
    const { data } = await driver.submit(submitBody())
    const app = await testApp(deps)
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.address() as AddressInfo // it listens on TCP
    const random = seededRandom(testSeed)
    const drawNumber = () => orderNumberFrom(Uint8Array.from({ length: 8 }, () => Math.floor(random() * 256)))
    const numberCount = Math.ceil(pairs / guessesPerNumber)
    const [existingNumbers, unknownNumbers] = [
      Array.from({ length: numberCount }, drawNumber),
      Array.from({ length: numberCount }, drawNumber),
    ]
    const columns = await insertableColumns(deps.db, 'orders')
    await sql`
      insert into orders (${sql.join(columns.map((name) => sql.ref(name)))})
      select ${sql.join(columns.map((name) => sql.ref(`p.${name}`)))}
        from orders o cross join unnest(${existingNumbers}::text[]) with ordinality as drawn (number, n)
       cross join lateral jsonb_populate_record(o, jsonb_build_object(
         'id', 1000 + n, 'order_number', number, 'cart_id', null, 'checkout_id', null)) p`.execute(deps.db)
    await sql`
      insert into order_links (order_number, studio_id, order_id)
      select order_number, studio_id, id from orders where id > 1000`.execute(deps.db)
    const search = (orderNumber: string, email: string, address: string) => {
      const query = new URLSearchParams({ orderNumber, email })
      return observe(`http://127.0.0.1:${port}/api/customer/cart/search/?${query}`, address)
    }
    return { deps, existingNumbers, unknownNumbers, search, orderNumber: data.orderNumber as string }
  }

  it(`${2 * pairs} guesses get the same responses and delays whether the order exists or not`, async () => {
    process.stdout.write(`  guesses on ${engine.name}, seed ${testSeed}\n`)
    const { deps, existingNumbers, unknownNumbers, search, orderNumber } = await setUp()
    const responses: { existingNumbers: ObservedResponse[]; unknownNumbers: ObservedResponse[] } = {
      existingNumbers: [],
      unknownNumbers: [],
    }
    const addressOf = (guess: number) => `10.${guess >> 16}.${(guess >> 8) & 255}.${guess & 255}`
    const guessPair = async (pair: number): Promise<void> => {
      const numberIndex = Math.floor(pair / guessesPerNumber)
      const email = `guess${String(pair).padStart(5, '0')}@else.test`
      const guesses = [
        async () =>
          responses.existingNumbers.push(await search(existingNumbers[numberIndex] ?? '', email, addressOf(2 * pair))),
        async () =>
          responses.unknownNumbers.push(
            await search(unknownNumbers[numberIndex] ?? '', email, addressOf(2 * pair + 1)),
          ),
      ]
      // Alternates the order, so that neither kind of guess always comes first.
      for (const guess of pair % 2 === 0 ? guesses : guesses.reverse()) await guess()
    }
    let nextPair = 0
    const guessPairs = async (): Promise<void> => {
      for (let pair = nextPair++; pair < pairs; pair = nextPair++) await guessPair(pair)
    }
    await Promise.all(Array.from({ length: concurrentPairs }, guessPairs))

    const distinctResponses = (observed: ObservedResponse[]) => [
      ...new Set(observed.map(({ visible, bytes }) => `${bytes} ${visible}`)),
    ]
    expect(distinctResponses(responses.existingNumbers)).toHaveLength(1)
    expect(distinctResponses(responses.unknownNumbers)).toEqual(distinctResponses(responses.existingNumbers))
    expect(distinctResponses(responses.existingNumbers)[0]).toContain('Could not find this order')
    const [existingMs, unknownMs] = [
      median(responses.existingNumbers.map(({ ms }) => ms)),
      median(responses.unknownNumbers.map(({ ms }) => ms)),
    ]
    process.stdout.write(
      `  medians on ${engine.name}: ${existingMs.toFixed(2)} ms for existing orders, ${unknownMs.toFixed(2)} ms for unknown ones\n`,
    )
    if (isLong) expect(Math.abs(existingMs - unknownMs) / unknownMs).toBeLessThan(0.05)

    // Every guess was counted and none was delayed, so a guesser with many addresses would measure the same times.
    const failureCounts = await sql<{ kind: string; all: number; most: number }>`
      select kind, sum(failures)::int as all, max(failures)::int as most
        from (select kind, key, sum(failures) as failures from guess_counters
               where kind = 'target' or key like 'order %' group by kind, key) as of_each
       group by kind order by kind`.execute(deps.db)
    expect(failureCounts.rows).toEqual([
      { kind: 'address', all: 2 * pairs, most: 1 },
      { kind: 'target', all: 4 * pairs, most: guessesPerNumber },
    ])
    // Repeated guesses for one number are delayed, whether the order exists or not.
    const measureAfterFailures = async (number: string, net: string): Promise<number> => {
      for (let n = 0; n < 10; n += 1) await search(number, `more${n}@else.test`, `${net}.${n}`)
      return (await search(number, 'more@else.test', `${net}.99`)).ms
    }
    const unknownNumber = orderNumberFrom(Uint8Array.from([9, 8, 7, 6, 5, 4, 3, 2]))
    const delays = await Promise.all([
      measureAfterFailures(orderNumber, '192.0.2'),
      measureAfterFailures(unknownNumber, '198.51.100'),
    ])
    for (const ms of delays) expect(ms).toBeGreaterThanOrEqual(2_000)
    // The right email address finds the order, so the responses above could have differed.
    expect((await search(existingNumbers.at(-1) ?? '', 'grace@example.com', '203.0.113.1')).visible).toContain(
      'Grace@Example.com',
    )
  }, 600_000)
})
