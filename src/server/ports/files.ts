import type { Readable } from 'node:stream'

/** A byte range, both ends inclusive, as in HTTP; without `end` it runs to the last byte. */
export type ByteRange = { start: number; end?: number }

/** A file opened for reading: `size` is that of the whole file; `body` carries `start` to `end` (inclusive). */
type OpenedFile = { outcome: 'opened'; size: number; start: number; end: number; body: Readable }

/** The result of a read: the bytes, no such file, or a range beyond its end (HTTP 416 requires the size). */
export type FileRead = OpenedFile | { outcome: 'missing' } | { outcome: 'outside'; size: number }

/** A stored file in a listing. */
export type ListedFile = { key: string; size: number }

/**
 * Storage for images and other large files; the adapter stores them in a folder. Keys are segments of letters, digits,
 * `_`, `.` and `-` joined by `/`, such as `studios/1/images/7/original`. No segment begins with a dot, and a key has at
 * most 500 characters; any other key throws. No key may be the folder of another. A completed put survives a power cut.
 * Readers see the old or the new bytes, never a mixture; a failed put changes nothing.
 */
export type Files = {
  put(key: string, body: Uint8Array | Readable): Promise<{ size: number }>
  read(key: string, range?: ByteRange): Promise<FileRead>
  /** Removing a missing file succeeds, because a job may run twice. */
  remove(key: string): Promise<void>
  /** Every file under a folder (`studios/1/`, or `''` for all), in no particular order. */
  list(folder: string): AsyncIterable<ListedFile>
}
