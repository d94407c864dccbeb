import type { ImageFormat } from './image-format.ts'

/** A range of a file without pixels: the text of a segment, or the bytes after the end of the image. */
type ExtraBytes = { readonly kind: 'text' | 'trailing'; readonly bytes: Buffer }

/** The limit on segments. No camera writes this many; a file of only empty segments has millions. */
const maxSegments = 20_000

const ENTROPY = 0xda
const END = 0xd9
const hasNoLength = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)

/** The offset of the next marker of a JPEG after entropy-coded bytes, in which FF is followed by 00 or a restart. */
const markerAfter = (bytes: Buffer, from: number): number => {
  for (let at = bytes.indexOf(0xff, from); at >= 0 && at + 1 < bytes.length; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at
  }
  return bytes.length
}

const isTextSegment = (marker: number): boolean => marker === 0xfe || (marker >= 0xe0 && marker <= 0xef)

function* extraBytesOfJpeg(bytes: Buffer): Generator<ExtraBytes> {
  let at = 2
  while (at + 4 <= bytes.length) {
    const marker = bytes[at] === 0xff ? (bytes[at + 1] ?? 0) : -1
    if (marker === -1 || marker === END) {
      yield { kind: 'trailing', bytes: bytes.subarray(marker === END ? at + 2 : at) }
      return
    }
    if (marker === 0xff) at += 1
    else if (hasNoLength(marker)) at += 2
    else {
      const end = at + 2 + bytes.readUInt16BE(at + 2)
      if (isTextSegment(marker)) yield { kind: 'text', bytes: bytes.subarray(at + 4, end) }
      at = marker === ENTROPY ? markerAfter(bytes, end) : end
    }
  }
}

const pngTextChunks = /^(tEXt|zTXt|iTXt|eXIf)$|^[a-z][a-zA-Z]{3}$/

function* extraBytesOfPng(bytes: Buffer): Generator<ExtraBytes> {
  let at = 8
  while (at + 12 <= bytes.length) {
    const kind = bytes.toString('latin1', at + 4, at + 8)
    const end = at + 12 + bytes.readUInt32BE(at)
    if (pngTextChunks.test(kind)) yield { kind: 'text', bytes: bytes.subarray(at + 8, end - 4) }
    if (kind === 'IEND') {
      yield { kind: 'trailing', bytes: bytes.subarray(end) }
      return
    }
    at = end
  }
}

const webpImageChunks = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF', 'ICCP'])

function* extraBytesOfWebp(bytes: Buffer): Generator<ExtraBytes> {
  const end = Math.min(bytes.length, 8 + bytes.readUInt32LE(4))
  let at = 12
  while (at + 8 <= end) {
    const size = bytes.readUInt32LE(at + 4)
    const isText = !webpImageChunks.has(bytes.toString('latin1', at, at + 4))
    if (isText) yield { kind: 'text', bytes: bytes.subarray(at + 8, at + 8 + size) }
    at += 8 + size + (size % 2)
  }
  yield { kind: 'trailing', bytes: bytes.subarray(end) }
}

const extraBytesOf: Readonly<Record<ImageFormat, (bytes: Buffer) => Generator<ExtraBytes>>> = {
  jpeg: extraBytesOfJpeg,
  png: extraBytesOfPng,
  webp: extraBytesOfWebp,
}

/** Markup that a browser or a server would run if it took the file for a page or script. */
const markup = /<(?:script|html|!doctype\s{1,20}html|svg|iframe|body|\?php|%@)[\s>/]|javascript:/i

/** Text is searched in pieces that overlap by more than the longest markup. */
const pieceBytes = 64 * 1024
const overlapBytes = 64

const containsMarkup = (text: Buffer): boolean => {
  for (let at = 0; at < text.length; at += pieceBytes) {
    if (markup.test(text.toString('latin1', at, at + pieceBytes + overlapBytes))) return true
  }
  return false
}

/** A ZIP is recognized by the record at its end, which holds the length of a comment. JAR and Office files are ZIPs. */
const isZip = (bytes: Buffer): boolean => {
  const tail = bytes.subarray(Math.max(0, bytes.length - 65_557))
  const at = tail.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  if (at < 0 || at + 22 > tail.length) return false
  // An archive that is not split has disk number 0; the same signature by chance in an image rarely has a 0 there.
  return tail.readUInt32LE(at + 4) === 0 && at + 22 + tail.readUInt16LE(at + 20) <= tail.length
}

const foreignSignatures = [/^MZ/, /^\x7fELF/, /^#!\s*\//, /^%PDF-/, /^Rar!/, /^7z\xbc\xaf/]

const isForeignPart = ({ kind, bytes }: ExtraBytes): boolean => {
  if (kind === 'text') return containsMarkup(bytes)
  const head = bytes.toString('latin1', 0, 4096)
  return markup.test(head) || foreignSignatures.some((signature) => signature.test(head.trimStart()))
}

const hasForeignPart = (format: ImageFormat, bytes: Buffer): boolean => {
  let segments = 0
  try {
    for (const part of extraBytesOf[format](bytes)) {
      segments += 1
      if (segments > maxSegments || isForeignPart(part)) return true
    }
    return false
  } catch (error) {
    // The decoder rejects a file with a segment that is longer than the file.
    if (error instanceof RangeError) return false
    throw error
  }
}

/** A PDF may begin anywhere in the first kilobyte. */
const containsPdf = (bytes: Buffer): boolean => bytes.subarray(0, 1024).includes('%PDF-')

/**
 * Whether an image's file is also another kind of file: a page, a script, an archive, a document or a program. What cameras and phones
 * append to an image (a second image, a short film) does not count.
 */
export const isPolyglot = (format: ImageFormat, file: Uint8Array): boolean => {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  return containsPdf(bytes) || isZip(bytes) || hasForeignPart(format, bytes)
}
