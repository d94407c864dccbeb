import { readFile } from 'node:fs/promises'
import type { ImageSource } from '../images/engine/image-engine.ts'
import { makeLogo } from '../images/engine/make-logo.ts'
import { inspect } from '../images/inspection/inspect-image.ts'

/**
 * Frees a file's memory as soon as its work is done. Garbage collection would free it only after several files, because
 * decoding uses memory outside of V8.
 */
const withReleasedMemory =
  <Result>(work: (bytes: Uint8Array) => Promise<Result>) =>
  async (source: ImageSource): Promise<Result> => {
    const bytes = typeof source === 'string' ? await readFile(source) : source
    try {
      return await work(bytes)
    } finally {
      const { buffer } = bytes
      // A short file may be part of a shared buffer.
      if (buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength) buffer.transfer(0)
    }
  }

/** The thread for images calls these functions by name; see `file-parsers.ts`. */
export const inspectInThread = withReleasedMemory(inspect)
export const makeLogoInThread = withReleasedMemory(makeLogo)
