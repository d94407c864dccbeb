import { execFileSync } from 'node:child_process'
import { createHash, type Hash, randomBytes, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { link, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { get, type IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { crc32 } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Entry, open, type ZipFile } from 'yauzl'
import { folderFiles } from '#server/adapters/files-folder.ts'
import { openDatabase } from '#server/database/open-database.ts'
import { findDebianProgram } from '#support/browser/debian-program.ts'
import { prepareDatabaseFolder, silentLog } from '#support/database/test-database.ts'
import { fakeJpeg } from '#support/images/fake-jpeg.ts'
import { residentBytes, residentBytesDuring } from '#support/measurement/resident-memory.ts'
import { startProduct } from '#support/product/start-product.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { packageItem } from '#tests/domain/cart/cart-fixtures.ts'
import { onePrint } from '../carts/cart-fixtures.ts'
import { readyToPay } from '../payments/checkout-driver.ts'

const isLong = process.env.LONG === '1'
const imageCount = isLong ? 300 : 12
const distinctCount = 5
const imageBytes = 10_000_000
const megabyte = 1024 * 1024

// Production has no demo data to create.
const settings = {
  ...{ NODE_ENV: 'production', SECRET: 's'.repeat(40), PAYMENT: 'test', PUBLIC_URL: 'http://localhost:4600' },
  LOG_LEVEL: 'warn',
}

const packageOfFiles = () => ({
  ...onePrint(25),
  items: [packageItem({ id: 9003, name: 'Files', productCode: 'WholeDigDown', imageNodes: [], textNodes: [] })],
})

/** Creates a server's data in which all images of a subject were sold as files; returns the path of the download. */
const sellFiles = async (dataDir: string): Promise<string> => {
  await prepareDatabaseFolder(dataDir, 'migrated')
  const database = await openDatabase({ dataDir, log: silentLog })
  const files = folderFiles({ folder: join(dataDir, 'files'), newId: randomUUID })
  const deps = testDeps(database, { files, clock: () => new Date() })
  const { fixtures, driver, submitBody } = await readyToPay(deps, await testApp(deps), packageOfFiles())
  const sourcePaths = Array.from({ length: distinctCount }, (_, index) => join(dataDir, `source-${index}`))
  const hashes = await Promise.all(
    sourcePaths.map(async (path) => {
      const bytes = fakeJpeg(randomBytes(imageBytes))
      await writeFile(path, bytes)
      return createHash('sha256').update(bytes).digest('hex')
    }),
  )
  for (let n = 0; n < imageCount; n += 1) {
    const id = n === 0 ? fixtures.adaImageId : await fixtures.addImage({ subjectId: fixtures.adaId })
    const original_key = `studios/${fixtures.studioId}/images/${id}/original`
    const path = join(dataDir, 'files', original_key)
    await mkdir(dirname(path), { recursive: true })
    await link(sourcePaths[n % distinctCount] ?? '', path)
    const set = { original_key, byte_size: imageBytes, content_hash: hashes[n % distinctCount] ?? '' }
    await deps.db.updateTable('image_lookups').set(set).where('id', '=', id).execute()
  }
  const { data } = await driver.submit(submitBody())
  const [allFiles] = (await driver.order(data.orderNumber)).downloads ?? []
  await database.close()
  if (allFiles?.kind !== 'all') throw new Error('the order has no download of all images')
  return `/api/customer/downloads/${allFiles.linkId}`
}

type Received = { status: number; headers: IncomingHttpHeaders; bytes: number; firstByteMs: number }

/** Downloads a URL into a file and a digest, and disconnects after `maxBytes` bytes. */
const receive = (
  url: string,
  {
    from,
    into,
    digest,
    maxBytes = Number.POSITIVE_INFINITY,
  }: { from?: { at: number; tag: string }; into: string; digest: Hash; maxBytes?: number },
): Promise<Received> =>
  new Promise((resolve, reject) => {
    const started = performance.now()
    const headers = from && { range: `bytes=${from.at}-`, 'if-range': from.tag }
    const request = get(url, { agent: false, ...(headers && { headers }) }, (answer) => {
      let bytes = 0
      let firstByteMs = Number.NaN
      const limitedChunks = async function* () {
        for await (const chunk of answer as AsyncIterable<Buffer>) {
          if (bytes === 0) firstByteMs = performance.now() - started
          const bytesToWrite = chunk.subarray(0, maxBytes - bytes)
          bytes += bytesToWrite.length
          digest.update(bytesToWrite)
          yield bytesToWrite
          if (bytes >= maxBytes) return
        }
      }
      const file = createWriteStream(into, { flags: from ? 'a' : 'w' })
      pipeline(limitedChunks(), file).then(
        () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, bytes, firstByteMs }),
        reject,
      )
    })
    request.on('error', reject)
  })

