import type { FastifyRequest } from 'fastify'
import parseRange from 'range-parser'

/** The requested part of a file: all of it, a range (both ends included), or one outside of the file. */
export type RequestedRange = { kind: 'whole' } | { kind: 'part'; start: number; end: number } | { kind: 'outside' }

/**
 * The range that a request asks for. Several ranges are answered with the whole file, as HTTP allows; so is a resumed request whose file
 * has changed (`If-Range`).
 */
export const requestedRange = (
  { headers }: Pick<FastifyRequest, 'headers'>,
  { size, tag }: { size: number; tag: string },
): RequestedRange => {
  const { range } = headers
  const same = headers['if-range']
  if (range === undefined || (same !== undefined && same !== tag)) return { kind: 'whole' }
  const parts = parseRange(size, range)
  if (parts === -1) return { kind: 'outside' }
  const [part] = parts === -2 || parts.type !== 'bytes' || parts.length > 1 ? [] : parts
  return part ? { kind: 'part', start: part.start, end: part.end } : { kind: 'whole' }
}
