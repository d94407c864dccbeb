import { Server } from '@tus/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { object, pattern, string } from 'superstruct'
import { staff, studioJobParams } from '#contract/shapes/staff-call.ts'
import {
  getUploadProgress,
  getUploadStates,
  listUploads,
  postUploads,
  removeUpload,
  uploadBytesPath,
} from '#contract/studio/uploads.ts'
import { maxUploadBytes } from '#domain/shared/file-size.ts'
import { authorize } from '#server/access/authorization/authorize.ts'
import type { Deps } from '#server/deps.ts'
import { mount, sendAnswer } from '#server/http/mount.ts'
import { parseRequestPart } from '#server/http/parse-request-part.ts'
import { answerOf, Problem, problem } from '#server/http/problem.ts'
import { jobExists } from '#server/jobs/store/find-job.ts'
import { createUploads } from './create-uploads.ts'
import { discardUpload } from './purge-uploads.ts'
import { listUploadsOf, readUploadProgress, readUploadsById } from './read-uploads.ts'
import { tusId, UploadPartsStore } from './upload-parts-store.ts'

const BytesParams = object({ ...studioJobParams, key: pattern(string(), /^[0-9a-f]{32}$/) })

/** Returns the tus id of the requested upload. Any staff of the studio may upload, but only into the studio's own uploads. */
const authorizeUpload = async (deps: Deps, request: FastifyRequest): Promise<string | Problem> => {
  const params = parseRequestPart(request.params, BytesParams)
  if (params instanceof Problem) return problem('not-found')
  const caller = await authorize(deps, { ...postUploads, who: staff }, { request, params: params.value })
  return caller instanceof Problem ? caller : tusId(params.value)
}

const tusServer = (deps: Deps): Server =>
  new Server({
    path: '/upload-bytes',
    datastore: new UploadPartsStore(deps),
    maxSize: maxUploadBytes,
    // Only pages of the same origin may upload.
    allowedOrigins: [],
    // An interrupted connection is noticed late. A resumed upload waits only this long for its lock.
    lockDrainTimeout: 500,
    getFileIdFromRequest: ({ url }) => {
      const [, studioId, jobId, key] =
        /\/studios\/(\d+)\/jobs\/(\d+)\/upload-bytes\/([0-9a-f]{32})$/.exec(new URL(url).pathname) ?? []
      return key && tusId({ studioId: Number(studioId), jobId: Number(jobId), key })
    },
    onResponseError: (_request, error) => {
      if ('status_code' in error) return undefined
      deps.log.error({ err: error }, 'a part of an upload could not be stored')
      return { status_code: 500, body: 'An error occurred\n' }
    },
  })

/** Mounts the calls that transfer the bytes by tus, which reads the request instead of Fastify. */
const mountBytes = async (app: FastifyInstance, deps: Deps): Promise<void> => {
  const tus = tusServer(deps)
  const handle = async (request: FastifyRequest, reply: FastifyReply) => {
    const id = await authorizeUpload(deps, request)
    if (id instanceof Problem) return sendAnswer(reply, answerOf(id))
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) reply.raw.setHeader(name, value)
    reply.hijack()
    await tus.handle(request.raw, reply.raw)
  }
  await app.register(async (scope) => {
    scope.addContentTypeParser('application/offset+octet-stream', (_request, _body, done) => done(null))
    scope.route({ method: ['HEAD', 'PATCH'], url: uploadBytesPath, handler: handle })
  })
}

/** Mounts the routes to upload images into a job. */
export const mountUploads = async (app: FastifyInstance, deps: Deps): Promise<void> => {
  mount(app, deps, postUploads, ({ params: job, body, user }) => createUploads(deps, { job, user, input: body }))
  mount(app, deps, listUploads, async ({ params: job, query }) =>
    (await jobExists(deps.db, job)) ? listUploadsOf(deps.db, job, query) : problem('not-found'),
  )
  mount(app, deps, getUploadStates, async ({ params: job, query: { ids } }) =>
    (await jobExists(deps.db, job)) ? readUploadsById(deps.db, job, ids.split(',').map(Number)) : problem('not-found'),
  )
  mount(app, deps, getUploadProgress, async ({ params: job }) =>
    (await jobExists(deps.db, job)) ? readUploadProgress(deps.db, job) : problem('not-found'),
  )
  mount(app, deps, removeUpload, async ({ params: { id, ...job } }) => (await discardUpload(deps, job, id)) ?? {})
  await mountBytes(app, deps)
}
