import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Permission } from '#contract/shapes/call.ts'
import type { Upload } from '#contract/studio/uploads.ts'
import type { Deps } from '#server/deps.ts'
import { processUpload } from '#server/images/uploads/process-upload.ts'
import type { Files } from '#server/ports/files.ts'
import type { TestDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { signToken } from '#support/server/sign-token.ts'
import { manualClock, recordingQueue, testApp, testDeps } from '#support/server/test-app.ts'
import { createCartFixtures } from '#tests/server/carts/cart-fixtures.ts'

type Caller = { permissions?: readonly Permission[]; studioId?: number | null; jobId?: number }
type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'HEAD'

/** A file as a browser holds it. */
export type TestFile = { fileName: string; bytes: Buffer }

export const fingerprintOf = ({ fileName, bytes }: TestFile): string =>
  createHash('sha256').update(fileName).update(bytes).digest('hex').slice(0, 32)

/** A studio, and functions with which its staff send requests, upload files and process the uploads. */
export const createUploadFixtures = async (
  database: TestDatabase,
  wrap: (files: Files) => Files = (files) => files,
) => {
  const time = manualClock()
  const { jobs, enqueue } = recordingQueue()
  const defaultDeps = testDeps(database, time)
  const deps: Deps = { ...defaultDeps, jobs: { enqueue }, files: wrap(defaultDeps.files) }
  const app = await testApp(deps)
  const fixtures = await createCartFixtures(deps)
  const { studioId, jobId } = fixtures
  const organizationId = await given(deps).organization(studioId, { name: 'Lincoln' })
  await deps.db.updateTable('jobs').set({ organization_id: organizationId }).where('id', '=', jobId).execute()
  const account = await given(deps).user(studioId, { email: 'staff@riverside.test', name: 'Staff' })
  const { id: userId } = account

  const tokenOf = async ({ permissions = ['studio.crud'], studioId: tokenStudioId = studioId }: Caller = {}) => {
    const user = { ...account, permissions, studioId: tokenStudioId }
    return (await signToken(deps, user)).token
  }
  const jobUrl = (path: string, { jobId: urlJobId = jobId }: Caller = {}) =>
    `/api/studioadmin/studios/${studioId}/jobs/${urlJobId}/${path}`
  const request = async (
    method: Method,
    url: string,
    { payload, caller = {}, app: targetApp = app }: { payload?: object; caller?: Caller; app?: FastifyInstance } = {},
  ) => {
    const headers = { authorization: `Bearer ${await tokenOf(caller)}` }
    const answer = await targetApp.inject({ method, url, headers, ...(payload && { payload }) })
    return { status: answer.statusCode, ...(answer.body ? answer.json() : {}) }
  }

  const announce = async (files: readonly TestFile[], options: object = {}): Promise<Upload[]> => {
    const announced = files.map((file) => ({
      fileName: file.fileName,
      byteSize: file.bytes.length,
      fingerprint: fingerprintOf(file),
    }))
    const answer = await request('POST', jobUrl('uploads'), { payload: { files: announced, ...options } })
    if (answer.status !== 200) throw new Error(JSON.stringify(answer))
    return answer.data
  }
  const tus = async (
    method: 'HEAD' | 'PATCH',
    key: string,
    {
      bytes,
      offset,
      caller = {},
      app: targetApp = app,
    }: { bytes?: Buffer; offset?: number; caller?: Caller; app?: FastifyInstance } = {},
  ) => {
    const headers = {
      authorization: `Bearer ${await tokenOf(caller)}`,
      'tus-resumable': '1.0.0',
      ...(bytes && { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset ?? 0) }),
    }
    const answer = await targetApp.inject({
      method,
      url: jobUrl(`upload-bytes/${key}`),
      headers,
      ...(bytes && { payload: bytes }),
    })
    return { status: answer.statusCode, offset: Number(answer.headers['upload-offset'] ?? -1) }
  }
  /** Processes all waiting uploads; the jobs they enqueue stay queued. */
  const processUploads = async () => {
    const waitingJobs = jobs.filter(({ name }) => name === 'process-upload')
    jobs.splice(0, jobs.length, ...jobs.filter(({ name }) => name !== 'process-upload'))
    for (const { payload } of waitingJobs)
      await processUpload(deps, payload, `studios/${studioId}/images/${deps.newId()}`)
  }
  /** Sends complete files and processes them. */
  const upload = async (files: readonly TestFile[], options: object = {}) => {
    const uploads = await announce(files, options)
    for (const [n, { key, state }] of uploads.entries()) {
      if (state === 'receiving') await tus('PATCH', key, { bytes: files[n]?.bytes ?? Buffer.alloc(0), offset: 0 })
    }
    await processUploads()
    return await announce(files, options)
  }
  /** The uploaded images, without those that the fixtures add. */
  const images = () =>
    deps.db
      .selectFrom('image_lookups')
      .selectAll()
      .where('studio_id', '=', studioId)
      .where('original_key', '!=', 'a')
      .orderBy('id')
      .execute()
  return {
    ...fixtures,
    deps,
    app,
    time,
    jobs,
    organizationId,
    userId,
    request,
    jobUrl,
    announce,
    tus,
    processUploads,
    upload,
    images,
    tokenOf,
  }
}
export type UploadFixtures = Awaited<ReturnType<typeof createUploadFixtures>>
