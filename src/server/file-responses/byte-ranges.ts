import type { FastifyRequest } from 'fastify'
import parseRange from 'range-parser'

/** The error results of range-parser. */
const unsatisfiable = -1
const malformed = -2

/** What a request asks for: the whole file, one range of bytes (both ends included), or only bytes beyond its end. */
export type RequestedRange = { kind: 'whole' } | { kind: 'part'; start: number; end: number } | { kind: 'outside' }

/**
 * Reads the `Range` header. As HTTP allows, the whole file is served if the header is malformed, has another unit than
 * bytes or several ranges, and also if the file has changed since a download was interrupted (`If-Range`).
 */
export const requestedRange = (
  { headers }: Pick<FastifyRequest, 'headers'>,
  { size, tag }: { size: number; tag: string },
): RequestedRange => {
  const { range } = headers
  const ifRange = headers['if-range']
  if (range === undefined || (ifRange !== undefined && ifRange !== tag)) return { kind: 'whole' }
  const ranges = parseRange(size, range)
  if (ranges === unsatisfiable) return { kind: 'outside' }
  const [part] = ranges === malformed || ranges.type !== 'bytes' || ranges.length > 1 ? [] : ranges
  return part ? { kind: 'part', start: part.start, end: part.end } : { kind: 'whole' }
}
