import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPostgresDatabase } from '#support/database/create-postgres-database.ts'
import { formatMemoryUse, isWithinUploadMemory } from '#support/measurement/resident-memory.ts'
import { type Product, startProduct } from '#support/product/start-product.ts'
import { isWithinBudget, measureBytes } from './byte-budgets.ts'
import {
  formatLandingScores,
  type LandingScores,
  landingPaths,
  measureLandingScores,
} from './lighthouse/landing-scores.ts'
import { measurePhones } from './phone/phone-measurements.ts'
import { measureTapLatency } from './phone/tap-latency.ts'
import { type BenchServer, startBenchServer } from './server/bench-server.ts'
import { type BulkWaits, measureBulkWaits } from './server/bulk-waits.ts'
import { readTenPackages, syncTenPackages } from './server/cart-rate.ts'
import { submitCheckouts } from './server/checkout-submit-rate.ts'
import type { ComparisonResult } from './server/compare-rates.ts'
import { measureGrowth } from './server/growth-times.ts'
import { cropExports } from './server/image-export-rate.ts'
import { type ListTimes, measureJobLists } from './server/job-list-times.ts'
import { printPackets } from './server/packet-print-rate.ts'
import { measurePlatformLists } from './server/platform-list-times.ts'
import { measureReportExport } from './server/report-export-rate.ts'
import { measureSummary } from './server/summary-times.ts'
import { compareThumbnailRates } from './server/thumbnail-rate.ts'
import { measureUploads } from './server/upload-memory.ts'

/** Limit in milliseconds for the 95th percentile of taps, on a processor four times slower than this one. */
const maxTapMs = 100

/** Limit in milliseconds for the 95th percentile of pages of long staff lists. */
const maxListMs = 100

/** Limit in milliseconds for the 95th percentile of a list of a large studio, eight at a time. */
const maxGrownListMs = 60

/** Limit in milliseconds for the 99th percentile of a parent's cart changes while staff work with 5,000 subjects. */
const maxParentMs = 250

type Ratio = ComparisonResult & { name: string; target: number }

const printLine = (line: string): void => void process.stdout.write(`${line}\n`)
const formatMark = (isGood: boolean): string => (isGood ? 'ok  ' : 'LOW ')

const printRatio = ({ name, ratio, target, oursMs, baselineMs }: Ratio): void =>
  printLine(
    `${formatMark(ratio >= target)} ${name.padEnd(48)} ${ratio.toFixed(2)} of ${target.toFixed(2)}   ${oursMs.toFixed(1)} ms, baseline ${baselineMs.toFixed(1)} ms`,
  )

/** All rates on one database, each compared with its baseline. */
const measureServer = async (postgres?: string): Promise<Ratio[]> => {
  const server = await startBenchServer(postgres)
  const ratios: Ratio[] = []
  const comparisons = [
    { name: 'cart/sync of 10 packages, HTTP', target: 0.5, run: syncTenPackages },
    {
      name: 'cart read, HTTP',
      target: 0.5,
      run: (benchServer: BenchServer) => readTenPackages(benchServer, 'identity'),
    },
    {
      name: 'cart read, HTTP, compressed',
      target: 0.5,
      run: (benchServer: BenchServer) => readTenPackages(benchServer, 'br'),
    },
    { name: 'submit, HTTP', target: 0.4, run: submitCheckouts },
  ]
  const report = (name: string, target: number, result: ComparisonResult): void => {
    const ratio = { name: `${name} (${server.engine})`, target, ...result }
    printRatio(ratio)
    ratios.push(ratio)
  }
  try {
    for (const { name, target, run } of comparisons) report(name, target, await run(server))
    const { inThreads, inOneThread } = await compareThumbnailRates(server)
    report('thumbnails, queue / library in threads', 0.9, inThreads)
    report('thumbnails, queue / library in one thread', 0.9, inOneThread)
    const { comparedWithEngine, comparedWithLibrary } = await printPackets(server)
    report('print files, packet / engine in threads', 0.85, comparedWithEngine)
    report('print files, packet / library', 0.85, comparedWithLibrary)
    report('cropped images, export / library', 0.85, await cropExports(server))
  } finally {
    await server.close()
  }
  return ratios
}

/** Times of long lists, on one database that otherwise holds only the demo. */
const measureLists = async (
  measure: (server: BenchServer) => Promise<ListTimes[]>,
  postgres?: string,
): Promise<ListTimes[]> => {
  const server = await startBenchServer(postgres)
  try {
    const lists = await measure(server)
    for (const { name, median, p95 } of lists)
      printLine(
        `${formatMark(p95 < maxListMs)} ${name} (${server.engine}): ${p95.toFixed(0)} ms of ${maxListMs}, median ${median.toFixed(0)} ms`,
      )
    return lists.map((list) => ({ ...list, name: `${list.name} (${server.engine})` }))
  } finally {
    await server.close()
  }
}

