import { crc32 } from 'node:zlib'
import type { ByteReader } from './byte-reader.ts'
import { orientationBlock, orientationIn } from './exif-orientation.ts'
import { FilePieces, type FilePlan } from './file-pieces.ts'

const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

/** Pixels, transparency, animation, colour and physical size. */
const kept: ReadonlySet<string> = new Set(
  'IHDR PLTE IDAT IEND tRNS acTL fcTL fdAT cHRM cICP gAMA iCCP sBIT sRGB mDCV cLLI bKGD hIST pHYs'.split(' '),
)

/** The limit on an EXIF chunk that is read: enough for its first folder. */
const exifBytes = 65_536

const chunk = (name: string, content: Buffer): Buffer => {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), content])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

/** A PNG without texts, times and EXIF but the orientation; nothing after its end. Throws for other formats. */
export const pngPlan = async (reader: ByteReader): Promise<FilePlan> => {
  if (!(await reader.read(signature.length)).equals(signature)) throw new Error('a PNG does not begin as one')
  const pieces = new FilePieces()
  pieces.keep(0, signature.length)
  for (;;) {
    const start = reader.position
    const head = await reader.read(8)
    if (head.length < 8) break
    const [length, name] = [head.readUInt32BE(0), head.toString('latin1', 4, 8)]
    const read = name === 'eXIf' ? await reader.read(Math.min(length, exifBytes)) : Buffer.alloc(0)
    await reader.skip(length + 4 - read.length)
    const orientation = orientationIn(read)
    if (kept.has(name)) pieces.keep(start, reader.position)
    else if (orientation !== null) pieces.write(chunk('eXIf', orientationBlock(orientation)))
    if (name === 'IEND') break
  }
  return pieces.plan()
}
