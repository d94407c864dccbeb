import { Readable } from 'node:stream'
import type { Files } from '#server/ports/files.ts'
import { detectImageFormat } from '../inspection/image-format.ts'
import { ByteReader } from './byte-reader.ts'
import { type FilePlan, pieceLength } from './file-pieces.ts'
import { jpegPlan } from './strip-jpeg.ts'
import { pngPlan } from './strip-png.ts'
import { webpPlan } from './strip-webp.ts'

/** A stored image. `contentHash` and `bytes` identify its content, which may change under the same key. */
export type StoredImage = {
  readonly key: string
  readonly contentHash: string | null
  readonly bytes: number
}

const missingFileMessage = 'the stored file of an image is missing or differs from the database'

const planMakers = { jpeg: jpegPlan, png: pngPlan, webp: webpPlan } as const

const headBytes = 32

/** Finds the plan maker of an image's format, which is detected by the first bytes as at the upload; null for other formats. */
const planMakerOf = async (files: Files, key: string) => {
  const head = await files.read(key, { start: 0, end: headBytes - 1 })
  if (head.outcome !== 'opened') return null
  const kind = await detectImageFormat(Buffer.concat(await head.body.toArray()))
  return 'rejectedFormat' in kind ? null : planMakers[kind.format]
}

const makePlan = async (files: Files, { key, bytes }: StoredImage): Promise<FilePlan | null> => {
  const make = await planMakerOf(files, key)
  if (!make) return null
  const opened = await files.read(key)
  if (opened.outcome !== 'opened') return null
  try {
    if (opened.size !== bytes) return null
    return await make(new ByteReader(opened.body))
  } finally {
    opened.body.destroy()
  }
}

/** The limit on cached plans; a plan takes a few hundred bytes. */
const maxCachedPlans = 5000
const planCaches = new WeakMap<Files, Map<string, FilePlan>>()

/**
 * How a stored image is delivered: the same pixels, and no metadata except orientation and colour profile. The image is read
 * once; then its plan is cached by its content. For a missing or invalid file, the plan has the recorded size, so that the other files of
 * its list can be sent, and reading the file throws.
 */
export const strippedPlan = async (files: Files, stored: StoredImage): Promise<FilePlan> => {
  const cache = planCaches.get(files) ?? new Map<string, FilePlan>()
  planCaches.set(files, cache)
  const cacheKey = [stored.contentHash ?? stored.key, stored.bytes].join(' ')
  const cachedPlan = cache.get(cacheKey)
  if (cachedPlan) return cachedPlan
  const plan = await makePlan(files, stored)
  if (plan === null) return { size: stored.bytes, pieces: [] }
  const [oldest] = cache.keys()
  if (cache.size >= maxCachedPlans && oldest !== undefined) cache.delete(oldest)
  cache.set(cacheKey, plan)
  return plan
}

/** The bytes of an image by its plan, including `start` and `end`. Throws if the image cannot be delivered. */
export const readStripped = (
  files: Files,
  { key, plan }: { key: string; plan: FilePlan },
  range: { start: number; end: number },
): Readable => {
  if (plan.pieces.length === 0) throw new Error(missingFileMessage)
  return Readable.from(readPieces(files, { key, plan }, range), { objectMode: false })
}

async function* readPieces(
  files: Files,
  { key, plan }: { key: string; plan: FilePlan },
  { start, end }: { start: number; end: number },
): AsyncGenerator<Buffer> {
  let offset = 0
  for (const piece of plan.pieces) {
    const [from, to] = [Math.max(start - offset, 0), Math.min(end + 1 - offset, pieceLength(piece))]
    offset += pieceLength(piece)
    if (from >= to) continue
    if ('content' in piece) {
      yield piece.content.subarray(from, to)
      continue
    }
    const opened = await files.read(key, { start: piece.start + from, end: piece.start + to - 1 })
    if (opened.outcome !== 'opened') throw new Error(missingFileMessage)
    yield* opened.body as AsyncIterable<Buffer>
  }
}
