/** Reads a stream of chunks piece by piece and tracks each byte's offset in the file; holds one chunk at a time. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>
  #chunk: Buffer = Buffer.alloc(0)
  /** Offset of the next unread byte in the chunk. */
  #at = 0
  /** Offset of the next unread byte in the file. */
  position = 0

  constructor(body: AsyncIterable<Buffer>) {
    this.#chunks = body[Symbol.asyncIterator]()
  }

  /** Whether there is another byte. */
  async #fill(): Promise<boolean> {
    while (this.#at >= this.#chunk.length) {
      const { done, value } = await this.#chunks.next()
      if (done) return false
      this.#chunk = value
      this.#at = 0
    }
    return true
  }

  #advance(count: number): void {
    this.#at += count
    this.position += count
  }

  /** The next `count` bytes; fewer where the file ends. */
  async read(count: number): Promise<Buffer> {
    const parts: Buffer[] = []
    let missing = count
    while (missing > 0 && (await this.#fill())) {
      const part = Buffer.from(this.#chunk.subarray(this.#at, this.#at + missing))
      this.#advance(part.length)
      missing -= part.length
      parts.push(part)
    }
    return Buffer.concat(parts)
  }

  /** Skips bytes without holding them; stops at the file's end. */
  async skip(count: number): Promise<void> {
    let missing = count
    while (missing > 0 && (await this.#fill())) {
      const step = Math.min(missing, this.#chunk.length - this.#at)
      this.#advance(step)
      missing -= step
    }
  }

  /** Skips bytes up to and including the next one with this value; false where the file ends before. */
  async skipPast(value: number): Promise<boolean> {
    while (await this.#fill()) {
      const found = this.#chunk.indexOf(value, this.#at)
      this.#advance((found === -1 ? this.#chunk.length : found + 1) - this.#at)
      if (found !== -1) return true
    }
    return false
  }
}
