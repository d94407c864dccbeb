import type { FastifyRequest } from 'fastify'
import { encodeQR } from 'qr'
import type { Deps } from '../deps.ts'

type HandOverUrlParts = { readonly studioSlug: string; readonly jobId: number; readonly token: string }

/**
 * What the other device opens. The token stands behind `#`, which browsers send nobody: no log and no referrer has it. Where the server
 * was not told its public address, the one this device came by is good for the other, too.
 */
export const handOverUrl = (
  { settings }: Pick<Deps, 'settings'>,
  request: FastifyRequest,
  { studioSlug, jobId, token }: HandOverUrlParts,
): string => {
  const origin = settings.publicUrl ?? `${request.protocol}://${request.host}`
  return `${origin}/${studioSlug}/${jobId}/continue#${token}`
}

/** An address as a picture to scan: SVG, with the quiet edge of four modules that readers need. */
export const qrCodeSvg = (address: string): string =>
  // Seams between its squares would be drawn otherwise where they fall between two pixels.
  encodeQR(address, 'svg', { ecc: 'medium', border: 4 }).replace('<svg ', '<svg shape-rendering="crispEdges" ')
