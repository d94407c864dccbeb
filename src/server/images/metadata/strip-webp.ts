import type { ByteReader } from './byte-reader.ts'
import { orientationBlock, orientationIn } from './exif-orientation.ts'
import { FilePieces, type FilePlan } from './file-pieces.ts'

/** The chunks that are delivered: pixels, transparency, animation and colour profile. */
const deliveredChunks: ReadonlySet<string> = new Set(['VP8 ', 'VP8L', 'ALPH', 'ANIM', 'ANMF', 'ICCP'])

const [exifFlag, xmpFlag] = [0x08, 0x04]
const headBytes = 12
const maxChunkBytes = 65_536

const chunk = (name: string, content: Buffer): Buffer => {
  const head = Buffer.alloc(8)
  head.write(name, 'latin1')
  head.writeUInt32LE(content.length, 4)
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)])
}

/** The EXIF block in TIFF form. Some programs write it with the prefix of an EXIF segment in a JPEG. */
const tiffOf = (content: Buffer): Buffer =>
  content.toString('latin1', 0, 6) === 'Exif\0\0' ? content.subarray(6) : content

/**
 * The plan of a WebP without XMP, EXIF except the orientation, and bytes after its end. Its header has the new file size and flags.
 * Throws for other formats.
 */
export const webpPlan = async (reader: ByteReader): Promise<FilePlan> => {
  const head = await reader.read(headBytes)
  if (head.toString('latin1', 0, 4) !== 'RIFF' || head.toString('latin1', 8) !== 'WEBP')
    throw new Error('the file of a WebP does not begin with its signature')
  const end = head.readUInt32LE(4) + 8
  const pieces = new FilePieces()
  let flags: Buffer | null = null
  let orientation: number | null = null
  while (reader.position < end) {
    const start = reader.position
    const chunkHead = await reader.read(8)
    if (chunkHead.length < 8) break
    const [name, length] = [chunkHead.toString('latin1', 0, 4), chunkHead.readUInt32LE(4)]
    const isRead = name === 'EXIF' || name === 'VP8X'
    const content = isRead ? await reader.read(Math.min(length, maxChunkBytes)) : Buffer.alloc(0)
    await reader.skip(length + (length % 2) - content.length)
    if (deliveredChunks.has(name)) pieces.keep(start, reader.position)
    if (name === 'VP8X') flags ??= content
    if (name === 'EXIF') orientation ??= orientationIn(tiffOf(content))
  }
  return withHead(pieces.plan(), flags, orientation)
}

const withHead = ({ size, pieces }: FilePlan, flags: Buffer | null, orientation: number | null): FilePlan => {
  const exif = flags && orientation !== null ? chunk('EXIF', orientationBlock(orientation)) : Buffer.alloc(0)
  const flagsChunk = flags ? chunk('VP8X', withFlags(flags, exif.length > 0)) : Buffer.alloc(0)
  const head = Buffer.alloc(headBytes)
  head.write('RIFF', 'latin1')
  head.writeUInt32LE(4 + flagsChunk.length + size + exif.length, 4)
  head.write('WEBP', 8, 'latin1')
  const opening = Buffer.concat([head, flagsChunk])
  const closing = exif.length > 0 ? [{ content: exif }] : []
  return { size: opening.length + size + exif.length, pieces: [{ content: opening }, ...pieces, ...closing] }
}

const withFlags = (flags: Buffer, hasExif: boolean): Buffer => {
  const copy = Buffer.from(flags)
  const otherFlags = (copy[0] ?? 0) & ~(exifFlag | xmpFlag)
  if (copy.length > 0) copy[0] = hasExif ? otherFlags | exifFlag : otherFlags
  return copy
}
