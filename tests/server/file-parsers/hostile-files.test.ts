import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import sharp from 'sharp'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Upload } from '#contract/studio/uploads.ts'
import { enginesFor } from '#support/database/test-database.ts'
import { peakResidentBytes, residentBytes } from '#support/measurement/resident-memory.ts'
import { startEmptyProduct } from '#support/product/empty-product.ts'
import { hostileImages } from './hostile-images.ts'
import { hostileLists } from './hostile-lists.ts'

const isLong = process.env.LONG === '1'
const count = isLong ? 400 : 12
const megabyte = 1024 * 1024

type Ask = (
  method: string,
  path: string,
  body?: object | FormData | Buffer,
  headers?: Record<string, string>,
) => Promise<{
  status: number
  data: never
  errors: readonly string[]
}>

/** A new studio as anyone may create one, with a job. */
const startStudio = async (url: string) => {
  let token = ''
  const ask: Ask = async (method, path, body, headers = {}) => {
    const isRaw = body instanceof FormData || Buffer.isBuffer(body)
    const answer = await fetch(`${url}/api/${path}`, {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body && !isRaw && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: isRaw ? (body as FormData) : JSON.stringify(body) }), // fetch takes buffers too
    })
    const text = await answer.text()
    const { data, errors = [] } = text.startsWith('{') ? JSON.parse(text) : { data: undefined }
    return { status: answer.status, data: data as never, errors }
  }
  const owner = { name: 'Nora', email: 'nora@northlight.test', password: 'a long password of nobody' }
  const made = await ask('POST', 'auth/setup', { studioName: 'Northlight', slug: 'northlight', ...owner })
  if (made.status !== 200) throw new Error(made.errors.join(' '))
  token = (made.data as { token: string }).token
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { studio_id: number } // signed by our server
  const studio = `studioadmin/studios/${claims.studio_id}`
  const organization = await ask('POST', `${studio}/organizations`, { name: 'Lincoln', type: 'school' })
  const organizationId = (organization.data as { id: number }).id
  const job = await ask('POST', `${studio}/jobs`, { organizationId, name: 'Spring', prepay: true, gallery: false })
  if (job.status !== 200) throw new Error(job.errors.join(' '))
  return { ask, studio, job: `${studio}/jobs/${(job.data as { id: number }).id}` }
}

const formOf = (fileName: string, bytes: Buffer, fields: Record<string, string> = {}): FormData => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('File', new File([new Uint8Array(bytes)], fileName))
  return form
}

type Studio = Awaited<ReturnType<typeof startStudio>>
type Answered = { status: number; says: string }

const says = ({ status, errors }: { status: number; errors: readonly string[] }): Answered => ({
  status,
  says: errors.join(' '),
})

