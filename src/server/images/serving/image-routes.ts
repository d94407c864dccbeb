import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { checkImages } from '#contract/customer/check-images.ts'
import { pagedImages } from '#contract/customer/paged-lists.ts'
import { sessionTokenHash } from '#server/access/sessions/sessions.ts'
import type { Deps } from '#server/deps.ts'
import { addImagesVersion, mount, sendAnswer } from '#server/http/mount.ts'
import { paginateList } from '#server/http/paging/paginate-list.ts'
import { answerOf, problem } from '#server/http/problem.ts'
import { sealIn, type UrlSignature } from '#server/http/sign-url.ts'
import type { Variant } from '../engine/image-variants.ts'
import { contentTypes } from '../store/image-files.ts'
import { listSubjectImages } from '../store/list-subject-images.ts'
import { isSignedStaffImageUrl } from '../store/staff-image-url.ts'
import { acceptedFormat, variantKey } from '../store/variant-files.ts'
import {
  findImageFile,
  findStaffImageFile,
  findWithdrawn,
  parseImageUrl,
  parseStaffImageUrl,
} from './find-image-file.ts'

type PhotoParams = { grantId: string; imageId: string; file: string }
type StaffParams = { studioId: string; imageId: string; file: string }
type VariantRequest = { readonly originalKey: string; readonly variant: Variant; readonly hash: string }

/** One answer for a wrong URL, another customer's image and a revoked grant. */
const noPhoto = (reply: FastifyReply): FastifyReply =>
  sendAnswer(reply.header('vary', 'Accept'), answerOf(problem('not-found')))

const openPhoto = async (deps: Deps, accept: string | undefined, { originalKey, variant, hash }: VariantRequest) => {
  const format = acceptedFormat(accept)
  const read = await deps.files.read(variantKey(originalKey, { variant, hash, format }))
  if (read.outcome === 'opened') return { format, size: read.size, body: read.body }
  deps.log.error({ key: originalKey, variant }, 'a variant that the database names is not in the store')
  return undefined
}

const sendPhoto = async (
  deps: Deps,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  found: VariantRequest | undefined,
): Promise<FastifyReply> => {
  const photo = found && (await openPhoto(deps, request.headers.accept, found))
  if (!photo) return noPhoto(reply)
  return reply
    .type(contentTypes[photo.format])
    .header('content-length', String(photo.size))
    .header('cache-control', 'private, no-store')
    .header('vary', 'Accept')
    .header('x-content-type-options', 'nosniff')
    .send(photo.body)
}

const findForCustomer = async (
  deps: Deps,
  request: FastifyRequest<{ Params: PhotoParams }>,
): Promise<VariantRequest | undefined> => {
  const asked = parseImageUrl(request.params)
  const session = sessionTokenHash(request)
  if (!asked || !session) return undefined
  const originalKey = await findImageFile(deps.db, session, { request: asked, now: deps.clock() })
  return originalKey === undefined ? undefined : { ...asked, originalKey }
}

const findForStaff = async (
  deps: Deps,
  request: FastifyRequest<{ Params: StaffParams; Querystring: Partial<UrlSignature> }>,
): Promise<VariantRequest | undefined> => {
  const asked = parseStaffImageUrl(request.params)
  if (!asked || !(await isSignedStaffImageUrl(deps, asked, sealIn(request.query)))) return undefined
  const originalKey = await findStaffImageFile(deps.db, asked)
  return originalKey === undefined ? undefined : { ...asked, originalKey }
}

/** Routes of a subject's images: their list, and each by its URL (section 8). */
export const mountImages = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, pagedImages, async ({ params: { subjectId }, query, session, job }) => {
    const wanted = { subjectId, now: deps.clock(), replacements: query.replacements === '1' }
    const images = await listSubjectImages(deps.db, { session, job }, wanted)
    return typeof images === 'string' ? problem(images) : paginateList(images, query, ({ name }) => [name])
  })
  // Read only: a repeated request is evaluated again.
  mount(
    app,
    deps,
    checkImages,
    async ({ body, session }) => ({
      withdrawn: await findWithdrawn(deps.db, session, { paths: body.photos, now: deps.clock() }),
    }),
    { repetition: 'unkept' },
  )
  app.get<{ Params: PhotoParams }>('/photos/:grantId/:imageId/:file', async (request, reply) => {
    const found = await findForCustomer(deps, request)
    if (!found) await addImagesVersion(deps, request, reply)
    return await sendPhoto(deps, { request, reply }, found)
  })
  app.get<{ Params: StaffParams; Querystring: Partial<UrlSignature> }>(
    '/photos/staff/:studioId/:imageId/:file',
    async (request, reply) => sendPhoto(deps, { request, reply }, await findForStaff(deps, request)),
  )
}
