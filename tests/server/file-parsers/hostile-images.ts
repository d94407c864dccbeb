import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { makeXlsx } from '../imports/parsing/make-xlsx.ts'

const photo = () =>
  sharp({
    create: {
      width: 400,
      height: 300,
      channels: 3,
      background: '#a86',
      noise: { type: 'gaussian', mean: 120, sigma: 40 },
    },
  })

/** A segment of a JPEG: its marker, and its content. */
const segment = (marker: number, content: Buffer): Buffer => {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([head, content])
}

const insertAfterStart = (jpeg: Buffer, inserted: readonly Buffer[]): Buffer =>
  Buffer.concat([jpeg.subarray(0, 2), ...inserted, jpeg.subarray(2)])

const chunk = (kind: string, content: Buffer): Buffer => {
  const kindAndContent = Buffer.concat([Buffer.from(kind, 'latin1'), content])
  const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  size.writeUInt32BE(content.length)
  sum.writeUInt32BE(crc32(kindAndContent))
  return Buffer.concat([size, kindAndContent, sum])
}

const insertAfterHeader = (png: Buffer, inserted: readonly Buffer[]): Buffer =>
  Buffer.concat([png.subarray(0, 33), ...inserted, png.subarray(33)])

const createExif = (entries: number, value: number): Buffer => {
  const tiff = Buffer.alloc(10 + entries * 12, 0xff)
  tiff.write('II*\0', 0, 'latin1')
  tiff.writeUInt32LE(8, 4)
  tiff.writeUInt16LE(entries, 8)
  for (let at = 0; at < entries; at += 1) {
    tiff.writeUInt16LE(0x8769, 10 + at * 12)
    tiff.writeUInt32LE(value, 10 + at * 12 + 8)
  }
  return Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff])
}

const xmp = (text: string): Buffer => Buffer.from(`http://ns.adobe.com/xap/1.0/\0${text}`, 'latin1')

const corrupt = (bytes: Buffer, size: number): Buffer => {
  const copy = Buffer.from(bytes)
  for (let at = 24 + size; at < copy.length; at += 61 + size) copy[at] = (copy[at] ?? 0) ^ (0x15 + size)
  return copy
}

const flatImage = (side: number) =>
  sharp({ create: { width: side, height: side, channels: 3, background: '#356' }, limitInputPixels: false })

/** Declares another width and height in a JPEG. */
const withDeclaredSize = (jpeg: Buffer, side: number): Buffer => {
  const copy = Buffer.from(jpeg)
  const at = copy.indexOf(Buffer.from([0xff, 0xc0]))
  copy.writeUInt16BE(side, at + 5)
  copy.writeUInt16BE(side, at + 7)
  return copy
}

/** Images made to block the server or to exhaust its memory; `size` from 1 makes them larger. */
export const hostileImages: Readonly<Record<string, (size: number) => Promise<Buffer>>> = {
  'a JPEG of empty segments': async (size) => {
    const empty = segment(0xe5, Buffer.alloc(0))
    return insertAfterStart(
      await photo().jpeg().toBuffer(),
      Array.from({ length: 100_000 * size }, () => empty),
    )
  },
  'a JPEG of comments': async (size) =>
    insertAfterStart(
      await photo().jpeg().toBuffer(),
      Array.from({ length: 100 * size }, () => segment(0xfe, Buffer.alloc(60_000, '<!doctype '))),
    ),
  'a JPEG of fill bytes': async (size) =>
    insertAfterStart(await photo().jpeg().toBuffer(), [Buffer.alloc(3_000_000 * size, 0xff)]),
  'a JPEG whose EXIF points outside the file': async (size) =>
    insertAfterStart(await photo().jpeg().toBuffer(), [segment(0xe1, createExif(5_000, 0xfffffff0 - size))]),
  'a JPEG whose EXIF points at itself': async () =>
    insertAfterStart(await photo().jpeg().toBuffer(), [segment(0xe1, createExif(500, 8))]),
  'a JPEG of open XMP tags': async (size) =>
    insertAfterStart(await photo().jpeg().toBuffer(), [segment(0xe1, xmp('<rdf:li '.repeat(7_000 + size)))]),
  'a truncated JPEG': async (size) => (await photo().jpeg().toBuffer()).subarray(0, 900 * size),
  'a JPEG with its bytes changed': async (size) => corrupt(await photo().jpeg().toBuffer(), size),
  'a JPEG that declares a huge size': async (size) => withDeclaredSize(await photo().jpeg().toBuffer(), 9_000 + size),
  'a JPEG that declares the maximum size': async () => withDeclaredSize(await photo().jpeg().toBuffer(), 65_000),
  'a progressive JPEG of 36 megapixels in one color': async () =>
    flatImage(6_000).jpeg({ progressive: true }).toBuffer(),
  'a JPEG that is also a ZIP': async () =>
    Buffer.concat([await photo().jpeg().toBuffer(), await makeXlsx({ sheets: [{ name: 'x', rows: [['x']] }] })]),
  'a JPEG that contains a script': async () =>
    insertAfterStart(await photo().jpeg().toBuffer(), [segment(0xfe, Buffer.from('<script>alert(1)</script>'))]),
  'a PNG of text chunks': async (size) => {
    const empty = chunk('tEXt', Buffer.from('a\0b'))
    return insertAfterHeader(
      await photo().png().toBuffer(),
      Array.from({ length: 30_000 * size }, () => empty),
    )
  },
  'a PNG of a compressed text': async (size) =>
    insertAfterHeader(await photo().png().toBuffer(), [
      chunk('zTXt', Buffer.concat([Buffer.from('a\0\0'), deflateSync(Buffer.alloc(30_000_000 * size, 'z'))])),
    ]),
  'a PNG of a compressed profile': async (size) =>
    insertAfterHeader(await photo().png().toBuffer(), [
      chunk('iCCP', Buffer.concat([Buffer.from('a\0\0'), deflateSync(Buffer.alloc(30_000_000 * size, 'p'))])),
    ]),
  'a PNG of a long text': async (size) =>
    insertAfterHeader(await photo().png().toBuffer(), [chunk('iTXt', Buffer.alloc(5_000_000 * size, '<!doctype '))]),
  'an interlaced PNG of 36 megapixels in one color': async () => flatImage(6_000).png({ progressive: true }).toBuffer(),
  'a truncated PNG': async (size) => (await photo().png().toBuffer()).subarray(0, 2_000 * size),
  'a PNG with its bytes changed': async (size) => corrupt(await photo().png().toBuffer(), size),
  'a WebP of 36 megapixels in one color': async () => flatImage(6_000).webp({ lossless: true }).toBuffer(),
  'a WebP with its bytes changed': async (size) => corrupt(await photo().webp().toBuffer(), size),
  'a truncated WebP': async (size) => (await photo().webp().toBuffer()).subarray(0, 400 * size),
  'a WebP with a chunk beyond its end': async (size) => {
    const webp = Buffer.from(await photo().webp().toBuffer())
    webp.writeUInt32LE(0xfffffff0 - size, 16)
    return webp
  },
}
