import { open } from 'node:fs/promises'
import type { ImageSource } from '../engine/image-engine.ts'

/** The formats a studio may upload (section 8). */
export type ImageFormat = 'jpeg' | 'png' | 'webp'

const HEAD = 32

const starts = (head: Buffer, text: string, at = 0): boolean => head.toString('latin1', at, at + text.length) === text

const accepted: readonly [ImageFormat, (head: Buffer) => boolean][] = [
  ['jpeg', (head) => starts(head, '\xff\xd8\xff')],
  ['png', (head) => starts(head, '\x89PNG\r\n\x1a\n')],
  ['webp', (head) => starts(head, 'RIFF') && starts(head, 'WEBP', 8)],
]

/** Known formats that are refused: the name shows the photographer which export setting to change. */
const refused: readonly [string, (head: Buffer) => boolean][] = [
  ['GIF', (head) => starts(head, 'GIF8')],
  ['HEIC', (head) => starts(head, 'ftyp', 4) && /hei[cxms]|hev[cx]|mif1|msf1/.test(head.toString('latin1', 8, 24))],
  ['AVIF', (head) => starts(head, 'ftyp', 4) && /avi[fs]/.test(head.toString('latin1', 8, 24))],
  ['Canon raw', (head) => starts(head, 'ftypcrx', 4) || starts(head, 'CR\x02\0', 8)],
  ['TIFF or camera raw', (head) => starts(head, 'II*\0') || starts(head, 'MM\0*')],
  ['Photoshop', (head) => starts(head, '8BPS')],
  ['BMP', (head) => starts(head, 'BM')],
  ['PDF', (head) => starts(head, '%PDF')],
  ['JPEG XL', (head) => starts(head, '\xff\x0a') || starts(head, 'JXL ', 4)],
  ['SVG', (head) => /^\s*<(svg|\?xml)/i.test(head.toString('latin1'))],
]

const readHead = async (source: ImageSource): Promise<Buffer> => {
  if (typeof source !== 'string')
    return Buffer.from(source.buffer, source.byteOffset, Math.min(HEAD, source.byteLength))
  const handle = await open(source, 'r')
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD), 0, HEAD, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

/**
 * A file's format by its first bytes, never by its name: an accepted one, the name of a refused one, or neither. Only accepted formats
 * reach a decoder, so that no rarely tested decoder reads untrusted bytes.
 */
export const detectImageFormat = async (
  source: ImageSource,
): Promise<{ format: ImageFormat } | { refused: string | undefined }> => {
  const head = await readHead(source)
  const format = accepted.find(([, matches]) => matches(head))?.[0]
  return format ? { format } : { refused: refused.find(([, matches]) => matches(head))?.[0] }
}
