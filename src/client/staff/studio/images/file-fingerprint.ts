/** Bytes hashed from the start of a file, to distinguish files of the same name, size and date. */
const headBytes = 16_384

/** Two 32-bit hashes (FNV-1a and a variant) in hex. Not cryptographic: `crypto.subtle` would require https. */
const hashOf = (bytes: Uint8Array): string => {
  let first = 0x811c9dc5
  let second = 0x01000193
  for (const byte of bytes) {
    first = Math.imul(first ^ byte, 0x01000193)
    second = Math.imul(second ^ byte, 0x85ebca6b)
  }
  return [first, second].map((hash) => (hash >>> 0).toString(16).padStart(8, '0')).join('')
}

/** Identifies a file on any device by its name, size, date and first bytes, so that an upload can resume. */
export const fingerprintOf = async (file: File): Promise<string> => {
  const head = new Uint8Array(await file.slice(0, headBytes).arrayBuffer())
  const description = new TextEncoder().encode(`${file.name}|${file.size}|${file.lastModified}`)
  return `${hashOf(description)}${hashOf(head)}`
}
