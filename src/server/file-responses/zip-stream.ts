import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import type { Files } from '../ports/files.ts'
import { freeSent } from './free-sent.ts'

/** An entry of a ZIP, from the store or just written; `name` is unique within the ZIP. */
export type ZipEntry = { readonly name: string; readonly bytes: number; readonly madeAt: Date } & (
  | { readonly key: string }
  | { readonly content: Uint8Array }
)

/** An entry whose bytes are read elsewhere. */
type OpenZipEntry = {
  readonly name: string
  readonly bytes: number
  readonly madeAt: Date
  readonly open: () => Readable
}

const openOriginal = async (files: Files, { bytes, ...from }: ZipEntry | OpenZipEntry): Promise<Readable> => {
  if ('content' in from) return Readable.from([from.content], { objectMode: false })
  if ('open' in from) return from.open()
  const read = await files.read(from.key)
  if (read.outcome !== 'opened') throw new Error('a picture that the database names is not in the store')
  if (read.size === bytes) return read.body
  read.body.destroy()
  throw new Error('a picture in the store is not as large as the database says')
}

/** The bytes from `start` to `end`, both included; earlier bytes are produced and dropped, later ones never produced. */
async function* between(body: Readable, { start, end }: { start: number; end: number }) {
  let at = 0
  const sent = freeSent()
  for await (const chunk of body as AsyncIterable<Buffer>) {
    const [from, to] = [Math.max(0, start - at), Math.min(chunk.length, end + 1 - at)]
    if (from < to) yield chunk.subarray(from, to)
    at += chunk.length
    sent(chunk.length)
    if (at > end) return
  }
}

/** The earliest time a ZIP can represent. */
const earliest = new Date('1980-01-01T00:00:00Z')

/** A ZIP that is produced while it is read: its size is known beforehand, and the same files produce the same bytes each time. */
export type ZipStream = { readonly size: number; read(range: { start: number; end: number }): Readable }

/**
 * Streams files as a ZIP, stored without compression: images are compressed already, and so every offset is known before the first byte is
 * read. Opens no file before the stream is read, then one at a time, and none after the reader has gone.
 */
export const createZipStream = async (
  files: Files,
  pictures: readonly (ZipEntry | OpenZipEntry)[],
): Promise<ZipStream> => {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  const reading = Promise.withResolvers<void>()
  let open: Readable | undefined
  // The reader gets the error; without a reader it must not end the process.
  output.on('error', () => {})
  zip.on('error', (error: Error) => output.destroy(error))
  output.on('close', () => open?.destroy())
  for (const picture of pictures) {
    const { name, bytes: size, madeAt } = picture
    const options = { size, mtime: madeAt < earliest ? earliest : madeAt, compress: false }
    zip.addReadStreamLazy(name, options, (give) => {
      reading.promise
        .then(() => openOriginal(files, picture))
        .then(
          (body) => {
            if (output.destroyed) return body.destroy()
            open = body
            // The library ignores errors of the streams it is given.
            body.on('error', (error) => output.destroy(error))
            give(null, body)
          },
          (error: unknown) => output.destroy(error as Error),
        )
    })
  }
  const size = await new Promise<number>((resolve) => {
    // The library's types omit the argument.
    const told = resolve as unknown as () => void
    zip.end({ forceZip64Format: false, comment: '' }, told)
  })
  const read = (range: { start: number; end: number }): Readable => {
    reading.resolve()
    return Readable.from(between(output, range), { objectMode: false })
  }
  return { size, read }
}
