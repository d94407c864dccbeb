import type { ByteReader } from './byte-reader.ts'
import { orientationBlock, orientationIn } from './exif-orientation.ts'
import { FilePieces, type FilePlan } from './file-pieces.ts'

const [soi, eoi, sos] = [0xd8, 0xd9, 0xda]
const [jpg, quantization, restartInterval] = [0xc8, 0xdb, 0xdd]
const [app0, app1, app2, app14, app15] = [0xe0, 0xe1, 0xe2, 0xee, 0xef]

const exifHead = 'Exif\0\0'
const jfifBytes = 14
const adobeBytes = 12

const startsWith = (content: Buffer, text: string): boolean => content.toString('latin1', 0, text.length) === text
/** Whether a code has no length: padding, restarts, and a misplaced start of image. */
const hasNoLength = (code: number): boolean => code < 0xc0 || (code >= 0xd0 && code <= soi)
/** Whether decoding needs the segment: frames, tables, the number of lines and the restart interval. */
const isNeededForDecoding = (code: number): boolean =>
  (code < soi && code !== jpg) || (code >= quantization && code <= restartInterval)
const isApplication = (code: number): boolean => code >= app0 && code <= app15

/** Marker, length and content of a segment. */
const segment = (code: number, content: Buffer): Buffer => {
  const head = Buffer.from([0xff, code, 0, 0])
  head.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([head, content])
}

/** The part of an application segment that is delivered: `all` for every byte, null for none. */
const deliveredPart = (code: number, content: Buffer): 'all' | Buffer | null => {
  if (code === app2) return startsWith(content, 'ICC_PROFILE\0') ? 'all' : null
  if (code === app14) return startsWith(content, 'Adobe') && content.length === adobeBytes ? 'all' : null
  if (code === app0 && startsWith(content, 'JFIF\0') && content.length >= jfifBytes) {
    if (content.length === jfifBytes) return 'all'
    // The density is followed by a thumbnail of the uncropped original.
    return segment(code, Buffer.concat([content.subarray(0, jfifBytes - 2), Buffer.from([0, 0])]))
  }
  if (code !== app1 || !startsWith(content, exifHead)) return null
  const orientation = orientationIn(content.subarray(exifHead.length))
  if (orientation === null) return null
  return segment(code, Buffer.concat([Buffer.from(exifHead, 'latin1'), orientationBlock(orientation)]))
}

/** The code of the next marker; null if the file ends. Skipped bytes belong to no segment, or are pixel data. */
const nextMarker = async (reader: ByteReader): Promise<number | null> => {
  while (await reader.skipPast(0xff)) {
    let code = 0xff
    while (code === 0xff) {
      const [next] = await reader.read(1)
      if (next === undefined) return null
      code = next
    }
    if (!hasNoLength(code)) return code
  }
  return null
}

/**
 * The plan of a JPEG without metadata: its unchanged pixel data, the colour profile and the orientation. Comments,
 * other application segments, segments of reserved codes (F0 to FD, C8) and all bytes after the image (previews, films)
 * are left out. Throws for other formats.
 */
export const jpegPlan = async (reader: ByteReader): Promise<FilePlan> => {
  const head = await reader.read(2)
  if (head[0] !== 0xff || head[1] !== soi) throw new Error('the file of a JPEG does not begin with its signature')
  const pieces = new FilePieces()
  pieces.keep(0, 2)
  let hasOrientation = false
  /** The start of pixel data that the next marker ends. */
  let scanStart: number | null = null
  for (;;) {
    const code = await nextMarker(reader)
    const start = code === null ? reader.position : reader.position - 2
    if (scanStart !== null) pieces.keep(scanStart, start)
    scanStart = null
    if (code === null || code === eoi) break
    const length = await segmentLength(reader)
    if (isApplication(code)) {
      const part = deliveredPart(code, await reader.read(length))
      const isExif = code === app1 && part !== null
      if (part === 'all') pieces.keep(start, reader.position)
      else if (part !== null && !(isExif && hasOrientation)) pieces.write(part)
      hasOrientation ||= isExif
      continue
    }
    await reader.skip(length)
    if (code === sos) scanStart = start
    else if (isNeededForDecoding(code)) pieces.keep(start, reader.position)
  }
  pieces.write(Buffer.from([0xff, eoi]))
  return pieces.plan()
}

/** Bytes of a segment after its length, 65,533 at most. */
const segmentLength = async (reader: ByteReader): Promise<number> => {
  const [high = 0, low = 0] = await reader.read(2)
  return Math.max(high * 256 + low - 2, 0)
}