/** Reads every byte of a ZIP and returns the names of its entries and of those with a wrong checksum. */
const checkEntries = async (path: string): Promise<{ names: string[]; damaged: string[] }> => {
  const zip = (await promisify(open as never)(path, { lazyEntries: true })) as unknown as ZipFile // promisify ignores overloads
  const names: string[] = []
  const damaged: string[] = []
  const check = async (entry: Entry): Promise<void> => {
    let sum = 0
    const stream = await new Promise<NodeJS.ReadableStream>((resolve, reject) =>
      zip.openReadStream(entry, (error, opened) => (error ? reject(error) : resolve(opened))),
    )
    for await (const chunk of stream) sum = crc32(chunk, sum)
    names.push(entry.fileName)
    if (sum !== entry.crc32 || entry.uncompressedSize !== imageBytes) damaged.push(entry.fileName)
    zip.readEntry()
  }
  return await new Promise((resolve, reject) => {
    zip.on('error', reject).on('end', () => resolve({ names, damaged }))
    zip.on('entry', (entry: Entry) => void check(entry).catch(reject))
    zip.readEntry()
  })
}

const digestOf = async (path: string): Promise<string> => {
  const digest = createHash('sha256')
  await pipeline(createReadStream(path), digest)
  return digest.digest('hex')
}

describe('a ZIP of all images of a subject', () => {
  it(
    `a ZIP of ${imageCount} images starts at once, needs little memory, can be opened, and can be resumed`,
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'fieldproof-zip-'))
      onTestFinished(() => rm(folder, { recursive: true, force: true }))
      const dataDir = join(folder, 'data')
      const link = await sellFiles(dataDir)
      const product = await startProduct({ dataDir, env: settings })
      onTestFinished(() => product.stop())
      const download = await (await fetch(`${product.url}${link}`)).json()
      expect(download.data).toMatchObject({ state: 'ready', kind: 'all', zipUrl: `${link}/zip` })
      expect(download.data.files).toHaveLength(imageCount)
      const zip = `${product.url}${link}/zip`
      const [fullZip, resumedZip] = [join(folder, 'whole.zip'), join(folder, 'resumed.zip')]

      // Downloads a part first, so that the memory of the start is released and the code for a download is loaded.
      await receive(zip, { into: join(folder, 'piece.zip'), digest: createHash('sha256'), maxBytes: 2 * imageBytes })
      const before = residentBytes(product.pid)
      const digest = createHash('sha256')
      const downloads: { first?: Received; cut?: Received; rest?: Received } = {}
      const resumedDigest = createHash('sha256')
      const { median } = await residentBytesDuring(product.pid, async () => {
        const first = await receive(zip, { into: fullZip, digest })
        downloads.first = first
        const part = Math.floor(first.bytes * 0.6)
        downloads.cut = await receive(zip, { into: resumedZip, digest: resumedDigest, maxBytes: part })
        const from = { at: part, tag: String(first.headers.etag) }
        downloads.rest = await receive(zip, { from, into: resumedZip, digest: resumedDigest })
      })

      const { first, cut: interrupted, rest: remainder } = downloads
      const size = first?.bytes ?? 0
      expect(first?.status).toBe(200)
      expect(first?.headers['content-length']).toBe(String(size))
      expect(size).toBeGreaterThan(imageCount * imageBytes)
      // Takes the faster of two, because a machine that also runs other tests may pause for a moment.
      const firstByteMs = Math.min(first?.firstByteMs ?? Number.NaN, interrupted?.firstByteMs ?? Number.NaN)
      expect(firstByteMs).toBeLessThan(1000)
      // Uses the median of all samples: a ZIP held in memory would raise it, a short peak does not.
      const grownMegabytes = (median - before) / megabyte
      expect(grownMegabytes).toBeLessThan(40)
      expect(interrupted?.bytes).toBe(Math.floor(size * 0.6))
      expect(remainder?.status).toBe(206)
      expect(remainder?.headers['content-range']).toBe(`bytes ${interrupted?.bytes}-${size - 1}/${size}`)
      expect((interrupted?.bytes ?? 0) + (remainder?.bytes ?? 0)).toBe(size)
      const sum = digest.digest('hex')
      expect(resumedDigest.digest('hex')).toBe(sum)
      expect(await digestOf(resumedZip)).toBe(sum)
      const { names, damaged } = await checkEntries(resumedZip)
      expect([new Set(names).size, damaged]).toEqual([imageCount, []])
      if (isLong) {
        const unzip = findDebianProgram('unzip', ['/usr/bin/unzip'])
        const output = execFileSync(unzip, ['-t', '-q', fullZip], { encoding: 'utf8' })
        expect(output).toContain('No errors detected')
      }
      expect(product.errors()).toEqual([])
      process.stdout.write(
        `  a ZIP of ${imageCount}: first byte ${firstByteMs.toFixed(0)} ms, ${grownMegabytes.toFixed(1)} MB more\n`,
      )
    },
    isLong ? 900_000 : 120_000,
  )
})