/** Subjects in the studio whose lists are measured; the largest takes minutes to create, and the embedded database is not meant for it. */
const growthCounts = (postgres: string | undefined): number[] => [
  ...[500, 5_000, 50_000],
  ...(postgres !== undefined && process.env.LONG === '1' ? [500_000] : []),
]

/** Times of the lists of a studio that grows: good if none exceeds `maxGrownListMs`, or twice the time of the smallest studio if that is longer. */
const measureGrowingStudio = async (postgres?: string): Promise<void> => {
  const times = await measureGrowth(growthCounts(postgres), postgres)
  for (const { name, p95ByCount } of times) {
    const p95s = [...p95ByCount.values()]
    const isGood = Math.max(...p95s) <= Math.max(maxGrownListMs, 2 * (p95s[0] ?? 0))
    const figures = [...p95ByCount].map(([count, ms]) => `${count.toLocaleString('en-US')}: ${ms.toFixed(0)} ms`)
    printLine(`${formatMark(isGood)} ${name} (${postgres ? 'postgres' : 'embedded'}), subjects: ${figures.join(', ')}`)
  }
}

const measureLandings = async (): Promise<LandingScores[]> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'fieldproof-lighthouse-'))
  const product = await startProduct({ dataDir })
  const allScores: LandingScores[] = []
  try {
    for (const path of landingPaths) {
      const scores = await measureLandingScores(product.url, path)
      printLine(formatLandingScores(scores))
      allScores.push(scores)
    }
  } finally {
    await product.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  return allScores
}

type Engine = 'embedded' | 'postgres'

