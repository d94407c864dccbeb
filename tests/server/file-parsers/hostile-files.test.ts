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

type Request = (
  method: string,
  path: string,
  body?: object | FormData | Buffer,
  headers?: Record<string, string>,
) => Promise<{
  status: number
  data: never
  errors: readonly string[]
}>

/** Creates a studio through the public setup, with a job. */
const startStudio = async (url: string) => {
  let token = ''
  const request: Request = async (method, path, body, headers = {}) => {
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
  const createdStudio = await request('POST', 'auth/setup', { studioName: 'Northlight', slug: 'northlight', ...owner })
  if (createdStudio.status !== 200) throw new Error(createdStudio.errors.join(' '))
  token = (createdStudio.data as { token: string }).token
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { studio_id: number } // signed by the server
  const studio = `studioadmin/studios/${claims.studio_id}`
  const organization = await request('POST', `${studio}/organizations`, { name: 'Lincoln', type: 'school' })
  const organizationId = (organization.data as { id: number }).id
  const job = await request('POST', `${studio}/jobs`, { organizationId, name: 'Spring', prepay: true, gallery: false })
  if (job.status !== 200) throw new Error(job.errors.join(' '))
  const jobPath = `jobs/${(job.data as { id: number }).id}`
  const images = `${studio}/organizations/${organizationId}/${jobPath}/imagelookups`
  return { request, studio, job: `${studio}/${jobPath}`, images }
}

const formOf = (fileName: string, bytes: Buffer, fields: Record<string, string> = {}): FormData => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('File', new File([new Uint8Array(bytes)], fileName))
  return form
}

type Studio = Awaited<ReturnType<typeof startStudio>>
type Answer = { status: number; message: string }

const toAnswer = ({ status, errors }: { status: number; errors: readonly string[] }): Answer => ({
  status,
  message: errors.join(' '),
})

