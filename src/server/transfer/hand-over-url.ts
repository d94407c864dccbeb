import type { FastifyRequest } from 'fastify'
import type { Deps } from '../deps.ts'

type HandOverUrlParts = { readonly studioSlug: string; readonly jobId: number; readonly token: string }

/**
 * The URL for the other device. The token is in the fragment, which browsers send to no server, so no log or referrer
 * contains it. Without a configured public URL, the origin of this request is used.
 */
export const handOverUrl = (
  { settings }: Pick<Deps, 'settings'>,
  request: FastifyRequest,
  { studioSlug, jobId, token }: HandOverUrlParts,
): string => {
  const origin = settings.publicUrl ?? `${request.protocol}://${request.host}`
  return `${origin}/${studioSlug}/${jobId}/continue#${token}`
}