/** Announces an image, sends its bytes, and waits until it is processed. */
const upload = async (
  { ask, job }: Studio,
  { name, bytes }: Hostile,
): Promise<Answered & { imageId: number | null }> => {
  const file = {
    fileName: `${name}.jpg`,
    byteSize: bytes.length,
    fingerprint: `hostile-${name.replace(/\W+/g, '-')}`.slice(0, 100),
  }
  const announced = await ask('POST', `${job}/uploads`, { files: [file] })
  const [first] = announced.data as Upload[]
  if (!first) return { ...says(announced), imageId: null }
  const tus = { 'tus-resumable': '1.0.0', 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' }
  await ask('PATCH', `${job}/upload-bytes/${first.key}`, bytes, tus)
  for (;;) {
    const again = await ask('POST', `${job}/uploads`, { files: [file] })
    const [now] = again.data as Upload[]
    if (now && now.state !== 'receiving' && now.state !== 'received') {
      return { status: 200, says: now.refusal ?? now.state, imageId: now.imageId }
    }
    await pause(50)
  }
}

type Hostile = { readonly name: string; readonly bytes: Buffer; readonly kind: 'list' | 'picture' }

/** Every hostile file once, then larger ones, up to the count. */
const makeCorpus = async (): Promise<Hostile[]> => {
  const lists = Object.entries(hostileLists).map(([name, make]) => ({ name, make, kind: 'list' as const }))
  const pictures = Object.entries(hostileImages).map(([name, make]) => ({ name, make, kind: 'picture' as const }))
  const kinds = Array.from({ length: Math.max(lists.length, pictures.length) }, (_, at) => [
    lists[at],
    pictures[at],
  ]).flat()
  const present = kinds.filter((kind) => kind !== undefined)
  const corpus: Hostile[] = []
  for (let at = 0; at < count; at += 1) {
    const kind = present[at % present.length]
    const size = 1 + (Math.floor(at / present.length) % 4)
    if (kind) corpus.push({ name: `${kind.name} ${at}`, kind: kind.kind, bytes: await kind.make(size) })
  }
  return corpus
}

const send = async (studio: Studio, file: Hostile, target: { imageId: number; turn: number }): Promise<Answered> => {
  const { ask, job } = studio
  if (file.kind === 'list') return says(await ask('POST', `${job}/imports`, formOf(file.name, file.bytes)))
  const ways = [
    () => upload(studio, file),
    async () => says(await ask('PUT', `${studio.studio}/logo`, formOf(file.name, file.bytes))),
    async () => {
      const fields = { 'ImageMigrationSettings[0].ImageId': String(target.imageId) }
      const answer = await ask('PATCH', `${job}/image-lookups/bulk-replace`, formOf(file.name, file.bytes, fields))
      const [replaced] = (answer.data ?? []) as { newImageId: number | null; problem: string | null }[]
      if (replaced?.newImageId) target.imageId = replaced.newImageId
      return { status: answer.status, says: replaced?.problem ?? answer.errors.join(' ') }
    },
  ]
  return (await ways[target.turn % ways.length]?.()) ?? { status: 0, says: 'nothing was sent' }
}

describe.each(enginesFor(import.meta.filename))(
  'hostile files on $name',
  { timeout: 3_600_000 },
  ({ name: engine }) => {
    it(`${count} hostile files from a stranger are each answered, and others do not wait`, async () => {
      const corpus = await makeCorpus()
      const product = await startEmptyProduct({
        server: engine === 'postgres' ? process.env.TEST_DATABASE_URL : undefined,
        starts: 1,
      })
      onTestFinished(() => product.remove())
      const studio = await startStudio(product.url)
      const good = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#864' } })
        .jpeg()
        .toBuffer()
      const first = await upload(studio, { name: 'good', bytes: good, kind: 'picture' })
      if (first.imageId === null) throw new Error(first.says)
      const warm = await send(
        studio,
        { name: 'a.csv', kind: 'list', bytes: Buffer.from('First,Last\nAda,Lovelace') },
        { imageId: 0, turn: 0 },
      )
      expect(warm.status).toBe(200)

      const poller = new Worker(new URL('./health-poller.ts', import.meta.url), { workerData: product.url })
      const before = residentBytes(product.pid)
      const target = { imageId: first.imageId, turn: 0 }
      const slowest = { name: '', ms: 0 }
      const peak = await peakResidentBytes(product.pid, async () => {
        for (const file of corpus) {
          const start = performance.now()
          const answer = await send(studio, file, target)
          const ms = performance.now() - start
          if (file.kind === 'picture') target.turn += 1
          if (ms > slowest.ms) Object.assign(slowest, { name: file.name, ms })
          expect(answer.status, `${file.name}: ${answer.says}`).toBeLessThan(500)
          expect(answer.says, file.name).not.toContain('An error occurred')
        }
      })
      poller.postMessage('stop')
      const [waits] = (await once(poller, 'message')) as [number[]]
      const longest = Math.max(...waits)
      const grown = Math.round((peak - before) / megabyte)
      process.stdout.write(
        `  ${count} hostile files on ${engine}: health waited ${Math.round(longest)} ms at the most of ${waits.length} answers, ${grown} MB more at the peak, ${Math.round((residentBytes(product.pid) - before) / megabyte)} MB after; the slowest file took ${Math.round(slowest.ms)} ms (${slowest.name})\n`,
      )
      expect(slowest.ms).toBeLessThan(15_000)
      expect(grown).toBeLessThan(200)
      // Timings are only meaningful where nothing else runs.
      expect(longest).toBeLessThan(isLong ? 250 : 2_000)
      expect(product.errors()).toEqual([])
    })
  },
)
