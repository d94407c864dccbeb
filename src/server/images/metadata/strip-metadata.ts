import { Readable } from 'node:stream'
import type { Files } from '#server/ports/files.ts'
import { detectImageFormat } from '../inspection/image-format.ts'
import { ByteReader } from './byte-reader.ts'
import { type FilePlan, pieceLength } from './file-pieces.ts'
import { jpegPlan } from './strip-jpeg.ts'
import { pngPlan } from './strip-png.ts'
import { webpPlan } from './strip-webp.ts'

/** A stored image: `contentHash` and `bytes` identify its bytes, which may change under the same key. */
export type StoredImage = {
  readonly key: string
  readonly contentHash: string | null
  readonly bytes: number
}

const missing = 'a picture that the database names is not in the store as it says'

const makers = { jpeg: jpegPlan, png: pngPlan, webp: webpPlan } as const

const headBytes = 32

/** The format is read from the first bytes, as at the upload. */
const makerOf = async (files: Files, key: string) => {
  const head = await files.read(key, { start: 0, end: headBytes - 1 })
  if (head.outcome !== 'opened') return null
  const kind = await detectImageFormat(Buffer.concat(await head.body.toArray()))
  return 'refused' in kind ? null : makers[kind.format]
}

const makePlan = async (files: Files, { key, bytes }: StoredImage): Promise<FilePlan | null> => {
  const make = await makerOf(files, key)
  if (!make) return null
  const read = await files.read(key)
  if (read.outcome !== 'opened') return null
  try {
    if (read.size !== bytes) return null
    return await make(new ByteReader(read.body))
  } finally {
    read.body.destroy()
  }
}

/** A plan takes a few hundred bytes. */
const mostPlans = 5000
const plans = new WeakMap<Files, Map<string, FilePlan>>()

/**
 * How a stored image is delivered: the same pixels, and no metadata but orientation and colour profile (section 7). Reads it once, then
 * caches the plan by its content. A missing or invalid file has its announced size, so that the other files of its list can be shown, and
 * reading it throws.
 */
export const strippedPlan = async (files: Files, stored: StoredImage): Promise<FilePlan> => {
  const known = plans.get(files) ?? new Map<string, FilePlan>()
  plans.set(files, known)
  const name = [stored.contentHash ?? stored.key, stored.bytes].join(' ')
  const found = known.get(name)
  if (found) return found
  const plan = await makePlan(files, stored)
  if (plan === null) return { size: stored.bytes, pieces: [] }
  const [oldest] = known.keys()
  if (known.size >= mostPlans && oldest !== undefined) known.delete(oldest)
  known.set(name, plan)
  return plan
}

/** The bytes of an image by its plan, `start` and `end` included. Throws where the image cannot be delivered. */
export const readStripped = (
  files: Files,
  { key, plan }: { key: string; plan: FilePlan },
  range: { start: number; end: number },
): Readable => {
  if (plan.pieces.length === 0) throw new Error(missing)
  return Readable.from(bytesOf(files, { key, plan }, range), { objectMode: false })
}

async function* bytesOf(
  files: Files,
  { key, plan }: { key: string; plan: FilePlan },
  { start, end }: { start: number; end: number },
): AsyncGenerator<Buffer> {
  let at = 0
  for (const piece of plan.pieces) {
    const [from, to] = [Math.max(start - at, 0), Math.min(end + 1 - at, pieceLength(piece))]
    at += pieceLength(piece)
    if (from >= to) continue
    if ('content' in piece) {
      yield piece.content.subarray(from, to)
      continue
    }
    const read = await files.read(key, { start: piece.start + from, end: piece.start + to - 1 })
    if (read.outcome !== 'opened') throw new Error(missing)
    yield* read.body as AsyncIterable<Buffer>
  }
}