/** Announces an image, sends its bytes, and waits until it is processed. */
const upload = async (
  { request, job }: Studio,
  { name, bytes }: Hostile,
): Promise<Answer & { imageId: number | null }> => {
  const file = {
    fileName: `${name}.jpg`,
    byteSize: bytes.length,
    fingerprint: `hostile-${name.replace(/\W+/g, '-')}`.slice(0, 100),
  }
  const announced = await request('POST', `${job}/uploads`, { files: [file] })
  const [firstUpload] = announced.data as Upload[]
  if (!firstUpload) return { ...toAnswer(announced), imageId: null }
  const tus = { 'tus-resumable': '1.0.0', 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' }
  await request('PATCH', `${job}/upload-bytes/${firstUpload.key}`, bytes, tus)
  for (;;) {
    const repeated = await request('POST', `${job}/uploads`, { files: [file] })
    const [current] = repeated.data as Upload[]
    if (current && current.state !== 'receiving' && current.state !== 'received') {
      return { status: 200, message: current.refusal ?? current.state, imageId: current.imageId }
    }
    await pause(50)
  }
}

type Hostile = { readonly name: string; readonly bytes: Buffer; readonly kind: 'list' | 'image' }

/** The hostile files in turn, and then larger versions of them, up to `count`. */
const makeCorpus = async (): Promise<Hostile[]> => {
  const lists = Object.entries(hostileLists).map(([name, make]) => ({ name, make, kind: 'list' as const }))
  const images = Object.entries(hostileImages).map(([name, make]) => ({ name, make, kind: 'image' as const }))
  const kinds = Array.from({ length: Math.max(lists.length, images.length) }, (_, index) => [
    lists[index],
    images[index],
  ]).flat()
  const hostileFiles = kinds.filter((kind) => kind !== undefined)
  const corpus: Hostile[] = []
  for (let at = 0; at < count; at += 1) {
    const kind = hostileFiles[at % hostileFiles.length]
    const size = 1 + (Math.floor(at / hostileFiles.length) % 4)
    if (kind) corpus.push({ name: `${kind.name} ${at}`, kind: kind.kind, bytes: await kind.make(size) })
  }
  return corpus
}

const send = async (studio: Studio, file: Hostile, target: { imageId: number; turn: number }): Promise<Answer> => {
  const { request, job, images } = studio
  if (file.kind === 'list') return toAnswer(await request('POST', `${job}/imports`, formOf(file.name, file.bytes)))
  const uploadKinds = [
    () => upload(studio, file),
    async () => toAnswer(await request('PUT', `${studio.studio}/logo`, formOf(file.name, file.bytes))),
    async () => {
      const fields = { 'ImageMigrationSettings[0].ImageId': String(target.imageId) }
      const answer = await request('PATCH', `${images}/bulk-replace`, formOf(file.name, file.bytes, fields))
      const [replaced] = (answer.data ?? []) as { newImageId: number | null; problem: string | null }[]
      if (replaced?.newImageId) target.imageId = replaced.newImageId
      return { status: answer.status, message: replaced?.problem ?? answer.errors.join(' ') }
    },
  ]
  return (await uploadKinds[target.turn % uploadKinds.length]?.()) ?? { status: 0, message: 'nothing was sent' }
}

describe.each(enginesFor(import.meta.filename))(
  'hostile files on $name',
  { timeout: 3_600_000 },
  ({ name: engine }) => {
    it(`${count} hostile files of one studio are each answered, and other requests do not wait`, async () => {
      const corpus = await makeCorpus()
      const product = await startEmptyProduct({
        server: engine === 'postgres' ? process.env.TEST_DATABASE_URL : undefined,
        starts: 1,
      })
      onTestFinished(() => product.remove())
      const studio = await startStudio(product.url)
      const goodImage = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#864' } })
        .jpeg()
        .toBuffer()
      const firstUpload = await upload(studio, { name: 'good', bytes: goodImage, kind: 'image' })
      if (firstUpload.imageId === null) throw new Error(firstUpload.message)
      const warmUp = await send(
        studio,
        { name: 'a.csv', kind: 'list', bytes: Buffer.from('First,Last\nAda,Lovelace') },
        { imageId: 0, turn: 0 },
      )
      expect(warmUp.status).toBe(200)

      const poller = new Worker(new URL('./health-poller.ts', import.meta.url), { workerData: product.url })
      const before = residentBytes(product.pid)
      const target = { imageId: firstUpload.imageId, turn: 0 }
      const slowest = { name: '', ms: 0 }
      const peak = await peakResidentBytes(product.pid, async () => {
        for (const file of corpus) {
          const start = performance.now()
          const answer = await send(studio, file, target)
          const ms = performance.now() - start
          if (file.kind === 'image') target.turn += 1
          if (ms > slowest.ms) Object.assign(slowest, { name: file.name, ms })
          expect(answer.status, `${file.name}: ${answer.message}`).toBeLessThan(500)
          expect(answer.status, file.name).not.toBe(404)
          expect(answer.message, file.name).not.toContain('An error occurred')
        }
      })
      poller.postMessage('stop')
      const [durations] = (await once(poller, 'message')) as [number[]]
      const longestMs = Math.max(...durations)
      const grownMegabytes = Math.round((peak - before) / megabyte)
      process.stdout.write(
        `  ${count} hostile files on ${engine}: health waited ${Math.round(longestMs)} ms at the most of ${durations.length} answers, ${grownMegabytes} MB more at the peak, ${Math.round((residentBytes(product.pid) - before) / megabyte)} MB after; the slowest file took ${Math.round(slowest.ms)} ms (${slowest.name})\n`,
      )
      expect(slowest.ms).toBeLessThan(15_000)
      expect(grownMegabytes).toBeLessThan(200)
      // Timings are only meaningful if nothing else runs on the machine.
      expect(longestMs).toBeLessThan(isLong ? 250 : 2_000)
      expect(product.errors()).toEqual([])
    })
  },
)