/** Measures the product in its own process, on one database with the demo data. `env` adds settings. */
const withProduct = async <Result>(
  { postgres, env: settings }: { postgres: string | undefined; env?: Record<string, string> },
  measure: (product: Product, engine: Engine, databaseUrl: string | undefined) => Promise<Result>,
): Promise<Result> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'fieldproof-product-'))
  const database = postgres === undefined ? undefined : await createPostgresDatabase(postgres, 'bench')
  const env: Record<string, string> = database ? { DATABASE_URL: database.url } : {}
  const options = { dataDir, env }
  // Another process seeds the demo, so that the memory for seeding is not counted.
  await (await startProduct(options)).stop()
  const product = await startProduct({ dataDir, env: { ...env, ...settings } })
  try {
    return await measure(product, database ? 'postgres' : 'embedded', database?.url)
  } finally {
    await product.stop()
    await database?.drop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** The server's memory during an upload: six hundred files in the long run. */
const measureUploadMemory = (postgres?: string): Promise<void> =>
  withProduct({ postgres }, async (product, engine) => {
    const memory = await measureUploads(product, process.env.LONG === '1' ? 600 : 60)
    printLine(
      `${formatMark(isWithinUploadMemory(engine, memory))} ${memory.files} files uploaded (${engine}) in ${memory.seconds.toFixed(0)} s: ${formatMemoryUse(memory)}`,
    )
  })

/** Other modes validate every response, which takes 100 ms for 5,000 subjects. */
const productionSettings = {
  NODE_ENV: 'production',
  SECRET: randomUUID(),
  PUBLIC_URL: 'http://127.0.0.1',
  PAYMENT: 'test',
  PARTNER: 'test',
}

/** The rate of an export compared with a bare `copy`, and the server's memory limit during it, in megabytes. */
const minExportRatio = 0.5
const maxExportMegabytes = 300

/** The export of all payments of a studio: half a million in the long run. */
const measureExport = (postgres: string): Promise<void> =>
  withProduct({ postgres, env: productionSettings }, async (product, _engine, databaseUrl = '') => {
    const rowCount = process.env.LONG === '1' ? 500_000 : 50_000
    const { rows, rowsPerSecond, copyRowsPerSecond, peakBytes } = await measureReportExport(product, {
      databaseUrl,
      rows: rowCount,
    })
    const ratio = rowsPerSecond / copyRowsPerSecond
    const megabytes = peakBytes / 1024 / 1024
    printLine(
      `${formatMark(ratio >= minExportRatio && megabytes < maxExportMegabytes)} export of ${rows.toLocaleString('en-US')} payments: ${Math.round(rowsPerSecond).toLocaleString('en-US')} rows a second, ${ratio.toFixed(2)} of a bare copy (at least ${minExportRatio}); ${megabytes.toFixed(0)} MB of ${maxExportMegabytes}`,
    )
  })

/** The limit of reading what a studio earned, in milliseconds. */
const maxSummaryMs = 50

/** What a studio earned, from a ledger of a million rows in the long run. */
const measureEarned = (postgres: string): Promise<void> =>
  withProduct({ postgres, env: productionSettings }, async ({ url }, _engine, databaseUrl = '') => {
    const rows = process.env.LONG === '1' ? 1_000_000 : 100_000
    const p95 = await measureSummary(url, { databaseUrl, rows })
    printLine(
      `${formatMark(p95 <= maxSummaryMs)} what a studio earned, of ${rows.toLocaleString('en-US')} ledger rows: ${p95.toFixed(1)} ms of ${maxSummaryMs} (p95)`,
    )
  })

/** How long parents wait while staff work with thousands of subjects. */
const measureBulk = (postgres?: string): Promise<BulkWaits[]> =>
  withProduct({ postgres, env: productionSettings }, async ({ url }, engine) => {
    const allWaits = await measureBulkWaits(url)
    for (const { name, durationMs, median, p99, max } of allWaits)
      printLine(
        `${formatMark(p99 < maxParentMs)} ${name} (${engine}) in ${(durationMs / 1000).toFixed(1)} s: parents wait ${p99.toFixed(0)} ms of ${maxParentMs}, median ${median.toFixed(0)} ms, at most ${max.toFixed(0)} ms`,
      )
    return allWaits.map((waits) => ({ ...waits, name: `${waits.name} (${engine})` }))
  })

const databases: (string | undefined)[] = [undefined]
if (process.env.TEST_DATABASE_URL) databases.push(process.env.TEST_DATABASE_URL)

const onEachDatabase = async <Result>(measure: (postgres?: string) => Promise<Result[]>): Promise<Result[]> => {
  const results: Result[] = []
  for (const postgres of databases) results.push(...(await measure(postgres)))
  return results
}

const measureBudgets = async () => {
  const budgets = measureBytes()
  for (const budget of budgets) {
    const { name, value, limit, unit } = budget
    printLine(`${isWithinBudget(budget) ? 'ok  ' : 'OVER'} ${name}: ${value.toFixed(1)} of ${limit} ${unit}`)
  }
  return budgets
}

/** A failing tap test does not prevent the other figures. */
const measureTaps = async () => {
  const taps = await measureTapLatency().catch((error: unknown) => {
    printLine(`LOW  taps were not measured: ${error instanceof Error ? error.message.split('\n')[0] : error}`)
    return []
  })
  for (const { name, median, p95 } of taps)
    printLine(`${formatMark(p95 < maxTapMs)} tap to next frame, ${name}: ${p95} ms of ${maxTapMs}, median ${median} ms`)
  return taps
}

const measureSlowPhones = async () => {
  const figures = await measurePhones()
  for (const { name, value, limit, unit } of figures)
    printLine(`${formatMark(value <= limit)} ${name}: ${Number(value.toFixed(3))} of ${limit} ${unit}`.trimEnd())
  return figures
}

/** The parts of a run. Each prints its figures; what it returns is also in the JSON at the end. */
const parts: Readonly<Record<string, () => Promise<unknown>>> = {
  bytes: measureBudgets,
  ratios: () => onEachDatabase(measureServer),
  lists: async () => [
    ...(await onEachDatabase((postgres) => measureLists(measureJobLists, postgres))),
    ...(await onEachDatabase((postgres) => measureLists(measurePlatformLists, postgres))),
  ],
  growth: async () => {
    for (const postgres of databases) await measureGrowingStudio(postgres)
  },
  bulk: () => onEachDatabase(measureBulk),
  taps: measureTaps,
  phones: measureSlowPhones,
  uploads: async () => {
    for (const postgres of databases) await measureUploadMemory(postgres)
  },
  export: async () => {
    for (const postgres of databases) if (postgres !== undefined) await measureExport(postgres)
  },
  summary: async () => {
    for (const postgres of databases) if (postgres !== undefined) await measureEarned(postgres)
  },
  landings: async () => (await measureLandings()).map(({ path, medians }) => ({ path, ...medians })),
}

// No figure fails the run: speed depends on the machine's load, and `budgets.ts` checks the bytes.
const partNames = Object.keys(parts)
const selectedNames = process.env.ONLY ? process.env.ONLY.split(',') : partNames
for (const name of selectedNames)
  if (!partNames.includes(name)) throw new Error(`There is no part ${name}; there are ${partNames.join(', ')}`)
const figures: Record<string, unknown> = {}
for (const name of selectedNames) figures[name] = await parts[name]?.()
printLine(JSON.stringify(figures))
