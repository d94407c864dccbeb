import { readFile } from 'node:fs/promises'
import type { ImageSource } from '../images/engine/image-engine.ts'
import { makeLogo } from '../images/engine/make-logo.ts'
import { inspect } from '../images/inspection/inspect-image.ts'

/**
 * Frees a file's memory as soon as its work is done. As garbage it would stay for several files: decoding runs outside of V8, which
 * therefore sees little reason to collect.
 */
const freeing =
  <Answer>(work: (bytes: Uint8Array) => Promise<Answer>) =>
  async (source: ImageSource): Promise<Answer> => {
    const bytes = typeof source === 'string' ? await readFile(source) : source
    try {
      return await work(bytes)
    } finally {
      const { buffer } = bytes
      // A short file may share its memory with others.
      if (buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength) buffer.transfer(0)
    }
  }

/** The thread for images runs this by name; see `file-parsers.ts`. */
export const inspectHere = freeing(inspect)
export const makeLogoHere = freeing(makeLogo)
