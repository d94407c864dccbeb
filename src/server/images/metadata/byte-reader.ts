/** Reads a stream of chunks piece by piece and tracks the offset in the file. Only one chunk is in memory at a time. */
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

  /** Loads the next chunk if the current one is used up; false at the end of the file. */
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

  /** The next `count` bytes; fewer if the file ends. */
  async read(count: number): Promise<Buffer> {
    const parts: Buffer[] = []
    let remaining = count
    while (remaining > 0 && (await this.#fill())) {
      const part = Buffer.from(this.#chunk.subarray(this.#at, this.#at + remaining))
      this.#advance(part.length)
      remaining -= part.length
      parts.push(part)
    }
    return Buffer.concat(parts)
  }

  /** Skips bytes without copying them; stops at the end of the file. */
  async skip(count: number): Promise<void> {
    let remaining = count
    while (remaining > 0 && (await this.#fill())) {
      const step = Math.min(remaining, this.#chunk.length - this.#at)
      this.#advance(step)
      remaining -= step
    }
  }

  /** Skips bytes up to and including the next byte with this value; false if there is none. */
  async skipPast(value: number): Promise<boolean> {
    while (await this.#fill()) {
      const index = this.#chunk.indexOf(value, this.#at)
      this.#advance((index === -1 ? this.#chunk.length : index + 1) - this.#at)
      if (index !== -1) return true
    }
    return false
  }
}
