import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Permission } from '#contract/shapes/call.ts'
import type { Upload } from '#contract/studio/uploads.ts'
import type { Deps } from '#server/deps.ts'
import { processUpload } from '#server/images/uploads/process-upload.ts'
import type { Files } from '#server/ports/files.ts'
import type { TestDatabase } from '#support/database/test-database.ts'
import { signToken } from '#support/server/sign-token.ts'
import { manualClock, recordingQueue, testApp, testDeps } from '#support/server/test-app.ts'
import { createCartFixtures } from '../../carts/cart-fixtures.ts'

type Own = { permissions?: readonly Permission[]; studioId?: number | null; jobId?: number }
type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'HEAD'

/** A file as a browser holds it. */
export type TestFile = { fileName: string; bytes: Buffer }

export const fingerprintOf = ({ fileName, bytes }: TestFile): string =>
  createHash('sha256').update(fileName).update(bytes).digest('hex').slice(0, 32)

/** Staff of a shop's studio: sends requests, uploads files, and runs the queued jobs. */
export const createUploadFixtures = async (
  database: TestDatabase,
  wrap: (files: Files) => Files = (files) => files,
) => {
  const time = manualClock()
  const { jobs, enqueue } = recordingQueue()
  const plain = testDeps(database, time)
  const deps: Deps = { ...plain, jobs: { enqueue }, files: wrap(plain.files) }
  const app = await testApp(deps)
  const shop = await createCartFixtures(deps)
  const { studioId, jobId } = shop
  const organization = { studio_id: studioId, name: 'Lincoln', type: 'school' as const }
  const { id: organizationId } = await deps.db
    .insertInto('organizations')
    .values(organization)
    .returning('id')
    .executeTakeFirstOrThrow()
  await deps.db.updateTable('jobs').set({ organization_id: organizationId }).where('id', '=', jobId).execute()
  const account = {
    email: 'staff@riverside.test',
    name: 'Staff',
    role: 'staff' as const,
    studio_id: studioId,
    password_hash: 'x',
  }
  const { id: userId } = await deps.db.insertInto('users').values(account).returning('id').executeTakeFirstOrThrow()

  const tokenOf = async ({ permissions = ['studio.crud'], studioId: of = studioId }: Own = {}) => {
    const user = { id: userId, name: 'Staff', email: account.email, permissions, studioId: of }
    return (await signToken(deps, user)).token
  }
  const at = (path: string, { jobId: job = jobId }: Own = {}) =>
    `/api/studioadmin/studios/${studioId}/jobs/${job}/${path}`
  const ask = async (
    method: Method,
    url: string,
    { payload, by = {}, app: to = app }: { payload?: object; by?: Own; app?: FastifyInstance } = {},
  ) => {
    const headers = { authorization: `Bearer ${await tokenOf(by)}` }
    const answer = await to.inject({ method, url, headers, ...(payload && { payload }) })
    return { status: answer.statusCode, ...(answer.body ? answer.json() : {}) }
  }

  const announce = async (files: readonly TestFile[], more: object = {}): Promise<Upload[]> => {
    const announced = files.map((file) => ({
      fileName: file.fileName,
      byteSize: file.bytes.length,
      fingerprint: fingerprintOf(file),
    }))
    const answer = await ask('POST', at('uploads'), { payload: { files: announced, ...more } })
    if (answer.status !== 200) throw new Error(JSON.stringify(answer))
    return answer.data
  }
  const tus = async (
    method: 'HEAD' | 'PATCH',
    key: string,
    {
      bytes,
      offset,
      by = {},
      app: to = app,
    }: { bytes?: Buffer; offset?: number; by?: Own; app?: FastifyInstance } = {},
  ) => {
    const headers = {
      authorization: `Bearer ${await tokenOf(by)}`,
      'tus-resumable': '1.0.0',
      ...(bytes && { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset ?? 0) }),
    }
    const answer = await to.inject({
      method,
      url: at(`upload-bytes/${key}`),
      headers,
      ...(bytes && { payload: bytes }),
    })
    return { status: answer.statusCode, offset: Number(answer.headers['upload-offset'] ?? -1) }
  }
  /** Processes all waiting uploads; the jobs they enqueue stay queued. */
  const takeIn = async () => {
    const waiting = jobs.filter(({ name }) => name === 'process-upload')
    jobs.splice(0, jobs.length, ...jobs.filter(({ name }) => name !== 'process-upload'))
    for (const { payload } of waiting) await processUpload(deps, payload, `studios/${studioId}/images/${deps.newId()}`)
  }
  /** Sends whole files and processes them. */
  const upload = async (files: readonly TestFile[], more: object = {}) => {
    const uploads = await announce(files, more)
    for (const [n, { key, state }] of uploads.entries()) {
      if (state === 'receiving') await tus('PATCH', key, { bytes: files[n]?.bytes ?? Buffer.alloc(0), offset: 0 })
    }
    await takeIn()
    return await announce(files, more)
  }
  /** The uploaded images; the shop has some of its own. */
  const images = () =>
    deps.db
      .selectFrom('image_lookups')
      .selectAll()
      .where('studio_id', '=', studioId)
      .where('original_key', '!=', 'a')
      .orderBy('id')
      .execute()
  return {
    ...shop,
    deps,
    app,
    time,
    jobs,
    organizationId,
    userId,
    ask,
    at,
    announce,
    tus,
    takeIn,
    upload,
    images,
    tokenOf,
  }
}
export type UploadFixtures = Awaited<ReturnType<typeof createUploadFixtures>>
