import { crc32 } from 'node:zlib'
import type { ByteReader } from './byte-reader.ts'
import { orientationBlock, orientationIn } from './exif-orientation.ts'
import { FilePieces, type FilePlan } from './file-pieces.ts'

const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

/** The chunks that are delivered: pixels, transparency, animation, colour and physical size. */
const deliveredChunks: ReadonlySet<string> = new Set(
  'IHDR PLTE IDAT IEND tRNS acTL fcTL fdAT cHRM cICP gAMA iCCP sBIT sRGB mDCV cLLI bKGD hIST pHYs'.split(' '),
)

/** The limit on the bytes of an EXIF chunk that are read: enough for its first directory. */
const maxExifBytes = 65_536

const chunk = (name: string, content: Buffer): Buffer => {
  const nameAndContent = Buffer.concat([Buffer.from(name, 'latin1'), content])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  checksum.writeUInt32BE(crc32(nameAndContent))
  return Buffer.concat([length, nameAndContent, checksum])
}

/** The plan of a PNG without texts, times, EXIF except the orientation, and bytes after its end. Throws for other formats. */
export const pngPlan = async (reader: ByteReader): Promise<FilePlan> => {
  if (!(await reader.read(signature.length)).equals(signature))
    throw new Error('the file of a PNG does not begin with its signature')
  const pieces = new FilePieces()
  pieces.keep(0, signature.length)
  for (;;) {
    const start = reader.position
    const head = await reader.read(8)
    if (head.length < 8) break
    const [length, name] = [head.readUInt32BE(0), head.toString('latin1', 4, 8)]
    const exif = name === 'eXIf' ? await reader.read(Math.min(length, maxExifBytes)) : Buffer.alloc(0)
    await reader.skip(length + 4 - exif.length)
    const orientation = orientationIn(exif)
    if (deliveredChunks.has(name)) pieces.keep(start, reader.position)
    else if (orientation !== null) pieces.write(chunk('eXIf', orientationBlock(orientation)))
    if (name === 'IEND') break
  }
  return pieces.plan()
}
