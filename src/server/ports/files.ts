import type { Readable } from 'node:stream'

/** A stretch of a file in bytes, both ends included, as HTTP's Range counts them; without `end` it runs to the last byte. */
export type ByteRange = { start: number; end?: number }

/** A file opened for reading: `size` is the whole file's, `start` and `end` (included) are what `body` carries. */
type OpenedFile = { outcome: 'opened'; size: number; start: number; end: number; body: Readable }

/** What a read comes to: the bytes, no such file, or a range that begins after the file ends (HTTP 416 wants the size). */
export type FileRead = OpenedFile | { outcome: 'missing' } | { outcome: 'outside'; size: number }

/** A stored file as a listing shows it. */
export type ListedFile = { key: string; size: number }

/**
 * Where pictures and other large bytes live: a folder or an S3-compatible store (section 7).
 *
 * Keys are words of letters, digits, `_`, `.` and `-` joined by `/`, such as `studios/1/images/7/original`; anything else
 * throws, since keys are made by us. No key may be the folder of another. A put that resolved survives a power cut, and
 * readers see the old bytes or the new ones, never a part; one that failed leaves what was there.
 */
export type Files = {
  put(key: string, body: Uint8Array | Readable): Promise<{ size: number }>
  read(key: string, range?: ByteRange): Promise<FileRead>
  /** Removing what is not there is fine: a job may run twice. */
  remove(key: string): Promise<void>
  /** Every file under a folder (`studios/1/`, or `''` for all), in no promised order. */
  list(folder: string): AsyncIterable<ListedFile>
}
