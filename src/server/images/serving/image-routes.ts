import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { listImages } from '#contract/customer/paged-lists.ts'
import { checkImages } from '#contract/customer/session-calls.ts'
import { sessionTokenHash } from '#server/access/sessions/sessions.ts'
import type { Deps } from '#server/deps.ts'
import { addImagesVersion, mount, sendAnswer } from '#server/http/mount.ts'
import { paginateList } from '#server/http/paging/paginate-list.ts'
import { answerOf, problem } from '#server/http/problem.ts'
import { signatureFromQuery, type UrlSignature } from '#server/http/sign-url.ts'
import { blurImage } from '../engine/blur-image.ts'
import type { Variant } from '../engine/image-variants.ts'
import { contentTypes } from '../store/image-files.ts'
import { listSubjectImages } from '../store/list-subject-images.ts'
import { signedImageSight } from '../store/staff-image-url.ts'
import { acceptedFormat, type VariantFormat, variantKey } from '../store/variant-files.ts'
import {
  type FoundVariant,
  findImageFile,
  findStaffImageFile,
  findWithdrawn,
  parseImageUrl,
  parseStaffImageUrl,
} from './find-image-file.ts'

type CustomerParams = { grantId: string; imageId: string; file: string }
type StaffParams = { studioId: string; imageId: string; file: string }
type VariantRequest = FoundVariant & {
  readonly variant: Variant
  /** For administrators whose access does not include photos of children. */
  readonly isBlurred?: boolean
}
type FindVariant = () => Promise<VariantRequest | undefined>

/** The same response for a wrong URL, another customer's image and a revoked grant. */
const sendNotFound = (reply: FastifyReply): FastifyReply =>
  sendAnswer(reply.header('vary', 'Accept'), answerOf(problem('not-found')))

type OpenedVariant = { format: VariantFormat; size: number; body: Readable | Buffer }

const openVariant = async (
  deps: Deps,
  accept: string | undefined,
  request: VariantRequest,
): Promise<OpenedVariant | undefined> => {
  const { originalKey, variant, hash, isBlurred } = request
  const format = acceptedFormat(accept)
  const opened = await deps.files.read(variantKey(originalKey, { variant, hash, format }))
  if (opened.outcome !== 'opened') {
    // Small images, and those processed by earlier versions, have no small preview.
    return variant === 'preview-900' ? await openVariant(deps, accept, { ...request, variant: 'preview' }) : undefined
  }
  if (!isBlurred) return { format, size: opened.size, body: opened.body }
  const body = await blurImage(opened.body, format)
  return { format, size: body.length, body }
}

/** Opens a variant. A file that was removed because the image just got a new one is looked up again. */
const openFound = async (deps: Deps, accept: string | undefined, find: FindVariant) => {
  const variant = await find()
  if (!variant) return undefined
  const opened = await openVariant(deps, accept, variant)
  if (opened) return opened
  const latest = await find()
  const reopened = latest && latest.hash !== variant.hash ? await openVariant(deps, accept, latest) : undefined
  if (!reopened) deps.log.error({ ...variant }, 'a variant that the database names is not in the store')
  return reopened
}

const sendVariant = async (
  deps: Deps,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  find: FindVariant,
): Promise<FastifyReply> => {
  const opened = await openFound(deps, request.headers.accept, find)
  if (!opened) return sendNotFound(reply)
  return reply
    .type(contentTypes[opened.format])
    .header('content-length', String(opened.size))
    .header('cache-control', 'private, no-store')
    .header('vary', 'Accept')
    .header('x-content-type-options', 'nosniff')
    .send(opened.body)
}

const findForCustomer = async (
  deps: Deps,
  request: FastifyRequest<{ Params: CustomerParams }>,
): Promise<VariantRequest | undefined> => {
  const image = parseImageUrl(request.params)
  const session = sessionTokenHash(request)
  if (!image || !session) return undefined
  const found = await findImageFile(deps.db, session, { request: image, now: deps.clock() })
  return found && { ...found, variant: image.variant }
}

const findForStaff = async (
  deps: Deps,
  request: FastifyRequest<{ Params: StaffParams; Querystring: Partial<UrlSignature> }>,
): Promise<VariantRequest | undefined> => {
  const image = parseStaffImageUrl(request.params)
  const sight = image && (await signedImageSight(deps, image, signatureFromQuery(request.query)))
  if (!image || !sight) return undefined
  const found = await findStaffImageFile(deps.db, image)
  return found && { ...found, variant: image.variant, isBlurred: sight === 'blurred' }
}

/** Mounts the routes of images: the list of a subject's images, and each image by its URL. */
export const mountImages = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, listImages, async ({ params: { subjectId }, query, session, job }) => {
    const imagesQuery = { subjectId, now: deps.clock(), replacements: query.replacements === '1' }
    const images = await listSubjectImages(deps.db, { session, job }, imagesQuery)
    return typeof images === 'string' ? problem(images) : paginateList(images, query, ({ name }) => [name])
  })
  // The call only reads, so a repeated request is evaluated again.
  mount(
    app,
    deps,
    checkImages,
    async ({ body, session }) => ({
      withdrawn: await findWithdrawn(deps.db, session, { paths: body.photos, now: deps.clock() }),
    }),
    { repetition: 'unrecorded' },
  )
  app.get<{ Params: CustomerParams }>('/photos/:grantId/:imageId/:file', async (request, reply) => {
    return await sendVariant(deps, { request, reply }, async () => {
      const variant = await findForCustomer(deps, request)
      if (!variant) await addImagesVersion(deps, request, reply)
      return variant
    })
  })
  app.get<{ Params: StaffParams; Querystring: Partial<UrlSignature> }>(
    '/photos/staff/:studioId/:imageId/:file',
    async (request, reply) => sendVariant(deps, { request, reply }, () => findForStaff(deps, request)),
  )
}
