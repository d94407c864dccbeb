import type { FastifyInstance } from 'fastify'
import type { Deps } from '../deps.ts'
import { sendPublicImage } from '../file-responses/send-file.ts'
import { sendAnswer } from '../http/mount.ts'
import { answerOf, studioNotFound } from '../http/problem.ts'
import { studioBySlug } from './customer-studio.ts'

const typeByExtension: Readonly<Record<string, string>> = {
  svg: 'image/svg+xml',
  png: 'image/png',
  webp: 'image/webp',
  jpg: 'image/jpeg',
}

/** Mounts the public route of a studio's current logo. The URL of a former logo is answered as not found. */
export const mountStudioLogo = (app: FastifyInstance, deps: Deps): void => {
  app.get<{ Params: { slug: string; hash: string } }>(
    '/api/customer/studios/:slug/logo/:hash',
    async (request, reply) => {
      const { slug, hash } = request.params
      const studio = await studioBySlug(deps.db, slug)
      const key = studio?.logo_hash === hash ? studio.logo_key : null
      const file = key === null ? undefined : await deps.files.read(key)
      if (key === null || file?.outcome !== 'opened') return sendAnswer(reply, answerOf(studioNotFound()))
      const contentType = typeByExtension[key.split('.').at(-1) ?? ''] ?? 'application/octet-stream'
      return sendPublicImage(reply, { contentType, ...file })
    },
  )
}
