import { Parser } from 'htmlparser2'
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import { UnreadableFile, unreadableFileMessages } from './unreadable-file.ts'

/** A sheet of 50,000 people unpacks to a third of this; all that is read of a file may not be more together. */
const mostUnpackedBytes = 150 * 1024 * 1024
const mostEntries = 5_000

/** A cell's text is eight tags deep; a parser's time grows with the square of the depth. */
const mostDepth = 100
/** The root of a sheet names thirty spaces at most; all attributes of a tag are held until it ends. */
const mostAttributes = 100

/** What the parts of a document say, as they are read: names without their prefix. */
export type Reader = {
  readonly open?: (name: string, attributes: Readonly<Record<string, string>>) => void
  readonly text?: (text: string) => void
  readonly close?: (name: string) => void
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

/** The parts of a ZIP. What it unpacks to is counted, as it says before and as it turns out to be. */
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

  /** Reads an XML part piece by piece; one that is not there has nothing to say. */
  async read(name: string, { open, text, close }: Reader): Promise<void> {
    const entry = this.#entries.get(name)
    if (!entry) return
    this.#unpackedBytes += entry.uncompressedSize
    if (this.#unpackedBytes > mostUnpackedBytes) throw new UnreadableFile(unreadableFileMessages.bomb)
    let depth = 0
    let attributesOfTag = 0
    const parser = new Parser(
      {
        onopentagname: () => {
          attributesOfTag = 0
        },
        onattribute: () => {
          attributesOfTag += 1
          if (attributesOfTag > mostAttributes) throw new UnreadableFile(unreadableFileMessages.damaged)
        },
        onopentag: (tag, attributes) => {
          depth += 1
          if (depth > mostDepth) throw new UnreadableFile(unreadableFileMessages.damaged)
          open?.(localName(tag), attributes)
        },
        ontext: (said) => text?.(said),
        onclosetag: (tag) => {
          depth -= 1
          close?.(localName(tag))
        },
      },
      { xmlMode: true },
    )
    // More than the entry says it holds is an error of the stream’s.
    const stream = await this.#zip.openReadStreamPromise(entry)
    for await (const piece of stream.setEncoding('utf8')) parser.write(piece)
    parser.end()
  }
}

/** Opens a ZIP in memory. Throws `RefusedFile` on one that is damaged, locked or made to burst. */
export const openZip = async (bytes: Buffer): Promise<ZipParts> => {
  const zip = await fromBufferPromise(bytes, { lazyEntries: true, validateEntrySizes: true })
  if (zip.entryCount > mostEntries) throw new UnreadableFile(unreadableFileMessages.bomb)
  const entries = new Map<string, Entry>()
  for await (const entry of zip.eachEntry()) {
    if (entry.isEncrypted()) throw new UnreadableFile(unreadableFileMessages.locked)
    entries.set(entry.fileName, entry)
  }
  return new ZipParts(zip, entries)
}
