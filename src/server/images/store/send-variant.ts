import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '#server/deps.ts'
import { sendAnswer } from '#server/http/mount.ts'
import { answerOf, problem } from '#server/http/problem.ts'
import { blurImage } from '../engine/blur-image.ts'
import type { Variant } from '../engine/image-variants.ts'
import { contentTypes } from './image-files.ts'
import type { FoundVariant } from './image-requests.ts'
import { acceptedFormat, type VariantFormat, variantKey } from './variant-files.ts'

export type VariantRequest = FoundVariant & {
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

/** Sends the variant that `find` returns, or that it is not found. No browser and no proxy caches it. */
export const sendVariant = async (
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
