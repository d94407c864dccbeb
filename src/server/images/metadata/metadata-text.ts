import type { Metadata } from 'sharp'

/** Limits on the bytes that are read of a block and of one entry: codes are short, and a crafted image must not cost time. */
const mostOfBlock = 65_536
const mostOfEntry = 2000
/** Entries of a folder; cameras write some dozens. */
const mostEntries = 500

type Reader = { u16: (at: number) => number; u32: (at: number) => number }

const readerOf = (tiff: Buffer): Reader | undefined => {
  const order = tiff.toString('latin1', 0, 2)
  if (order === 'II') return { u16: (at) => tiff.readUInt16LE(at), u32: (at) => tiff.readUInt32LE(at) }
  if (order === 'MM') return { u16: (at) => tiff.readUInt16BE(at), u32: (at) => tiff.readUInt32BE(at) }
  return undefined
}

const EXIF_FOLDER = 0x8769
/** Title, comment, keywords and subject as Windows writes them: UTF-16. */
const wideTags = new Set([0x9c9b, 0x9c9c, 0x9c9e, 0x9c9f])
const plainTags = new Set([0x010e, 0x010d])
const USER_COMMENT = 0x9286

type Entry = { tag: number; bytes: Buffer }

const entriesOf = (tiff: Buffer, { u16, u32 }: Reader, folder: number): Entry[] =>
  Array.from({ length: Math.min(u16(folder), mostEntries) }, (_, n) => {
    const entry = folder + 2 + n * 12
    const size = u32(entry + 4) * (u16(entry + 2) === 7 || u16(entry + 2) <= 2 ? 1 : 4)
    const at = size <= 4 ? entry + 8 : u32(entry + 8)
    return { tag: u16(entry), bytes: tiff.subarray(at, at + Math.min(size, mostOfEntry)) }
  })

const commentOf = (bytes: Buffer): string => {
  const isWide = bytes.toString('latin1', 0, 7) === 'UNICODE'
  return bytes.subarray(8).toString(isWide ? 'utf16le' : 'utf8')
}

const textOf = ({ tag, bytes }: Entry): string => {
  if (wideTags.has(tag)) return bytes.toString('utf16le')
  if (tag === USER_COMMENT) return commentOf(bytes)
  return plainTags.has(tag) ? bytes.toString('utf8') : ''
}

const exifWords = (exif: Buffer): string[] => {
  const tiff = exif.toString('latin1', 0, 6) === 'Exif\0\0' ? exif.subarray(6) : exif
  const reader = readerOf(tiff)
  if (!reader) return []
  const first = entriesOf(tiff, reader, reader.u32(4))
  const inner = first.find(({ tag }) => tag === EXIF_FOLDER)
  const more = inner ? entriesOf(tiff, reader, reader.u32(inner.bytes.byteOffset - tiff.byteOffset)) : []
  return [...first, ...more].map(textOf)
}

/** Keywords, title and description are list items of the XMP packet. */
const xmpWords = (xmp: Buffer): string[] =>
  [...xmp.toString('utf8', 0, mostOfBlock).matchAll(/<rdf:li[^<>]*>([^<]{1,500})<\/rdf:li>/g)].map(
    ([, words = '']) => words,
  )

/** Record 2 of IPTC: title (5), keywords (25), headline (105), caption (120). */
const iptcWords = (iptc: Buffer): string[] => {
  const words: string[] = []
  for (let at = iptc.indexOf('\x1c\x02', 0, 'latin1'); at >= 0; at = iptc.indexOf('\x1c\x02', at + 2, 'latin1')) {
    const size = at + 5 <= iptc.length ? iptc.readUInt16BE(at + 3) : 0
    const end = at + 5 + Math.min(size, mostOfEntry)
    if ([5, 25, 105, 120].includes(iptc[at + 2] ?? 0)) words.push(iptc.toString('utf8', at + 5, end))
    if (words.length === mostEntries) return words
  }
  return words
}

const most = 2000

/** A damaged block counts as empty, and makes no image unusable. */
const orNothing = (read: () => string[]): string[] => {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError) return []
    throw error
  }
}

/** The text in an image's metadata (title, caption, comment, keywords), to be searched for a code; '' for none. */
export const metadataTextOf = ({ exif, xmp, iptc }: Pick<Metadata, 'exif' | 'xmp' | 'iptc'>): string => {
  const said = [
    ...(exif ? orNothing(() => exifWords(exif)) : []),
    ...(xmp ? xmpWords(xmp) : []),
    ...(iptc ? orNothing(() => iptcWords(iptc)) : []),
  ]
  const clean = said.map((words) =>
    words
      .replace(/[\p{Cc}\uFFFD\uFFFE\uFFFF]/gu, ' ')
      .trim()
      .toWellFormed(),
  )
  return [...new Set(clean.filter((words) => words !== ''))].join('; ').slice(0, most)
}
