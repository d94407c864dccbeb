import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { imagesInPages } from '../../contract/customer-lists.ts'
import { listImagesOf } from '../admission/list-images.ts'
import type { Deps } from '../deps.ts'
import { listOrPage } from '../http/list-or-page.ts'
import { mount, sendAnswer } from '../http/mount.ts'
import { answerOf, problem } from '../http/problem.ts'
import { sessionHashOf } from '../http/sessions.ts'
import { formatAccepted, variantKey } from '../pictures/variant-files.ts'
import { findPhoto, readAddress } from './find-photo.ts'
import { contentTypes } from './picture-files.ts'

type PhotoParams = { grantId: string; imageId: string; file: string }

/** One answer for a wrong address, somebody else's picture and a grant withdrawn. */
const noPhoto = (reply: FastifyReply): FastifyReply =>
  sendAnswer(reply.header('vary', 'Accept'), answerOf(problem('not-found')))

const openPhoto = async (deps: Deps, request: FastifyRequest<{ Params: PhotoParams }>) => {
  const asked = readAddress(request.params)
  const session = sessionHashOf(request)
  if (!asked || !session) return undefined
  const originalKey = await findPhoto(deps.db, session, { asked, now: deps.clock() })
  if (originalKey === undefined) return undefined
  const format = formatAccepted(request.headers.accept)
  const read = await deps.files.read(variantKey(originalKey, { ...asked, format }))
  if (read.outcome === 'opened') return { format, size: read.size, body: read.body }
  deps.log.error({ key: originalKey, variant: asked.variant }, 'a variant that the database names is not in the store')
  return undefined
}

/** A person's pictures: their list, and each by its address (section 8). */
export const mountPhotos = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, imagesInPages, async ({ params: { subjectId }, query, session, job }) => {
    const wanted = { subjectId, now: deps.clock(), replacements: query.replacements === '1' }
    const images = await listImagesOf(deps.db, { session, job }, wanted)
    return typeof images === 'string' ? problem(images) : listOrPage(images, query, ({ name }) => [name])
  })
  app.get<{ Params: PhotoParams }>('/photos/:grantId/:imageId/:file', async (request, reply) => {
    const photo = await openPhoto(deps, request)
    if (!photo) return noPhoto(reply)
    return reply
      .type(contentTypes[photo.format])
      .header('content-length', String(photo.size))
      .header('cache-control', 'private, no-store')
      .header('vary', 'Accept')
      .header('x-content-type-options', 'nosniff')
      .send(photo.body)
  })
}
