import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeDatabase } from '#support/database/create-postgres-database.ts'
import { bearsAShoot, memoryInWords } from '#support/measurement/resident-memory.ts'
import { startProduct } from '#support/product/start-product.ts'
import { isWithin, measureBytes } from './byte-budgets.ts'
import { type LandingPoints, landingPaths, landingPoints, pointsInWords } from './lighthouse/landing-scores.ts'
import { measurePhones } from './phone/phone-measurements.ts'
import { measureTaps } from './phone/tap-latency.ts'
import { type OwnServer, openOwnServer } from './server/bench-server.ts'
import { readTenPackages, syncTenPackages } from './server/cart-rate.ts'
import { submitCheckouts } from './server/checkout-submit-rate.ts'
import type { Outcome } from './server/compare-rates.ts'
import { type ListTimes, readJobLists } from './server/job-list-times.ts'
import { printPackets } from './server/packet-print-rate.ts'
import { listPeople } from './server/subject-list-times.ts'
import { makeThumbnails } from './server/thumbnail-rate.ts'
import { measureUploads } from './server/upload-memory.ts'

/** What 95 of 100 taps should take on a processor four times slower than this one. */
const mostTapMs = 100

/** What 95 of 100 pages of a long list of staff's should take. */
const mostListMs = 100

type Ratio = Outcome & { name: string; target: number }

const say = (line: string): void => void process.stdout.write(`${line}\n`)
const mark = (good: boolean): string => (good ? 'ok  ' : 'LOW ')

const sayRatio = ({ name, ratio, target, oursMs, bareMs }: Ratio): void =>
  say(
    `${mark(ratio >= target)} ${name.padEnd(48)} ${ratio.toFixed(2)} of ${target.toFixed(2)}   ${oursMs.toFixed(1)} ms, bare ${bareMs.toFixed(1)} ms`,
  )

/** Everything that is held against its bare form, on one database. */
const measureServer = async (postgres?: string): Promise<Ratio[]> => {
  const server = await openOwnServer(postgres)
  const ratios: Ratio[] = []
  const contests = [
    { name: 'cart/sync of 10 packages, HTTP', target: 0.5, run: syncTenPackages },
    { name: 'cart read, HTTP', target: 0.5, run: (on: OwnServer) => readTenPackages(on, 'identity') },
    { name: 'cart read, HTTP, compressed', target: 0.5, run: (on: OwnServer) => readTenPackages(on, 'br') },
    { name: 'submit, HTTP', target: 0.4, run: submitCheckouts },
  ]
  const note = (name: string, target: number, outcome: Outcome): void => {
    const ratio = { name: `${name} (${server.engine})`, target, ...outcome }
    sayRatio(ratio)
    ratios.push(ratio)
  }
  try {
    for (const { name, target, run } of contests) note(name, target, await run(server))
    const { inThreads, inOne } = await makeThumbnails(server)
    note('thumbnails, queue / library in threads', 0.9, inThreads)
    note('thumbnails, queue / library in one thread', 0.9, inOne)
    const { besideEngine, besideLibrary } = await printPackets(server)
    note('print files, packet / engine in threads', 0.85, besideEngine)
    note('print files, packet / library', 0.85, besideLibrary)
  } finally {
    await server.close()
  }
  return ratios
}

/** Long lists on one database, with nothing else in it but the demo. */
const measureLists = async (postgres?: string): Promise<ListTimes[]> => {
  const server = await openOwnServer(postgres)
  try {
    const lists = [...(await readJobLists(server)), ...(await listPeople(server))]
    for (const { name, median, p95 } of lists)
      say(
        `${mark(p95 < mostListMs)} ${name} (${server.engine}): ${p95.toFixed(0)} ms of ${mostListMs}, middle ${median.toFixed(0)} ms`,
      )
    return lists.map((list) => ({ ...list, name: `${list.name} (${server.engine})` }))
  } finally {
    await server.close()
  }
}

const measureLandings = async (): Promise<LandingPoints[]> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'fieldproof-lighthouse-'))
  const product = await startProduct({ dataDir })
  const seen: LandingPoints[] = []
  try {
    for (const path of landingPaths) {
      const points = await landingPoints(product.url, path)
      say(pointsInWords(points))
      seen.push(points)
    }
  } finally {
    await product.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  return seen
}

/** How much a server grows while a shoot arrives: six hundred files in the long run. */
const measureUploadMemory = async (postgres?: string): Promise<void> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'fieldproof-uploads-'))
  const database = postgres === undefined ? undefined : await makeDatabase(postgres, 'bench')
  const env: Record<string, string> = database ? { DATABASE_URL: database.url } : {}
  const options = { dataDir, env }
  // The demo is made by another process: what that left in memory is not the uploads'.
  await (await startProduct(options)).stop()
  const product = await startProduct(options)
  try {
    const memory = await measureUploads(product, process.env.LONG === '1' ? 600 : 60)
    const where = database ? 'postgres' : 'embedded'
    say(
      `${mark(bearsAShoot(where, memory))} ${memory.files} files uploaded (${where}) in ${memory.seconds.toFixed(0)} s: ${memoryInWords(memory)}`,
    )
  } finally {
    await product.stop()
    await database?.drop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

// Speed is told, never judged here: it would fail on a busy machine.
const bytes = measureBytes()
for (const budget of bytes) {
  const { name, value, limit, unit } = budget
  say(`${isWithin(budget) ? 'ok  ' : 'OVER'} ${name}: ${value.toFixed(1)} of ${limit} ${unit}`)
}
const ratios = await measureServer()
if (process.env.TEST_DATABASE_URL) ratios.push(...(await measureServer(process.env.TEST_DATABASE_URL)))
const lists = await measureLists()
if (process.env.TEST_DATABASE_URL) lists.push(...(await measureLists(process.env.TEST_DATABASE_URL)))
// A screen that cannot be tapped through takes nothing from the other figures.
const taps = await measureTaps().catch((error: unknown) => {
  say(`LOW  taps were not measured: ${error instanceof Error ? error.message.split('\n')[0] : error}`)
  return []
})
for (const { name, median, p95 } of taps)
  say(`${mark(p95 < mostTapMs)} tap to next frame, ${name}: ${p95} ms of ${mostTapMs}, middle ${median} ms`)
const limited = await measurePhones()
for (const { name, value, limit, unit } of limited)
  say(`${mark(value <= limit)} ${name}: ${Number(value.toFixed(3))} of ${limit} ${unit}`.trimEnd())
await measureUploadMemory()
if (process.env.TEST_DATABASE_URL) await measureUploadMemory(process.env.TEST_DATABASE_URL)
const landings = await measureLandings()
say(
  JSON.stringify({
    bytes,
    ratios,
    lists,
    taps,
    limited,
    landings: landings.map(({ path, medians }) => ({ path, ...medians })),
  }),
)
