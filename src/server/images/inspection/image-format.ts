import { open } from 'node:fs/promises'
import type { ImageSource } from '../engine/image-engine.ts'

/** The formats a studio may upload. */
export type ImageFormat = 'jpeg' | 'png' | 'webp'

const headBytes = 32

const hasText = (head: Buffer, text: string, offset = 0): boolean =>
  head.toString('latin1', offset, offset + text.length) === text

const acceptedFormats: readonly [ImageFormat, (head: Buffer) => boolean][] = [
  ['jpeg', (head) => hasText(head, '\xff\xd8\xff')],
  ['png', (head) => hasText(head, '\x89PNG\r\n\x1a\n')],
  ['webp', (head) => hasText(head, 'RIFF') && hasText(head, 'WEBP', 8)],
]

/** Known formats that are rejected. The message names the format, so that the photographer knows which export setting to change. */
const rejectedFormats: readonly [string, (head: Buffer) => boolean][] = [
  ['GIF', (head) => hasText(head, 'GIF8')],
  ['HEIC', (head) => hasText(head, 'ftyp', 4) && /hei[cxms]|hev[cx]|mif1|msf1/.test(head.toString('latin1', 8, 24))],
  ['AVIF', (head) => hasText(head, 'ftyp', 4) && /avi[fs]/.test(head.toString('latin1', 8, 24))],
  ['Canon raw', (head) => hasText(head, 'ftypcrx', 4) || hasText(head, 'CR\x02\0', 8)],
  ['TIFF or camera raw', (head) => hasText(head, 'II*\0') || hasText(head, 'MM\0*')],
  ['Photoshop', (head) => hasText(head, '8BPS')],
  ['BMP', (head) => hasText(head, 'BM')],
  ['PDF', (head) => hasText(head, '%PDF')],
  ['JPEG XL', (head) => hasText(head, '\xff\x0a') || hasText(head, 'JXL ', 4)],
  ['SVG', (head) => /^\s*<(svg|\?xml)/i.test(head.toString('latin1'))],
]

const readHead = async (source: ImageSource): Promise<Buffer> => {
  if (typeof source !== 'string')
    return Buffer.from(source.buffer, source.byteOffset, Math.min(headBytes, source.byteLength))
  const handle = await open(source, 'r')
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

/**
 * Detects a file's format by its first bytes, never by its name. `rejectedFormat` is the name of a known format that is rejected; undefined
 * if the format is unknown. Only accepted formats reach a decoder, so that no rarely tested decoder reads untrusted bytes.
 */
export const detectImageFormat = async (
  source: ImageSource,
): Promise<{ format: ImageFormat } | { rejectedFormat: string | undefined }> => {
  const head = await readHead(source)
  const format = acceptedFormats.find(([, matches]) => matches(head))?.[0]
  return format ? { format } : { rejectedFormat: rejectedFormats.find(([, matches]) => matches(head))?.[0] }
}
