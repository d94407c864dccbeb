import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import type { Files } from '../ports/files.ts'

/** An entry of a ZIP: a stored file (`key`) or bytes in memory (`content`). `name` is unique within the ZIP. */
export type ZipEntry = { readonly name: string; readonly size: number; readonly madeAt: Date } & (
  | { readonly key: string }
  | { readonly content: Uint8Array }
)

/** An entry whose bytes are read by the given function. */
type OpenZipEntry = {
  readonly name: string
  readonly size: number
  readonly madeAt: Date
  readonly open: () => Readable
}

const openEntry = async (files: Files, { size, ...source }: ZipEntry | OpenZipEntry): Promise<Readable> => {
  if ('content' in source) return Readable.from([source.content], { objectMode: false })
  if ('open' in source) return source.open()
  const file = await files.read(source.key)
  if (file.outcome !== 'opened') throw new Error('the stored file of a ZIP entry is missing')
  if (file.size === size) return file.body
  file.body.destroy()
  throw new Error('the stored file of a ZIP entry does not have the expected size')
}

/**
 * The bytes from `start` to `end`, both included. Earlier bytes are produced and dropped, later bytes are not produced.
 */
async function* sliceStream(body: Readable, { start, end }: { start: number; end: number }) {
  let offset = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    const [sliceStart, sliceEnd] = [Math.max(0, start - offset), Math.min(chunk.length, end + 1 - offset)]
    if (sliceStart < sliceEnd) yield chunk.subarray(sliceStart, sliceEnd)
    offset += chunk.length
    if (offset > end) return
  }
}

/** The earliest time a ZIP can represent. */
const earliestZipDate = new Date('1980-01-01T00:00:00Z')

/**
 * A ZIP that is produced while it is read. Its size is known in advance, and the same files always produce the same
 * bytes.
 */
export type ZipStream = { readonly size: number; read(range: { start: number; end: number }): Readable }

/**
 * Streams files as a ZIP without compression, because images are compressed already; therefore every offset is known
 * before the first byte is read. Files are opened one at a time while the stream is read, and none after it is closed.
 */
export const createZipStream = async (
  files: Files,
  entries: readonly (ZipEntry | OpenZipEntry)[],
): Promise<ZipStream> => {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  const readingStarted = Promise.withResolvers<void>()
  let currentBody: Readable | undefined
  // The reader gets the error. Without this listener it would end the process if there is no reader.
  output.on('error', () => {})
  zip.on('error', (error: Error) => output.destroy(error))
  output.on('close', () => currentBody?.destroy())
  for (const entry of entries) {
    const { name, size, madeAt } = entry
    const options = { size, mtime: madeAt < earliestZipDate ? earliestZipDate : madeAt, compress: false }
    zip.addReadStreamLazy(name, options, (addStream) => {
      readingStarted.promise
        .then(() => openEntry(files, entry))
        .then(
          (body) => {
            if (output.destroyed) return body.destroy()
            currentBody = body
            // The library ignores errors of its input streams.
            body.on('error', (error) => output.destroy(error))
            addStream(null, body)
          },
          (error: unknown) => output.destroy(error as Error),
        )
    })
  }
  const size = await new Promise<number>((resolve) => {
    // The library's types lack the argument of the callback.
    const resolveSize = resolve as unknown as () => void
    zip.end({ forceZip64Format: false, comment: '' }, resolveSize)
  })
  const read = (range: { start: number; end: number }): Readable => {
    readingStarted.resolve()
    return Readable.from(sliceStream(output, range), { objectMode: false })
  }
  return { size, read }
}
