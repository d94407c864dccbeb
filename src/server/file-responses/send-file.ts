import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RequestedRange } from './byte-ranges.ts'

/** Bytes to send as a file: of a known size, readable from any offset. */
export type FileResponse = {
  readonly name: string
  readonly contentType: string
  readonly size: number
  /** The quoted `ETag` of the content: while it stays the same, an interrupted download can be resumed. */
  readonly tag: string
  read(range: { start: number; end: number }): Promise<Readable> | Readable
}

/** The quoted `ETag` of a content that these parts determine. */
export const entityTag = (parts: Iterable<string | Uint8Array>): string => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return `"${hash.digest('base64url').slice(0, 32)}"`
}

/** A small file that is in memory as a whole. */
export const fileInMemory = (name: string, contentType: string, bytes: Uint8Array): FileResponse => ({
  name,
  contentType,
  size: bytes.length,
  tag: entityTag([bytes]),
  read: ({ start, end }) => Readable.from([bytes.subarray(start, end + 1)], { objectMode: false }),
})

/** The header with the file name in ASCII for old browsers, and in full for all others. */
export const contentDisposition = (name: string): string => {
  const asciiName = name.replace(/[^\x20-\x7e]|["\\]/g, '_')
  return `attachment; filename="${asciiName}"; filename*=UTF-8''${encodeURIComponent(name).replaceAll("'", '%27')}`
}

/** Caches for a year, because the URL changes with the bytes. */
const oneYear = 'public, max-age=31536000, immutable'

/** Sends an image that everyone may see. Its URL must change with its bytes. */
export const sendPublicImage = (
  reply: FastifyReply,
  { contentType, size, body }: { contentType: string; size: number; body: Readable },
): FastifyReply =>
  reply
    .type(contentType)
    .header('cache-control', oneYear)
    .header('content-length', String(size))
    // An SVG that is opened directly must not run scripts.
    .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
    .header('x-content-type-options', 'nosniff')
    .send(body)

/** Sends a file, or the requested range of it, as a download. It is streamed, not buffered in memory. */
export const sendFile = async (
  { method }: FastifyRequest,
  reply: FastifyReply,
  { file, part }: { file: FileResponse; part: RequestedRange },
): Promise<FastifyReply> => {
  const { name, contentType, size, tag } = file
  reply
    .header('accept-ranges', 'bytes')
    .header('etag', tag)
    .header('cache-control', 'private, no-store')
    .header('x-content-type-options', 'nosniff')
    .header('content-disposition', contentDisposition(name))
    .type(contentType)
  if (part.kind === 'outside') return reply.code(416).header('content-range', `bytes */${size}`).send('')
  const { start, end } = part.kind === 'part' ? part : { start: 0, end: size - 1 }
  if (part.kind === 'part') reply.code(206).header('content-range', `bytes ${start}-${end}/${size}`)
  reply.header('content-length', String(end - start + 1))
  if (method === 'HEAD') return reply.send('')
  return reply.send(await file.read({ start, end }))
}
