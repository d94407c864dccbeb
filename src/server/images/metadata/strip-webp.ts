import type { ByteReader } from './byte-reader.ts'
import { orientationBlock, orientationIn } from './exif-orientation.ts'
import { FilePieces, type FilePlan } from './file-pieces.ts'

/** Pixels, transparency, animation and colour profile. */
const kept: ReadonlySet<string> = new Set(['VP8 ', 'VP8L', 'ALPH', 'ANIM', 'ANMF', 'ICCP'])

const [exifFlag, xmpFlag] = [0x08, 0x04]
const headBytes = 12
const exifBytes = 65_536

const chunk = (name: string, content: Buffer): Buffer => {
  const head = Buffer.alloc(8)
  head.write(name, 'latin1')
  head.writeUInt32LE(content.length, 4)
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)])
}

/** Some writers prefix the block with JPEG's name for it. */
const tiffOf = (content: Buffer): Buffer =>
  content.toString('latin1', 0, 6) === 'Exif\0\0' ? content.subarray(6) : content

/**
 * A WebP without XMP and EXIF but the orientation; nothing after its end. The header with the file size and the flags is written last.
 * Throws for other formats.
 */
export const webpPlan = async (reader: ByteReader): Promise<FilePlan> => {
  const head = await reader.read(headBytes)
  if (head.toString('latin1', 0, 4) !== 'RIFF' || head.toString('latin1', 8) !== 'WEBP')
    throw new Error('a WebP does not begin as one')
  const end = head.readUInt32LE(4) + 8
  const pieces = new FilePieces()
  let flags: Buffer | null = null
  let orientation: number | null = null
  while (reader.position < end) {
    const start = reader.position
    const opening = await reader.read(8)
    if (opening.length < 8) break
    const [name, length] = [opening.toString('latin1', 0, 4), opening.readUInt32LE(4)]
    const isRead = name === 'EXIF' || name === 'VP8X'
    const read = isRead ? await reader.read(Math.min(length, exifBytes)) : Buffer.alloc(0)
    await reader.skip(length + (length % 2) - read.length)
    if (kept.has(name)) pieces.keep(start, reader.position)
    if (name === 'VP8X') flags ??= read
    if (name === 'EXIF') orientation ??= orientationIn(tiffOf(read))
  }
  return withHead(pieces.plan(), flags, orientation)
}

const withHead = ({ size, pieces }: FilePlan, flags: Buffer | null, orientation: number | null): FilePlan => {
  const exif = flags && orientation !== null ? chunk('EXIF', orientationBlock(orientation)) : Buffer.alloc(0)
  const extended = flags ? chunk('VP8X', withFlags(flags, exif.length > 0)) : Buffer.alloc(0)
  const head = Buffer.alloc(headBytes)
  head.write('RIFF', 'latin1')
  head.writeUInt32LE(4 + extended.length + size + exif.length, 4)
  head.write('WEBP', 8, 'latin1')
  const first = Buffer.concat([head, extended])
  const last = exif.length > 0 ? [{ content: exif }] : []
  return { size: first.length + size + exif.length, pieces: [{ content: first }, ...pieces, ...last] }
}

const withFlags = (flags: Buffer, hasExif: boolean): Buffer => {
  const copy = Buffer.from(flags)
  const without = (copy[0] ?? 0) & ~(exifFlag | xmpFlag)
  if (copy.length > 0) copy[0] = hasExif ? without | exifFlag : without
  return copy
}
