import { setTimeout as wait } from 'node:timers/promises'
import { quantile } from '#support/measurement/quantile.ts'
import { emptyStorages } from '#support/product/empty-product-storage.ts'
import { startFieldproof } from './fieldproof-shop.ts'
import { openConnection } from './load-generator.ts'
import { customersWithCart, type Shop } from './shop.ts'

/**
 * Measures how long a change of the cart takes while as many phones as there are carts change theirs every two seconds, each over its own
 * connection: `npm run bench:phones`. With `TEST_DATABASE_URL` also on PostgreSQL.
 */
const periodMs = 2000
const warmUpMs = 8_000
const durationMs = 30_000

/** The longest time, in milliseconds, in which 95 % of the changes should be answered. */
const limits: Readonly<Record<string, number>> = { 'the embedded database': 1000, PostgreSQL: 300 }

/** Changes the carts for a while. Returns the milliseconds of each change after the warm-up. */
const loadByPhones = async ({ port, scenarios }: Shop): Promise<number[]> => {
  const { next, check } = scenarios.change(customersWithCart)
  const started = performance.now()
  const times: number[] = []
  const runPhone = async (phone: number): Promise<void> => {
    const connection = await openConnection(port)
    await wait((phone / customersWithCart) * periodMs)
    for (let turn = 0; performance.now() < started + durationMs; turn += 1) {
      const sent = performance.now()
      const response = await connection.send(next(phone, turn))
      const took = performance.now() - sent
      if (!check(response, phone, turn)) throw new Error(response.body)
      if (sent > started + warmUpMs) times.push(took)
      await wait(Math.max(0, periodMs - took))
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: customersWithCart }, (_, phone) => runPhone(phone)))
  return times
}

for (const { name, make } of emptyStorages) {
  const shop = await startFieldproof(name, await make())
  try {
    const times = await loadByPhones(shop)
    const [p50, p95, p99] = [0.5, 0.95, 0.99].map((part) => Math.round(quantile(times, part)))
    const perSecond = Math.round((times.length * 1000) / (durationMs - warmUpMs))
    process.stdout.write(
      `${name}: ${customersWithCart} phones, ${perSecond} changes per second, median ${p50} ms, p95 ${p95} ms of ${limits[name]}, p99 ${p99} ms\n`,
    )
  } finally {
    await shop.stop()
  }
}
