import type { FastifyInstance, FastifyRequest } from 'fastify'
import { listImages } from '#contract/customer/paged-lists.ts'
import { checkImages } from '#contract/customer/session-calls.ts'
import { sessionTokenHash } from '#server/access/sessions/sessions.ts'
import type { Deps } from '#server/deps.ts'
import { addImagesVersion, mount } from '#server/http/mount.ts'
import { paginateList } from '#server/http/paging/paginate-list.ts'
import { problem } from '#server/http/problem.ts'
import { signatureFromQuery, type UrlSignature } from '#server/http/sign-url.ts'
import { listSubjectImages } from '../store/list-subject-images.ts'
import { sendVariant, type VariantRequest } from '../store/send-variant.ts'
import { signedImageSight } from '../store/staff-image-url.ts'
import {
  findImageFile,
  findStaffImageFile,
  findWithdrawn,
  parseImageUrl,
  parseStaffImageUrl,
} from './find-image-file.ts'

type CustomerParams = { grantId: string; imageId: string; file: string }
type StaffParams = { studioId: string; imageId: string; file: string }

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
