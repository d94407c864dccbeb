import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Deps } from '../deps.ts'
import { sendAnswer } from '../http/mount.ts'
import { answerOf, type Problem, problem } from '../http/problem.ts'
import { acceptedFormat, variantKey } from '../images/store/variant-files.ts'
import { findDownload } from './find-download.ts'

export const downloadsPath = '/api/customer/downloads'

export const isLinkId = (text: string): boolean => /^[\w-]{22,64}$/.test(text)

/** The same answer for an unknown link and one that is no longer valid. */
export const downloadNotFound = (): Problem<'not-found'> =>
  problem('not-found', 'The link is incomplete or no longer works. Ask the studio for a new one')

type ThumbParams = { Params: { linkId: string; fileId: string } }

const openThumbnail = async (deps: Deps, request: FastifyRequest<ThumbParams>) => {
  const { linkId, fileId } = request.params
  const download = isLinkId(linkId) ? await findDownload(deps, linkId) : undefined
  const thumbnail = download?.files.find(({ id }) => id === fileId)?.thumbnail
  if (!thumbnail) return undefined
  const { originalKey, hash } = thumbnail
  const format = acceptedFormat(request.headers.accept)
  const file = await deps.files.read(variantKey(originalKey, { variant: 'thumb', hash, format }))
  if (file.outcome === 'opened') return { format, size: file.size, body: file.body }
  deps.log.error({ key: originalKey }, 'a thumbnail of the database is missing in the store')
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
