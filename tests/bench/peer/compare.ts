import { median } from '#support/measurement/median.ts'
import { residentBytes } from '#support/measurement/resident-memory.ts'
import { emptyStorages } from '#support/product/empty-product-storage.ts'
import { startBareService } from './bare-service.ts'
import { startFieldproof } from './fieldproof-shop.ts'
import { type LoadResult, runLoad } from './load-generator.ts'
import { type ScenarioName, type Shop, scenarioNames } from './shop.ts'
import { startVendure } from './vendure-shop.ts'

/**
 * Compares the cart calls with Vendure's, on the same machine and in one run: `npm run bench:peer`. Needs `TEST_DATABASE_URL`. One
 * generator loads all shops in alternating rounds. It also loads a service that only executes one statement, which shows the limit of the
 * machine. `ROUNDS` and `SECONDS` shorten a run, `ONLY` selects scenarios, `ANALYZE=never` leaves the statistics to the
 * product.
 */
const server = process.env.TEST_DATABASE_URL
if (!server) throw new Error('No PostgreSQL to compare on: set TEST_DATABASE_URL.')
const rounds = Number(process.env.ROUNDS ?? 5)
const seconds = Number(process.env.SECONDS ?? 8)
const selected = scenarioNames.filter((name) => process.env.ONLY === undefined || process.env.ONLY.includes(name))
const connectionCounts = [1, 16]

const printLine = (line: string): void => void process.stdout.write(`${line}\n`)

const measure = (shop: Shop, name: ScenarioName, connections: number): Promise<LoadResult> =>
  runLoad({ ...shop.scenarios[name](connections), port: shop.port, connections, seconds })

const memoryMegabytes = ({ processIds }: Shop): number =>
  Math.round(processIds.reduce((sum, processId) => sum + residentBytes(processId), 0) / 1024 / 1024)

/** Loads the shops round by round, reversing their order every round, because the machine's speed changes over time. */
const compareShops = async (shops: readonly Shop[], name: ScenarioName, connections: number) => {
  const results = new Map<Shop, LoadResult[]>(shops.map((shop) => [shop, []]))
  for (let round = 0; round < rounds; round += 1) {
    for (const shop of round % 2 === 0 ? shops : shops.toReversed())
      results.get(shop)?.push(await measure(shop, name, connections))
  }
  const medians = [...results].map(([shop, measured]) => ({
    shop: shop.name,
    rate: median(measured.map(({ perSecond }) => perSecond)),
    p99Ms: median(measured.map(({ p99Ms }) => p99Ms)),
  }))
  const [peer] = medians
  for (const { shop, rate, p99Ms } of medians)
    printLine(
      `${name.padEnd(8)} @${String(connections).padEnd(3)} ${shop.padEnd(24)} ${rate.toFixed(0).padStart(6)} per second  p99 ${p99Ms.toFixed(1).padStart(6)} ms  ${(rate / (peer?.rate ?? rate)).toFixed(1)} ×`,
    )
}

const shops: Shop[] = []
try {
  shops.push(await startVendure(server))
  for (const { name, make } of emptyStorages) {
    shops.push(await startFieldproof(name, await make()))
    shops.push(await startBareService(name, await make()))
  }
  for (const name of selected) for (const count of connectionCounts) await compareShops(shops, name, count)
  for (const shop of shops.filter(({ processIds }) => processIds.length > 0))
    printLine(`${shop.name}: ${memoryMegabytes(shop)} MB after the load`)
} finally {
  for (const shop of shops) await shop.stop()
}
