import { Parser } from 'htmlparser2'
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import { UnreadableFile, unreadableFileMessages } from './unreadable-file.ts'

/** The limit on all bytes that are unpacked from one file. A sheet of 50,000 subjects needs a third of it. */
const maxUnpackedBytes = 150 * 1024 * 1024
const maxEntries = 5_000

/** The limit on nested tags; the text of a cell is eight tags deep. The time of the parser grows with the square of the depth. */
const maxDepth = 100
/** The limit on attributes of a tag; the root of a sheet has at most thirty. They are in memory until the tag ends. */
const maxAttributes = 100

/** Handlers for the parts of an XML document; names have no prefix. */
export type XmlHandlers = {
  readonly open?: (name: string, attributes: Readonly<Record<string, string>>) => void
  readonly text?: (text: string) => void
  readonly close?: (name: string) => void
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

/** The parts of a ZIP. Both the declared and the actual unpacked sizes are limited. */
export class ZipParts {
  readonly #zip: ZipFile
  readonly #entries: ReadonlyMap<string, Entry>
  #unpackedBytes = 0

  constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip
    this.#entries = entries
  }

  has(name: string): boolean {
    return this.#entries.has(name)
  }

  /** Parses an XML part as a stream; a part that does not exist is empty. */
  async read(name: string, { open, text, close }: XmlHandlers): Promise<void> {
    const entry = this.#entries.get(name)
    if (!entry) return
    this.#unpackedBytes += entry.uncompressedSize
    if (this.#unpackedBytes > maxUnpackedBytes) throw new UnreadableFile(unreadableFileMessages.bomb)
    let depth = 0
    let attributeCount = 0
    const parser = new Parser(
      {
        onopentagname: () => {
          attributeCount = 0
        },
        onattribute: () => {
          attributeCount += 1
          if (attributeCount > maxAttributes) throw new UnreadableFile(unreadableFileMessages.damaged)
        },
        onopentag: (tag, attributes) => {
          depth += 1
          if (depth > maxDepth) throw new UnreadableFile(unreadableFileMessages.damaged)
          open?.(localName(tag), attributes)
        },
        ontext: (chunk) => text?.(chunk),
        onclosetag: (tag) => {
          depth -= 1
          close?.(localName(tag))
        },
      },
      { xmlMode: true },
    )
    // The stream fails if the entry is larger than declared.
    const stream = await this.#zip.openReadStreamPromise(entry)
    for await (const chunk of stream.setEncoding('utf8')) parser.write(chunk)
    parser.end()
  }
}

/** Opens a ZIP in memory. Throws `UnreadableFile` if it is encrypted or has too many entries. */
export const openZip = async (bytes: Buffer): Promise<ZipParts> => {
  const zip = await fromBufferPromise(bytes, { lazyEntries: true, validateEntrySizes: true })
  if (zip.entryCount > maxEntries) throw new UnreadableFile(unreadableFileMessages.bomb)
  const entries = new Map<string, Entry>()
  for await (const entry of zip.eachEntry()) {
    if (entry.isEncrypted()) throw new UnreadableFile(unreadableFileMessages.locked)
    entries.set(entry.fileName, entry)
  }
  return new ZipParts(zip, entries)
}
