import type { ImageFormat } from './image-format.ts'

/** A range of a file that holds no pixels: the text of a segment, or what follows the image's end. */
type ExtraBytes = { readonly kind: 'words' | 'after'; readonly bytes: Buffer }

/** No camera writes as many; a file of nothing but empty segments has millions. */
const mostSegments = 20_000

const ENTROPY = 0xda
const END = 0xd9
const standsAlone = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)

/** The next marker of a JPEG after entropy-coded bytes, in which FF is followed by 00 or a restart. */
const markerAfter = (bytes: Buffer, from: number): number => {
  for (let at = bytes.indexOf(0xff, from); at >= 0 && at + 1 < bytes.length; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at
  }
  return bytes.length
}

const isSaid = (marker: number): boolean => marker === 0xfe || (marker >= 0xe0 && marker <= 0xef)

function* looseInJpeg(bytes: Buffer): Generator<ExtraBytes> {
  let at = 2
  while (at + 4 <= bytes.length) {
    const marker = bytes[at] === 0xff ? (bytes[at + 1] ?? 0) : -1
    if (marker === -1 || marker === END) {
      yield { kind: 'after', bytes: bytes.subarray(marker === END ? at + 2 : at) }
      return
    }
    if (marker === 0xff) at += 1
    else if (standsAlone(marker)) at += 2
    else {
      const end = at + 2 + bytes.readUInt16BE(at + 2)
      if (isSaid(marker)) yield { kind: 'words', bytes: bytes.subarray(at + 4, end) }
      at = marker === ENTROPY ? markerAfter(bytes, end) : end
    }
  }
}

const wordsOfPng = /^(tEXt|zTXt|iTXt|eXIf)$|^[a-z][a-zA-Z]{3}$/

function* looseInPng(bytes: Buffer): Generator<ExtraBytes> {
  let at = 8
  while (at + 12 <= bytes.length) {
    const kind = bytes.toString('latin1', at + 4, at + 8)
    const end = at + 12 + bytes.readUInt32BE(at)
    if (wordsOfPng.test(kind)) yield { kind: 'words', bytes: bytes.subarray(at + 8, end - 4) }
    if (kind === 'IEND') {
      yield { kind: 'after', bytes: bytes.subarray(end) }
      return
    }
    at = end
  }
}

const picturesOfWebp = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF', 'ICCP'])

function* looseInWebp(bytes: Buffer): Generator<ExtraBytes> {
  const last = Math.min(bytes.length, 8 + bytes.readUInt32LE(4))
  let at = 12
  while (at + 8 <= last) {
    const size = bytes.readUInt32LE(at + 4)
    const isWords = !picturesOfWebp.has(bytes.toString('latin1', at, at + 4))
    if (isWords) yield { kind: 'words', bytes: bytes.subarray(at + 8, at + 8 + size) }
    at += 8 + size + (size % 2)
  }
  yield { kind: 'after', bytes: bytes.subarray(last) }
}

const looseIn: Readonly<Record<ImageFormat, (bytes: Buffer) => Generator<ExtraBytes>>> = {
  jpeg: looseInJpeg,
  png: looseInPng,
  webp: looseInWebp,
}

/** Markup that a browser or a server would run if it took the file for a page or script. */
const markup = /<(?:script|html|!doctype\s{1,20}html|svg|iframe|body|\?php|%@)[\s>/]|javascript:/i

/** Text is searched in pieces that overlap by more than the longest markup. */
const piece = 64 * 1024
const overlap = 64

const holdsMarkup = (words: Buffer): boolean => {
  for (let at = 0; at < words.length; at += piece) {
    if (markup.test(words.toString('latin1', at, at + piece + overlap))) return true
  }
  return false
}

/** A ZIP is read from its end, where its comment's length is; a JAR and an Office file are ZIPs. */
const isZip = (bytes: Buffer): boolean => {
  const tail = bytes.subarray(Math.max(0, bytes.length - 65_557))
  const at = tail.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  if (at < 0 || at + 22 > tail.length) return false
  // Archives of one file have disk number 0; the same four bytes by chance in an image rarely do.
  return tail.readUInt32LE(at + 4) === 0 && at + 22 + tail.readUInt16LE(at + 20) <= tail.length
}

const programs = [/^MZ/, /^\x7fELF/, /^#!\s*\//, /^%PDF-/, /^Rar!/, /^7z\xbc\xaf/]

const isForeignPart = ({ kind, bytes }: ExtraBytes): boolean => {
  if (kind === 'words') return holdsMarkup(bytes)
  const head = bytes.toString('latin1', 0, 4096)
  return markup.test(head) || programs.some((begins) => begins.test(head.trimStart()))
}

const hasForeignPart = (format: ImageFormat, bytes: Buffer): boolean => {
  let segments = 0
  try {
    for (const part of looseIn[format](bytes)) {
      segments += 1
      if (segments > mostSegments || isForeignPart(part)) return true
    }
    return false
  } catch (error) {
    // A segment longer than its file is left to the decoder to refuse.
    if (error instanceof RangeError) return false
    throw error
  }
}

/** A PDF may begin anywhere in the first kilobyte. */
const holdsPdf = (bytes: Buffer): boolean => bytes.subarray(0, 1024).includes('%PDF-')

/**
 * Whether an image's file is also another kind of file: a page, a script, an archive, a document or a program. What cameras and phones
 * append to an image (a second image, a short film) does not count.
 */
export const isPolyglot = (format: ImageFormat, file: Uint8Array): boolean => {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  return holdsPdf(bytes) || isZip(bytes) || hasForeignPart(format, bytes)
}
