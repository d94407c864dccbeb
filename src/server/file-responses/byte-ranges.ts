import type { FastifyRequest } from 'fastify'
import parseRange from 'range-parser'

/** What part of a file is asked for: all of it, a stretch (both ends included), or one that it does not have. */
export type RequestedRange = { kind: 'whole' } | { kind: 'part'; start: number; end: number } | { kind: 'outside' }

/**
 * The part that a request asks for. Several at once are answered with the whole, as HTTP allows; so is a request to go on with a file
 * that is another by now (`If-Range`).
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
