import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Deps } from '../deps.ts'
import { sendAnswer } from '../http/mount.ts'
import { answerOf } from '../http/problem.ts'
import { acceptedFormat, variantKey } from '../images/store/variant-files.ts'
import { downloadNotFound, downloadsPath, isLinkId } from './download-links.ts'
import { findDownload } from './find-download.ts'

type ThumbParams = { Params: { linkId: string; fileId: string } }

const openThumbnail = async (deps: Deps, request: FastifyRequest<ThumbParams>) => {
  const { linkId, fileId } = request.params
  const found = isLinkId(linkId) ? await findDownload(deps, linkId) : undefined
  const thumbnail = found?.files.find(({ id }) => id === fileId)?.thumbnail
  if (!thumbnail) return undefined
  const { originalKey, hash } = thumbnail
  const format = acceptedFormat(request.headers.accept)
  const read = await deps.files.read(variantKey(originalKey, { variant: 'thumb', hash, format }))
  if (read.outcome === 'opened') return { format, size: read.size, body: read.body }
  deps.log.error({ key: originalKey }, 'a thumbnail that the database names is not in the store')
  return undefined
}

/** A thumbnail of each file, for holders of the link. Viewing one does not count as a download. */
export const mountThumbnails = (app: FastifyInstance, deps: Deps): void => {
  app.get<ThumbParams>(`${downloadsPath}/:linkId/thumbs/:fileId`, async (request, reply) => {
    reply.header('vary', 'Accept')
    const thumbnail = await openThumbnail(deps, request)
    if (!thumbnail) return sendAnswer(reply, answerOf(downloadNotFound()))
    return reply
      .type(`image/${thumbnail.format}`)
      .header('content-length', String(thumbnail.size))
      .header('cache-control', 'private, no-store')
      .header('x-content-type-options', 'nosniff')
      .send(thumbnail.body)
  })
}
