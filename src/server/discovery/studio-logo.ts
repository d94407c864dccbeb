import type { FastifyInstance } from 'fastify'
import type { Deps } from '../deps.ts'
import { sendAnswer } from '../http/mount.ts'
import { answerOf, studioNotFound } from '../http/problem.ts'
import { studioBySlug } from './customer-studio.ts'

const typeByEnding: Readonly<Record<string, string>> = {
  svg: 'image/svg+xml',
  png: 'image/png',
  webp: 'image/webp',
  jpg: 'image/jpeg',
}

/** A year: its address changes with its bytes. */
const forever = 'public, max-age=31536000, immutable'

/** A studio's logo, for anybody. Only the current one: an old address answers like no logo. */
export const mountStudioLogo = (app: FastifyInstance, deps: Deps): void => {
  app.get<{ Params: { slug: string; hash: string } }>(
    '/api/customer/studios/:slug/logo/:hash',
    async (request, reply) => {
      const { slug, hash } = request.params
      const studio = await studioBySlug(deps.db, slug)
      const key = studio?.logo_hash === hash ? studio.logo_key : null
      const file = key === null ? undefined : await deps.files.read(key)
      if (key === null || file?.outcome !== 'opened') return sendAnswer(reply, answerOf(studioNotFound()))
      return (
        reply
          .type(typeByEnding[key.split('.').at(-1) ?? ''] ?? 'application/octet-stream')
          .header('cache-control', forever)
          .header('content-length', String(file.size))
          // A drawing opened by itself may do nothing: it is a picture, whatever is written in it.
          .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
          .header('x-content-type-options', 'nosniff')
          .send(file.body)
      )
    },
  )
}
